/** What docs/runtimes.md tells people to write is what the runtime suite runs. */

import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Block, inRoot, readPage } from '../docs/pages.js'

const FIXTURES = 'tests/runtimes/fixtures/'
const { blocks } = readPage('docs/runtimes.md')

const fileOf = ({ note }: Block) => note.replace('no-run: ', '')
const linesOf = (text: string) => text.split('\n').map((line) => line.trim())

describe('docs/runtimes.md', () => {
  it.each(blocks.map((block) => [block.at, block] as const))('%s is in its fixture', (_, block) => {
    expect(fileOf(block).startsWith(FIXTURES), 'names a fixture').toBe(true)
    const fixture = linesOf(readFileSync(inRoot(fileOf(block)), 'utf8'))
    let from = 0
    for (const line of linesOf(block.code)) {
      const at = fixture.indexOf(line, from)
      expect(at, `"${line}", in this order`).toBeGreaterThanOrEqual(0)
      from = at + 1
    }
  })

  it.each(blocks.map((block) => [block.at, block] as const))('%s is three lines', (_, block) => {
    expect(linesOf(block.code).length).toBeLessThanOrEqual(3)
  })

  it('speaks of every fixture', () => {
    const named = new Set(blocks.map((block) => fileOf(block).slice(FIXTURES.length).split('/')[0]))
    expect([...named].sort()).toEqual(readdirSync(inRoot(FIXTURES)).sort())
  })
})
