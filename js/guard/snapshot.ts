/**
 * Writes a guard's memory as plain JSON, and reads it back.
 *
 * @module
 */

import { describe, requirePlainObject, wrong } from '../input/check.js'
import { cleanLine, cleanText } from '../input/clean.js'
import { copyPlain } from '../input/plain-data.js'
import type { Action, LoopKind, Snapshot, TextLoopDetails, Verdict } from '../types.js'
import { ACTIONS, CONTINUE, freezeVerdict, LEVELS } from '../verdict.js'
import type { RememberedCall } from './call-memory.js'
import { type CallsState, decision, decisionOn } from './calls.js'
import type { PendingState } from './pending-actions.js'
import type { GuardSnapshot } from './types.js'

const FORMAT = 'loophound-guard'
const VERSION = 3
/** Enough for the most calls that can be remembered. */
const LIMITS = { depth: 8, values: 4_000_000 }
const STATES: readonly RememberedCall['state'][] = ['open', 'answered', 'refused', 'duplicate']

/** What a guard keeps besides its detector. */
export interface GuardState extends CallsState, PendingState {
  readonly isInStep: boolean
  readonly isFinished: boolean
  readonly turns: number
}

export function writeGuardSnapshot(state: GuardState, detector: Snapshot): GuardSnapshot {
  const { calls, ...rest } = state
  return { format: FORMAT, version: VERSION, detector, ...rest, calls: calls.map(writeCall) }
}

/**
 * Writes a call as a short list, because there are many; a verdict other than `continue` comes
 * last.
 */
function writeCall(call: RememberedCall): unknown[] {
  const { id, name, key, number, state } = call
  const { verdict, run } = decisionOn(call)
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
  const argument = 'restore(snapshot): snapshot'
  requirePlainObject(snapshot, argument, 'an object made by snapshot()')
  const data = copyPlain(snapshot, argument, LIMITS) as Fields
  if (data.format !== FORMAT) throw wrong(`${argument}.format`, `"${FORMAT}"`, data.format)
  if (data.version !== VERSION) {
    throw wrong(`${argument}.version`, String(VERSION), data.version, RangeError)
  }
  const state = fields<GuardState>({
    number: wholeNumber,
    isInStep: flag,
    isFinished: flag,
    turns: wholeNumber,
    hadVerdict: flag,
    stopped: maybe(readVerdict),
    nudge: maybe(readVerdict),
    delivered: maybe(shown),
    blockNext: maybe(fields({ key: text, verdict: readVerdict })),
    calls: list(readCall),
    step: list(wholeNumber),
  })(data)
  return { state, detector: data.detector as unknown as Snapshot }
}

const readCall: Read<RememberedCall> = (value, part) => {
  const [id, name, key, number, state, run, verdict] = list((item) => item)(value, part)
  return {
    id: maybe(bounded)(id, part),
    name: bounded(name, part),
    key: bounded(key, part),
    number: wholeNumber(number, part),
    state: STATES[wholeNumber(state, part)] ?? refuse(part),
    decision: decision(verdict === undefined ? CONTINUE : readVerdict(verdict, part), run === 1),
  }
}

/** Reads what identifies a call: it is compared, so it is not cleaned. */
const bounded: Read<string> = (value, name) => text(value, name).slice(0, MAX_MESSAGE)

type Fields = Readonly<Record<string, unknown>>

/** Longer than any built-in text, in characters; texts of hosts may be long. */
const MAX_MESSAGE = 16_384
const MAX_LINE = 1024
const MAX_PATTERN = 2_000

/** Reads a value of a snapshot; `name` is the part of the snapshot that it belongs to. */
type Read<T> = (value: unknown, name: string) => T

/** How each property of an object is read. */
type Readers<T> = { readonly [K in keyof T]: Read<T[K]> }

/** Reads a verdict field by field; checks and cleans what a model may read later. */
const readVerdict: Read<Verdict> = (value, name) =>
  freezeVerdict(
    fields<Verdict>({
      // Of `continue`, the rest is not looked at: see freezeVerdict.
      action: oneOf(ACTIONS) as Read<Exclude<Action, 'continue'>>,
      level: oneOf(LEVELS),
      kind: kindOf,
      status: oneOf(['OK', 'LOOP_DETECTED']),
      tool: maybe(shownLine),
      count: wholeNumber,
      period: wholeNumber,
      pattern: list(shownLine, MAX_PATTERN),
      calls: (calls) => list(wholeNumber)(calls, name).slice(0, MAX_PATTERN),
      since: (at) => (at === -1 ? at : wholeNumber(at, name)),
      wasted: wholeNumber,
      message: shown,
      summary: shownLine,
      details: maybe(
        fields<TextLoopDetails>({
          channel: oneOf(['text', 'reasoning', 'arguments']),
          since: wholeNumber,
          unit: shownLine,
          repeats: wholeNumber,
          wasted: wholeNumber,
        }),
      ),
    })(value, name),
  )

/** Reads the name of a pattern; unknown names are accepted, because a later release may add some. */
const kindOf: Read<LoopKind> = (value, name) =>
  /^[a-z-]{1,32}$/.test(text(value, name)) ? (value as LoopKind) : refuse(name)

/** Reads a text that models are shown. */
const shown: Read<string> = (value, name) => cleanText(text(value, name), MAX_MESSAGE)

/** Reads a name, a call or a sentence: one line. */
const shownLine: Read<string> = (value, name) => cleanLine(text(value, name), MAX_LINE)

const oneOf =
  <T extends string>(words: readonly T[]): Read<T> =>
  (value, name) =>
    words.find((known) => known === value) ?? refuse(name)

const maybe =
  <T>(read: Read<T>): Read<T | null> =>
  (value, name) =>
    value === null ? null : read(value, name)

/** Reads an object property by property; without a name, it is the whole snapshot. */
const fields =
  <T>(readers: Readers<T>) =>
  (value: unknown, name?: string): T => {
    if (describe(value) !== 'an object') refuse(name as string)
    const read = Object.entries<Read<unknown>>(readers)
    const entries = read.map(([key, of]) => [key, of((value as Fields)[key], name ?? key)])
    return Object.fromEntries(entries) as T
  }

const list =
  <T>(read: Read<T>, most = LIMITS.values): Read<T[]> =>
  (value, name) =>
    Array.isArray(value) && value.length <= most
      ? value.map((item) => read(item, name))
      : refuse(name)

const text: Read<string> = (value, name) => (typeof value === 'string' ? value : refuse(name))

const flag: Read<boolean> = (value, name) => (typeof value === 'boolean' ? value : refuse(name))

const wholeNumber: Read<number> = (value, name) =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : refuse(name)

function refuse(name: string): never {
  throw new TypeError(`restore(snapshot): snapshot.${name} is damaged or missing`)
}
