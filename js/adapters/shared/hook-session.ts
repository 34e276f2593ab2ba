/**
 * Passes the events of an agent's hooks to a guard, for any host: a dialect converts the host's
 * input to these events, and these answers to the host's output.
 *
 * @module
 */

import {
  computeToolFingerprint,
  type LoopGuard,
  type TextChannel,
  type ToolResult,
} from 'loophound'
import { hashOf } from './hash.js'

/** What an agent did or is about to do, as a hook reports it. */
export type HookEvent =
  | CallEvent
  | ResultEvent
  /** All calls of a step, with their results, before the model is called again. */
  | { readonly type: 'batch'; readonly calls: readonly FinishedCall[] }
  /** The model is about to be called: the previous step is over. */
  | { readonly type: 'model' }
  | { readonly type: 'prompt'; readonly isAutomatic?: boolean }
  | { readonly type: 'text'; readonly text: string; readonly channel: TextChannel }
  /** The context was compacted; with a mark if it may be reported more than once. */
  | { readonly type: 'compacted'; readonly mark?: string }
  | { readonly type: 'reset' }
  /** The agent's turn is over; its last text, if known. */
  | { readonly type: 'end'; readonly text: string }

export interface CallEvent {
  readonly type: 'call'
  /** Absent if the host has no ids. */
  readonly id?: string | undefined
  readonly name: string
  readonly args: unknown
}

export interface ResultEvent {
  readonly type: 'result'
  readonly id?: string | undefined
  readonly name: string
  readonly args?: unknown
  readonly output: unknown
  readonly ok?: boolean | undefined
  /** Whether a batch repeats this result, if the host reports batches. */
  readonly isBatched?: boolean
}

/** A call in a batch. */
export interface FinishedCall {
  readonly id?: string | undefined
  readonly name: string
  readonly args: unknown
  /** Absent if it has none. */
  readonly result?: { readonly output: unknown; readonly ok?: boolean | undefined } | undefined
}

/** Which answers the host accepts to an event. A call can always be refused. */
export interface HookAbilities {
  readonly nudge?: boolean
  readonly stop?: boolean
}

/** The answer to the host. */
export type HookAnswer =
  | { readonly type: 'nothing' }
  /** For the model. */
  | { readonly type: 'nudge' | 'deny'; readonly text: string }
  /** For the user. */
  | { readonly type: 'stop'; readonly text: string }

/**
 * What is known about how the steps of a session end: plain data, to be kept with the guard's
 * snapshot. Not every host reports when a step ends; if it does not, the first call after a result
 * begins a step.
 */
export interface HookSteps {
  /** Whether the host ends the steps itself; absent until known. */
  hasBatches?: boolean
  /** Whether model calls are reported: then these end the steps. */
  hasModelCalls?: boolean
  /** Whether a call of the current step has its result. */
  isAnswered?: boolean
  /** Whether a call that began after that has its result, too. */
  isLateAnswered?: boolean
  /** The ids of the calls of the current step that were refused. */
  refused?: readonly string[]
  /** How many calls the current step has so far. */
  calls?: number
  /** The most calls that ran at once. */
  width?: number
  /** The failures of the current step, until its batch is reported. */
  failures?: readonly { readonly id: string; readonly output: string }[]
  /** The calls that have no result yet. */
  open?: readonly OpenCall[]
  /** The calls of the current step whose results were reported, if their batch may follow. */
  answered?: readonly OpenCall[]
  /** The ids of the calls of the current step that its batches had so far. */
  batched?: readonly string[]
  /** Whether calls are reported with ids. */
  hasIds?: boolean
  /** How many ids were made for calls that have none. */
  madeIds?: number
  /** The mark of the latest compaction. */
  compaction?: string
}

interface OpenCall {
  readonly id: string
  readonly name: string
  /** Equal for calls with the same arguments; a hash, since it is kept in files. */
  readonly key: string
  /** Whether it began after another call of its step had a result. */
  readonly isLate?: boolean
}

const NOTHING: HookAnswer = { type: 'nothing' }

/** More than a step has. */
const MAX_OPEN = 64
const MAX_FAILURES = 32
/** More equal calls than this are a loop even within one step. */
const MAX_WIDTH = 8
/** Enough characters of a failure to distinguish it from others. */
const MAX_FAILURE_LENGTH = 2000

