/**
 * A guard's memory as plain JSON, and back.
 *
 * @module
 */

import { describe } from '../describe.js'
import { copyPlain } from '../plain-data.js'
import type { Snapshot, Verdict } from '../types.js'
import { CONTINUE, sealVerdict } from '../verdict.js'
import type { CallsState } from './calls.js'
import { decide } from './decision.js'
import type { Remembered } from './memory.js'
import type { OutlookState } from './outlook.js'
import type { GuardSnapshot } from './types.js'

const FORMAT = 'loophound-guard'
const VERSION = 1
/** Room for the most calls that can be remembered. */
const LIMITS = { depth: 8, values: 4_000_000 }
const STATES: readonly Remembered['state'][] = ['open', 'answered', 'refused', 'twin']

/** All that a guard keeps besides its detector. */
export interface GuardState extends CallsState, OutlookState {
  readonly isInStep: boolean
}

export function writeGuardSnapshot(state: GuardState, detector: Snapshot): GuardSnapshot {
  const { calls, ...rest } = state
  return { format: FORMAT, version: VERSION, detector, ...rest, calls: calls.map(writeCall) }
}

/** Short, as there are many: a decision that is not the usual one comes last. */
function writeCall({ id, name, key, number, lead, decision, state }: Remembered): unknown[] {
  const { verdict, run } = (lead ?? { decision }).decision
  const row = [id, name, key, number, STATES.indexOf(state), run ? 1 : 0]
  return verdict === CONTINUE ? row : [...row, verdict]
}

/**
 * @throws TypeError when it is not a guard's snapshot.
 * @throws RangeError when it is one of another version.
 */
export function readGuardSnapshot(snapshot: unknown): { state: GuardState; detector: Snapshot } {
  if (describe(snapshot) !== 'an object') {
    throw new TypeError(
      `restore(snapshot): snapshot must be an object made by snapshot(); got ${describe(snapshot)}`,
    )
  }
  const data = copyPlain(snapshot as object, 'restore(snapshot): snapshot', LIMITS) as Fields
  if (data.format !== FORMAT) {
    throw new TypeError(
      `restore(snapshot): snapshot.format must be "${FORMAT}"; got ${describe(data.format)}`,
    )
  }
  if (data.version !== VERSION) {
    throw new RangeError(
      `restore(snapshot): snapshot.version must be ${VERSION}; got ${describe(data.version)}`,
    )
  }
  const state: GuardState = {
    number: wholeNumber(data.number, 'number'),
    isInStep: flag(data.isInStep, 'isInStep'),
    isTroubled: flag(data.isTroubled, 'isTroubled'),
    stopped: maybe(data.stopped, (value) => verdictOf(value, 'stopped')),
    nudge: maybe(data.nudge, (value) => verdictOf(value, 'nudge')),
    delivered: maybe(data.delivered, (value) => text(value, 'delivered')),
    barred: maybe(data.barred, (value) => ({
      key: text(fieldsOf(value, 'barred').key, 'barred.key'),
      verdict: verdictOf(fieldsOf(value, 'barred').verdict, 'barred.verdict'),
    })),
    calls: list(data.calls, 'calls').map(readCall),
    round: list(data.round, 'round').map((value) => wholeNumber(value, 'round')),
  }
  return { state, detector: data.detector as unknown as Snapshot }
}

function readCall(row: unknown): Remembered {
  const [id, name, key, number, state, run, verdict] = list(row, 'calls')
  return {
    id: maybe(id, (value) => text(value, 'calls')),
    name: text(name, 'calls'),
    key: text(key, 'calls'),
    number: wholeNumber(number, 'calls'),
    state: STATES[wholeNumber(state, 'calls')] ?? refuse('calls'),
    decision: decide(verdict === undefined ? CONTINUE : verdictOf(verdict, 'calls'), run === 1),
  }
}

type Fields = Readonly<Record<string, unknown>>

/** The fields that a guard goes by; the rest is for people to read. */
function verdictOf(value: unknown, name: string): Verdict {
  const { action, level, message, pattern } = fieldsOf(value, name)
  for (const word of [action, level]) text(word, name)
  list(pattern, name)
  if (message !== null) text(message, name)
  return sealVerdict({ ...CONTINUE, ...(value as Verdict) })
}

const maybe = <T>(value: unknown, read: (value: unknown) => T): T | null =>
  value === null ? null : read(value)

const fieldsOf = (value: unknown, name: string): Fields =>
  describe(value) === 'an object' ? (value as Fields) : refuse(name)

const list = (value: unknown, name: string): readonly unknown[] =>
  Array.isArray(value) ? value : refuse(name)

const text = (value: unknown, name: string): string =>
  typeof value === 'string' ? value : refuse(name)

const flag = (value: unknown, name: string): boolean =>
  typeof value === 'boolean' ? value : refuse(name)

const wholeNumber = (value: unknown, name: string): number =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : refuse(name)

function refuse(name: string): never {
  throw new TypeError(`restore(snapshot): snapshot.${name} is damaged or missing`)
}
