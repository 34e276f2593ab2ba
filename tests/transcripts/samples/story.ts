/**
 * The story that the samples tell, where their format can: a person asks, the model lists files and
 * reads one that is not there, both in one turn, and then answers.
 *
 * @module
 */

import type { Summary } from '../summary.js'

export interface Sample {
  text: string
  expected: Partial<Summary>
}

export const json = (value: unknown): string => JSON.stringify(value)

export const lines = (...values: unknown[]): string => values.map(json).join('\n')

export const at = (second: number): string =>
  `2026-01-02T03:04:${String(second).padStart(2, '0')}.000Z`

export const nano = (second: number): string => String(BigInt(Date.parse(at(second))) * 1_000_000n)

export const STORY: Partial<Summary> = {
  calls: 2,
  results: 2,
  errors: 1,
  agents: 1,
  userMessages: 1,
  firstTools: ['ls', 'read'],
  lastTool: 'read',
}

export const UNMARKED: Partial<Summary> = { ...STORY, errors: 0 }

export const FILES = 'a.txt\nb.txt'

export const GONE = 'c.txt: no such file'
