/** What the benchmark of the adapters makes of its rounds, and prints. */

import { describe, expect, it } from 'vitest'
import { inRoot } from '../docs/pages.js'

interface Figures {
  readonly rounds: number
}

interface Tools {
  figuresOf(title: string, rounds: { bare: number[]; guarded: number[] }): Figures
  rowOf(figures: Figures): string[]
  describe(figures: Figures[]): string
  readOptions<T>(args: string[], usual: T): T
}

// Plain JavaScript without types: named by a variable, so that the compiler does not look for any.
const files = ['bench', 'page', 'fixtures'].map((name) => inRoot(`scripts/adapters/${name}.mjs`))
const tools: Tools = Object.assign({}, ...(await Promise.all(files.map((file) => import(file)))))

describe('the figures', () => {
  const one = { bare: [10, 100, 40, 20, 30], guarded: [11, 150, 60, 24, 33] }

  it('are medians, and what is added is compared within each round', () => {
    expect(tools.rowOf(tools.figuresOf('ai 7', one))).toEqual([
      'ai 7',
      '30',
      '33',
      // 1, 3, 4, 20 and 50 more; 1.1, 1.1, 1.2, 1.5 and 1.5 times as much.
      '4.0 (3.0–20)',
      '1.20 (1.10–1.50)',
    ])
  })

  it('say how many rounds there were, also where there were fewer', () => {
    const few = tools.figuresOf('slow 1', { bare: [1, 2], guarded: [2, 3] })
    const usual = tools.figuresOf('ai 7', one)
    expect(tools.describe([usual, few, usual])).toContain('the medians of 5 rounds (2 for slow 1).')
  })
})

describe('options', () => {
  const usual = { only: [] as string[], rounds: 0, write: false }

  it('are lists, numbers and switches', () => {
    expect(tools.readOptions(['--only', 'ai,mcp', '--only=otel', '--rounds', '3'], usual)).toEqual({
      only: ['ai', 'mcp', 'otel'],
      rounds: 3,
      write: false,
    })
    expect(tools.readOptions(['--write'], usual)).toEqual({ ...usual, write: true })
    expect(usual.only).toEqual([])
  })

  it.each([
    ['--wite', 'There is no option "--wite".'],
    ['only', 'There is no option "only".'],
    ['--rounds=none', '--rounds wants a whole number greater than 0.'],
  ])('%s is refused', (option, message) => {
    expect(() => tools.readOptions([option], usual)).toThrow(message)
  })
})