/** Reports events to a guard, in order; returns the answer. */
export function answerEvents(
  guard: LoopGuard,
  events: readonly HookEvent[],
  steps: HookSteps,
  can: HookAbilities,
): HookAnswer {
  let answer = NOTHING
  for (const event of events) {
    const next = answerEvent(guard, event, steps, can)
    if (next !== NOTHING) answer = next
  }
  return answer
}

function answerEvent(
  guard: LoopGuard,
  event: HookEvent,
  steps: HookSteps,
  can: HookAbilities,
): HookAnswer {
  switch (event.type) {
    case 'call':
      return beginCall(guard, event, steps)
    case 'result':
      return endCall(guard, event, steps, can)
    case 'batch':
      return endBatch(guard, event.calls, steps, can)
    case 'model':
      steps.hasModelCalls = true
      steps.hasBatches = true
      leaveStep(steps)
      guard.endStep()
      return guard.beginStep() ? NOTHING : stop(guard, can)
    case 'prompt':
      leaveStep(steps)
      delete steps.failures
      // If a step was going on, it was interrupted.
      guard.endStep()
      // A stop only ends one run; this is the next one, whether or not a person started it.
      if (guard.stopped || !event.isAutomatic) guard.userMessage()
      return NOTHING
    case 'text':
      guard.pushText(event.text, event.channel)
      return NOTHING
    case 'compacted':
      if (event.mark === undefined || event.mark !== steps.compaction) guard.contextCompacted()
      if (event.mark !== undefined) steps.compaction = event.mark
      return NOTHING
    case 'reset':
      leaveStep(steps)
      delete steps.failures
      guard.reset()
      return NOTHING
    case 'end':
      leaveStep(steps)
      guard.endStep({ text: event.text })
      return guard.shouldStop ? stop(guard, can) : NOTHING
  }
}

/** Decides on a call. If the host does not end steps, a call after a result begins a step. */
function beginCall(guard: LoopGuard, { id, name, args }: CallEvent, steps: HookSteps): HookAnswer {
  const { calls = 0, width = 1, refused = [], open = [] } = steps
  // No result follows a refused call: the next call may be parallel to it. If it were taken for the
  // next step, the run could be stopped before the model has read the refusal.
  const isNext = refused.length > 0 && calls >= width && !refused.includes(id ?? '')
  // Parallel calls are reported by processes that overtake one another: a call may begin after the
  // first results. While a result is missing, the model is not called; but it may never come.
  const isComplete = steps.isAnswered && (open.length === 0 || steps.isLateAnswered)
  if ((isComplete || isNext) && !steps.hasBatches) {
    steps.hasBatches = false
    leaveStep(steps)
    guard.endStep()
  }
  if (id !== undefined) steps.hasIds = true
  steps.calls = (steps.calls ?? 0) + 1
  const isLate = steps.isAnswered ?? false
  const call = { id: id ?? makeId(steps), name, key: keyOf(name, args), ...(isLate && { isLate }) }
  const { run, reply } = guard.call({ id: call.id, name, args })
  if (run) {
    const others = (steps.open ?? []).filter((other) => other.id !== call.id)
    steps.open = [...others, call].slice(-MAX_OPEN)
    steps.width = Math.max(width, Math.min(steps.open.length, MAX_WIDTH))
    return NOTHING
  }
  steps.refused = [...(steps.refused ?? []), call.id].slice(-MAX_OPEN)
  return { type: 'deny', text: reply ?? '' }
}

/** Records a result; returns the answer, unless a batch will follow. */
function endCall(
  guard: LoopGuard,
  { id: given, name, args, output, ok, isBatched }: ResultEvent,
  steps: HookSteps,
  can: HookAbilities,
): HookAnswer {
  if (isBatched && steps.hasBatches) {
    // The batch has the results, too, but does not say which failed. Parallel calls may run
    // one after the other: if the first result were recorded now, an equal call would be
    // taken for the next step.
    if (ok === false)
      holdFailure(findCall(steps.open, given, name, args)?.id ?? given, output, steps)
    return NOTHING
  }
  const call = takeCall(steps, 'open', given, name, args)
  const id = call?.id ?? given
  if (isBatched && call) steps.answered = [...(steps.answered ?? []), call].slice(-MAX_OPEN)
  guard.result({ id, name, ok, output })
  steps.isAnswered = true
  if (call?.isLate) steps.isLateAnswered = true
  if (isBatched && steps.hasBatches !== false) return NOTHING
  // A stop waits for the results of the parallel calls.
  if (guard.stopped && steps.open?.length) return NOTHING
  return speak(guard, can)
}

