/** Adapters are entries of their own, and bring no second engine. */

import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { build, transformSync } from 'esbuild'
import { afterAll, describe, expect, it } from 'vitest'
import { inRoot } from '../docs/pages.js'

// Plain JavaScript without types: named by a variable, so that the compiler does not look for any.
const list = inRoot('scripts/build/adapters.mjs')
const { SUBPATHS } = (await import(list)) as {
  SUBPATHS: readonly { readonly name: string; readonly peers: Readonly<Record<string, string>> }[]
}

/** An app in which the package is installed, and no framework. */
const app = mkdtempSync(path.join(tmpdir(), 'loophound-entries-'))
mkdirSync(path.join(app, 'node_modules'))
cpSync(inRoot('pkg'), path.join(app, 'node_modules/loophound'), { recursive: true })
afterAll(() => rmSync(app, { recursive: true, force: true }))

const sourceOf = (name: string, ending: string) =>
  readFileSync(inRoot(`pkg/dist/${name}.${ending}`), 'utf8')

/** Adapters that must import their framework cannot be loaded without it. */
const standalone = SUBPATHS.filter(({ name, peers }) =>
  Object.keys(peers).every((peer) => !new RegExp(`from ?"${peer}[/"]`).test(sourceOf(name, 'js'))),
)

async function bundle(source: string, conditions: string[] = []): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: app },
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    conditions,
    external: ['*.wasm', '*.wasm?module'],
  })
  return outputFiles[0]?.text ?? ''
}

const node = (type: string, script: string) =>
  execFileSync(process.execPath, [`--input-type=${type}`, '--eval', script], {
    cwd: app,
    encoding: 'utf8',
  }).trim()

describe.each(SUBPATHS.map(({ name }) => [name]))('loophound/%s', (name) => {
  it.each(['js', 'cjs'])('%s is small, and has no engine of its own', (ending) => {
    const source = sourceOf(name, ending)
    expect(source).not.toContain('WebAssembly')
    // The swarm brings five stores, with their scripts and statements; a bundler leaves out the rest.
    const { code } = transformSync(source, { minify: true })
    expect(code.length).toBeLessThan(name === 'swarm' ? 60_000 : 30_000)
  })
})

describe.each(standalone.map(({ name }) => [name]))('loophound/%s', (name) => {
  it('loads in both module systems, with the same names', () => {
    const names = 'Object.keys(adapter).sort().join()'
    const esm = node(
      'module',
      `import * as adapter from 'loophound/${name}'; console.log(${names})`,
    )
    const cjs = node(
      'commonjs',
      `const adapter = require('loophound/${name}'); console.log(${names})`,
    )
    expect(esm).toBe(cjs)
    expect(esm).not.toBe('')
  })

  it('compiles nothing when it is imported', () => {
    const script = `WebAssembly.Module = undefined
      await import('loophound/${name}')
      console.log('imported')`
    expect(node('module', script)).toBe('imported')
  })
})

describe('in a bundle', () => {
  const both = `import { LoopGuard } from 'loophound'
    import * as adapter from 'loophound/openai'
    console.log(new LoopGuard(), adapter)`

  it('there is one engine', async () => {
    const alone = await bundle(
      `import { LoopGuard } from 'loophound'; console.log(new LoopGuard())`,
    )
    const together = await bundle(both)
    expect(together.length - alone.length).toBeLessThan(10_000)
  })

  it.each(['workerd', 'edge-light'])('for %s it is the compiled one', async (condition) => {
    const text = await bundle(both, [condition])
    expect(text).toContain('core.wasm')
    // The bytes as text would be most of it.
    expect(text.length).toBeLessThan(80_000)
  })

  it('what is not used is left out', async () => {
    const whole = await bundle(`export * from 'loophound/ai-sdk'`)
    const part = await bundle(`export { LoopBlockedError } from 'loophound/ai-sdk'`)
    expect(part.length).toBeLessThan(1000)
    expect(whole.length).toBeGreaterThan(part.length)
  })
})
