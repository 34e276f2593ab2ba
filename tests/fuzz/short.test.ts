/** The fuzzers that `npm run fuzz` runs for minutes, for seconds and always with the same seed. */

import path from 'node:path'
import fc from 'fast-check'
import * as library from 'loophound'
import { describe, expect, it } from 'vitest'

interface Differential {
  buildNative(): Promise<void>
  makeRuns(seed: number, streams: number, length: number): { pieces: unknown[][] }[]
  compareNative(library: unknown, runs: unknown): Promise<number>
}

// Plain JavaScript without types: named by a variable, so that the compiler does not look for any.
const files = ['facade', 'differential'].map((name) =>
  path.join(import.meta.dirname, `${name}.mjs`),
)
const loaded = await Promise.all(files.map((name) => import(name)))
const { facadeProperty, buildNative, makeRuns, compareNative } = Object.assign({}, ...loaded) as {
  facadeProperty(library: unknown): fc.IProperty<unknown>
} & Differential

describe('a short run of the fuzzers', () => {
  it('everything that JavaScript can hold', () => {
    fc.assert(facadeProperty(library), { numRuns: 1000, seed: 20_260_101 })
  })

  it('native and WebAssembly, byte for byte', { timeout: 600_000 }, async () => {
    await buildNative()
    const runs = makeRuns(20_260_101, 80, 150)
    const answers = await compareNative(library, runs)
    expect(answers).toBe(runs.flatMap(({ pieces }) => pieces.flat()).length)
    expect(answers).toBeGreaterThan(5_000)
  })

  it('notices a difference', async () => {
    const [first, ...others] = makeRuns(1, 3, 50)
    const broken = {
      LoopDetector: class extends library.LoopDetector {
        override recentNames(): string[] {
          return ['another']
        }
      },
    }
    const runs = [{ ...first, pieces: [[['recentNames']]] }, ...others]
    await expect(compareNative(broken, runs)).rejects.toThrow('answer 0 differs')
  })
})
