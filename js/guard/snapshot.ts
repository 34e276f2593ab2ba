/**
 * Writes a guard's memory as plain JSON, and reads it back.
 *
 * @module
 */

import { describe } from '../input/check.js'
import { cleanLine, cleanText } from '../input/clean.js'
import { copyPlain } from '../input/plain-data.js'
import type { LoopKind, Snapshot, TextLoopDetails, Verdict } from '../types.js'
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
    isFinished: flag(data.isFinished, 'isFinished'),
    turns: wholeNumber(data.turns, 'turns'),
    hadVerdict: flag(data.hadVerdict, 'hadVerdict'),
    stopped: maybe(data.stopped, (value) => verdictOf(value, 'stopped')),
    nudge: maybe(data.nudge, (value) => verdictOf(value, 'nudge')),
    delivered: maybe(data.delivered, (value) => shown(value, 'delivered')),
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
    id: maybe(id, bounded),
    name: bounded(name),
    key: bounded(key),
    number: wholeNumber(number, 'calls'),
    state: STATES[wholeNumber(state, 'calls')] ?? refuse('calls'),
    decision: decision(verdict === undefined ? CONTINUE : verdictOf(verdict, 'calls'), run === 1),
  }
}

/** Reads what identifies a call: it is compared, so it is not cleaned. */
const bounded = (value: unknown): string => text(value, 'calls').slice(0, MAX_MESSAGE)

type Fields = Readonly<Record<string, unknown>>

/** Longer than any built-in text, in characters; texts of hosts may be long. */
const MAX_MESSAGE = 16_384
const MAX_LINE = 1024
const MAX_PATTERN = 2_000

/** Reads a verdict field by field; checks and cleans what a model may read later. */
function verdictOf(value: unknown, name: string): Verdict {
  const fields = fieldsOf(value, name)
  const action = word(fields.action, ACTIONS, name)
  if (action === 'continue') return CONTINUE
  const lines = list(fields.pattern, name)
  if (lines.length > MAX_PATTERN) refuse(name)
  return freezeVerdict({
    action,
    level: word(fields.level, LEVELS, name),
    kind: kindOf(fields.kind, name),
    status: word(fields.status, ['OK', 'LOOP_DETECTED'] as const, name),
    tool: maybe(fields.tool, (tool) => shownLine(tool, name)),
    count: wholeNumber(fields.count, name),
    period: wholeNumber(fields.period, name),
    pattern: lines.map((line) => shownLine(line, name)),
    calls: list(fields.calls, name)
      .slice(0, MAX_PATTERN)
      .map((call) => wholeNumber(call, name)),
    since: fields.since === -1 ? -1 : wholeNumber(fields.since, name),
    wasted: wholeNumber(fields.wasted, name),
    message: shown(fields.message, name),
    summary: shownLine(fields.summary, name),
    details: maybe(fields.details, (details) => detailsOf(details, name)),
  })
}

function detailsOf(value: unknown, name: string): TextLoopDetails {
  const { channel, since, unit, repeats, wasted } = fieldsOf(value, name)
  return {
    channel: word(channel, ['text', 'reasoning', 'arguments'] as const, name),
    since: wholeNumber(since, name),
    unit: shownLine(unit, name),
    repeats: wholeNumber(repeats, name),
    wasted: wholeNumber(wasted, name),
  }
}

/** Reads the name of a pattern; unknown names are accepted, because a later release may add some. */
const kindOf = (value: unknown, name: string): LoopKind =>
  /^[a-z-]{1,32}$/.test(text(value, name)) ? (value as LoopKind) : refuse(name)

/** Reads a text that models are shown. */
const shown = (value: unknown, name: string): string => cleanText(text(value, name), MAX_MESSAGE)

/** Reads a name, a call or a sentence: one line. */
const shownLine = (value: unknown, name: string): string => cleanLine(text(value, name), MAX_LINE)

const word = <T extends string>(value: unknown, words: readonly T[], name: string): T =>
  words.find((known) => known === value) ?? refuse(name)

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
