import { readdirSync, readFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')

describe('what is published', () => {
  const files = readdirSync(path.join(root, 'pkg'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))

  it('has files', () => {
    expect(files.length).toBeGreaterThan(8)
  })

  it.each(files)('%s names no folder of the machine that built it', (file) => {
    const content = readFileSync(file, 'latin1')
    expect(content).not.toContain(os.homedir())
    expect(content).not.toContain(root)
  })
})
