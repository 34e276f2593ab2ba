/**
 * Writes a guard's memory as plain JSON, and reads it back.
 *
 * @module
 */

import { describe } from '../input/check.js'
import { copyPlain } from '../input/plain-data.js'
import type { Snapshot, Verdict } from '../types.js'
import { CONTINUE, sealVerdict } from '../verdict.js'
import type { RememberedCall } from './call-memory.js'
import { type CallsState, decision } from './calls.js'
import type { PendingState } from './pending-actions.js'
import type { GuardSnapshot } from './types.js'

const FORMAT = 'loophound-guard'
const VERSION = 2
/** Enough for the most calls that can be remembered. */
const LIMITS = { depth: 8, values: 4_000_000 }
const STATES: readonly RememberedCall['state'][] = ['open', 'answered', 'refused', 'duplicate']

/** What a guard keeps besides its detector. */
export interface GuardState extends CallsState, PendingState {
  readonly isInStep: boolean
}

export function writeGuardSnapshot(state: GuardState, detector: Snapshot): GuardSnapshot {
  const { calls, ...rest } = state
  return { format: FORMAT, version: VERSION, detector, ...rest, calls: calls.map(writeCall) }
}

/** Writes a call as a short list, as there are many; a verdict other than `continue` comes last. */
function writeCall(call: RememberedCall): unknown[] {
  const { id, name, key, number, state } = call
  const { verdict, run } = (call.original ?? call).decision
  const row = [id, name, key, number, STATES.indexOf(state), run ? 1 : 0]
  return verdict === CONTINUE ? row : [...row, verdict]
}

/**
 * Reads a guard's snapshot.
 *
 * @throws TypeError when it is not one.
 * @throws RangeError when it is of another version.
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
    hadVerdict: flag(data.hadVerdict, 'hadVerdict'),
    stopped: maybe(data.stopped, (value) => verdictOf(value, 'stopped')),
    nudge: maybe(data.nudge, (value) => verdictOf(value, 'nudge')),
    delivered: maybe(data.delivered, (value) => text(value, 'delivered')),
    blockNext: maybe(data.blockNext, (value) => ({
      key: text(fieldsOf(value, 'blockNext').key, 'blockNext.key'),
      verdict: verdictOf(fieldsOf(value, 'blockNext').verdict, 'blockNext.verdict'),
    })),
    calls: list(data.calls, 'calls').map(readCall),
    step: list(data.step, 'step').map((value) => wholeNumber(value, 'step')),
  }
  return { state, detector: data.detector as unknown as Snapshot }
}

function readCall(row: unknown): RememberedCall {
  const [id, name, key, number, state, run, verdict] = list(row, 'calls')
  return {
    id: maybe(id, (value) => text(value, 'calls')),
    name: text(name, 'calls'),
    key: text(key, 'calls'),
    number: wholeNumber(number, 'calls'),
    state: STATES[wholeNumber(state, 'calls')] ?? refuse('calls'),
    decision: decision(verdict === undefined ? CONTINUE : verdictOf(verdict, 'calls'), run === 1),
  }
}

type Fields = Readonly<Record<string, unknown>>

/** Checks the fields that a guard uses; the rest is for people to read. */
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