/** Ends the step: every call has its result, and the model is about to be called again. */
function endBatch(
  guard: LoopGuard,
  finished: readonly FinishedCall[],
  steps: HookSteps,
  can: HookAbilities,
): HookAnswer {
  steps.hasBatches = true
  steps.isAnswered = false
  const calls = finished.map((call) => {
    const take = (list: 'open' | 'answered') => takeCall(steps, list, call.id, call.name, call.args)
    const known = take('open') ?? take('answered')
    if (!known && steps.hasModelCalls) beginUnreported(guard, call, steps)
    if (call.id !== undefined) steps.batched = [...(steps.batched ?? []), call.id].slice(-MAX_OPEN)
    return { ...call, id: known?.id ?? call.id }
  })
  const results = [
    ...takeFailures(steps),
    ...calls.flatMap(({ id, name, result }) => (result ? { id, name, ...result } : [])),
  ]
  // A host that reports model calls may report several batches of one step.
  if (steps.hasModelCalls) for (const result of results) guard.result(result)
  else {
    delete steps.answered
    delete steps.batched
    guard.endStep({ calls: calls.map(({ id, name, args }) => ({ id, name, args })), results })
    // The next step begins here, where it can still be prevented.
    guard.beginStep()
  }
  return speak(guard, can)
}

/**
 * Records a call that only the batch reports, as a tool that does not exist, or arguments that it does
 * not take. Not one that was refused, whose id may be another in the batch.
 */
function beginUnreported(
  guard: LoopGuard,
  { id, name, args }: FinishedCall,
  { refused, batched }: HookSteps,
): void {
  if (id !== undefined && !refused && !batched?.includes(id)) guard.call({ id, name, args })
}

function speak(guard: LoopGuard, can: HookAbilities): HookAnswer {
  if (guard.stopped) return stop(guard, can)
  // A nudge that cannot be given now waits.
  const text = can.nudge ? guard.takeNudge() : null
  return text === null ? NOTHING : { type: 'nudge', text }
}

/** Makes the answer for a stop. The text is for the user: what happened, not what to do instead. */
function stop({ outcome }: LoopGuard, can: HookAbilities): HookAnswer {
  if (!can.stop) return NOTHING
  return { type: 'stop', text: outcome.summary ?? 'loophound: the agent is stuck in a loop.' }
}

function leaveStep(steps: HookSteps): void {
  steps.isAnswered = false
  delete steps.isLateAnswered
  delete steps.refused
  delete steps.calls
  delete steps.open
  delete steps.answered
  delete steps.batched
}

function holdFailure(id: string | undefined, output: unknown, steps: HookSteps): void {
  if (id === undefined) return
  const failure = { id, output: String(output).slice(0, MAX_FAILURE_LENGTH) }
  steps.failures = [...(steps.failures ?? []), failure].slice(-MAX_FAILURES)
}

function takeFailures(steps: HookSteps): readonly ToolResult[] {
  const { failures = [] } = steps
  delete steps.failures
  return failures.map(({ id, output }) => ({ id, output, ok: false }))
}

function makeId(steps: HookSteps): string {
  steps.madeIds = (steps.madeIds ?? 0) + 1
  return `hook-${steps.madeIds}`
}

/**
 * Finds the call that a result belongs to: by its id or, if the host has no ids or different ones
 * for each event, the oldest call with the same arguments, or else with the same name.
 */
function findCall(
  calls: readonly OpenCall[] = [],
  id: string | undefined,
  name: string,
  args: unknown,
): OpenCall | undefined {
  const known = calls.find((call) => call.id === id)
  if (known || calls.length === 0) return known
  const key = keyOf(name, args)
  return (
    calls.find((call) => call.key === key) ??
    (id === undefined ? calls.find((call) => call.name === name) : undefined)
  )
}

/** Finds a call as {@link findCall} does, and removes it from its list. */
function takeCall(
  steps: HookSteps,
  list: 'open' | 'answered',
  id: string | undefined,
  name: string,
  args: unknown,
): OpenCall | undefined {
  const found = findCall(steps[list], id, name, args)
  if (found) steps[list] = (steps[list] ?? []).filter((call) => call !== found)
  return found
}

function keyOf(name: string, args: unknown): string {
  try {
    return hashOf(computeToolFingerprint(name, args))
  } catch {
    // Arguments that cannot be compared; the guard reports them.
    return hashOf(name)
  }
}
