/** Importing costs nothing, and there is no init step: shown in a process of its own. */

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it, vi } from 'vitest'

// A busy machine may be slow; that is not what is tested.
vi.setConfig({ testTimeout: 60_000 })

const DIST = fileURLToPath(new URL('../../pkg/dist/', import.meta.url))

async function node(type: 'module' | 'commonjs', script: string): Promise<string> {
  const args = [`--input-type=${type}`, '--eval', script, DIST]
  return (await promisify(execFile)(process.execPath, args)).stdout.trim()
}

it('nothing is compiled at import; the first use starts the engine', async () => {
  const output = await node(
    'module',
    `let compiled = 0
     const Native = WebAssembly.Module
     WebAssembly.Module = new Proxy(Native, {
       construct(target, args) { compiled += 1; return new target(...args) },
     })
     const { pathToFileURL } = await import('node:url')
     const loophound = await import(pathToFileURL(process.argv[1] + 'index.js'))
     Object.keys(loophound.presets)
     const counts = [compiled]
     loophound.presets.nudge
     new loophound.LoopDetector().free()
     new loophound.SwarmDetector().free()
     counts.push(compiled)
     console.log(counts.join())`,
  )
  // The engine, once.
  expect(output).toBe('0,1')
})

it('require() gives the same names, ready to use', async () => {
  const names =
    "Object.keys(loophound).sort().join() + ' ' + new loophound.LoopDetector().record('a').action"
  const esm = await node(
    'module',
    `const { pathToFileURL } = await import('node:url')
     const loophound = await import(pathToFileURL(process.argv[1] + 'index.js'))
     console.log(${names})`,
  )
  const cjs = await node(
    'commonjs',
    `const loophound = require(process.argv[1] + 'index.cjs')
     console.log(${names})`,
  )
  expect(cjs).toBe(esm)
  expect(esm).toBe(
    'GuardPool,LoopDetector,LoopGuard,SwarmDetector,computeToolFingerprint,init,presets,readTranscript,replay,scan continue',
  )
})

it.each<['module' | 'commonjs', string, string]>([
  ['module', `import { LoopDetector } from 'FILE'`, 'index.js'],
  ['commonjs', `const { LoopDetector } = require('FILE')`, 'index.cjs'],
])('an error that nothing catches prints no code of the engine (%s)', async (type, load, file) => {
  const from = DIST + file
  const code = `${load.replace('FILE', from)}; new LoopDetector({ treshold: 3 })`
  const printed = await node(type, code).catch(({ stderr }: { stderr: string }) => stderr)
  expect(printed).toContain('options.treshold is not an option')
  expect(printed.length).toBeLessThan(5000)
})

it('using works without Symbol.dispose: compilers look for another symbol then', async () => {
  const output = await node(
    'commonjs',
    `const { readFileSync } = require('node:fs')
     const older = { for: (key) => Symbol.for(key), iterator: Symbol.iterator }
     const file = process.argv[1] + 'index.cjs'
     const load = new Function('module', 'require', 'Symbol', readFileSync(file, 'utf8'))
     const loaded = { exports: {} }
     load(loaded, require('node:module').createRequire(file), older)
     const { LoopDetector, LoopGuard, SwarmDetector } = loaded.exports
     for (const made of [new LoopDetector(), new LoopGuard(), new SwarmDetector()]) {
       made[Symbol.for('Symbol.dispose')]()
     }
     const detector = new LoopDetector()
     detector[Symbol.for('Symbol.dispose')]()
     try {
       detector.record('a')
     } catch (error) {
       console.log(error.message)
     }`,
  )
  expect(output).toBe('this LoopDetector was freed; make a new one')
})
