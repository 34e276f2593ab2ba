/**
 * loophound for pi: an extension that ends loops.
 *
 * pi is not imported.
 *
 * @module
 */

import type { LoopGuard, Verdict } from 'loophound'
import { contentOf } from './pi/step.js'
import type { PiContext, PiExtensionApi, PiSession, TurnEnd, TurnEndResult } from './pi/types.js'
import type { GuardSource } from './shared/guards.js'
import { keyedGuards } from './shared/keyed-guards.js'

export type { PiExtensionApi, PiSession } from './pi/types.js'
export type { GuardSource } from './shared/guards.js'

/** The type of the entries that the extension adds to a session. */
const ENTRY = 'loophound'

/**
 * The extension. A repeated call is first answered with a nudge (a message after the results, which
 * the session shows), then refused (the model gets the reason as the call's result), and finally
 * the run is ended after the turn, with a notice that says why. Text that repeats itself as it
 * streams ends the run as well. Each session has its own guard. A message from a person resets the
 * guard.
 *
 * @param pi What pi gives to extensions.
 * @param guard A preset, options, a guard, or a function that returns the guard for a session.
 * @throws TypeError or RangeError for options that a guard would refuse.
 *
 * @example `.pi/extensions/loophound.ts`
 * ```ts
 * export { loopGuardExtension as default } from 'loophound/pi'
 * ```
 */
export function loopGuardExtension(pi: PiExtensionApi, guard?: GuardSource<PiSession>): void {
  const guardOf = keyedGuards(guard, ({ sessionId }: PiSession) => sessionId)
  const guardIn = ({ sessionManager }: PiContext) =>
    guardOf({ sessionId: sessionManager.getSessionId() })
  pi.on('input', ({ source }, ctx) => {
    const own = guardIn(ctx)
    // A stop only ends one run; this is the next one, whether or not a person started it.
    if (source !== 'extension' || own.stopped) own.userMessage()
  })
  pi.on('turn_start', (_, ctx) => {
    const own = guardIn(ctx)
    if (!own.beginStep()) stop(own, ctx)
  })
  pi.on('tool_call', ({ toolCallId: id, toolName: name, input: args, parentToolCallId }, ctx) => {
    // A call of a script: the model called the script, whose calls are not its decisions.
    if (parentToolCallId !== undefined) return undefined
    const own = guardIn(ctx)
    const { reply } = own.call({ id, name, args })
    if (reply === null) return undefined
    return { block: true, reason: reply, terminate: own.stopped !== null }
  })
  pi.on('message_update', ({ assistantMessageEvent: { type, delta } }, ctx) => {
    if (typeof delta !== 'string' || ctx.signal?.aborted) return
    const own = guardIn(ctx)
    const isCut =
      (type === 'text_delta' && own.pushText(delta)) ||
      (type === 'thinking_delta' && own.pushText(delta, 'reasoning'))
    if (isCut) stop(own, ctx)
  })
  pi.on('turn_end', (turn, ctx) => endTurn(guardIn(ctx), turn, ctx))
  pi.on('session_compact', (_, ctx) => guardIn(ctx).contextCompacted())
}

/** Ends the step: every call has its result. The next one begins here, where it can be prevented. */
function endTurn(guard: LoopGuard, turn: TurnEnd, ctx: PiContext): TurnEndResult | undefined {
  const isLast = turn.toolResults.length === 0
  if (guard.endStep(contentOf(turn))) {
    if (!stop(guard, ctx)) return undefined
    const entry = { type: 'custom', customType: ENTRY, data: { ...guard.outcome } } as const
    return { entries: [...turn.entries, entry] }
  }
  // If the run is over, there is no model call for the nudge.
  const content = isLast ? null : guard.takeNudge()
  if (content === null) return undefined
  const entry = { type: 'custom_message', customType: ENTRY, content, display: true } as const
  return { entries: [...turn.entries, entry] }
}

/**
 * The verdicts that were shown to the user: where a turn had other calls than refused ones, pi ends
 * the run with one more turn, which is aborted.
 */
const shownVerdicts = new WeakSet<Verdict>()

/** Ends the run, and tells the user why; returns whether the user had not been told yet. */
function stop(guard: LoopGuard, ctx: PiContext): boolean {
  const verdict = guard.stopped ?? guard.detector.verdict
  const isNew = !shownVerdicts.has(verdict)
  shownVerdicts.add(verdict)
  if (isNew && verdict.summary !== null) ctx.ui.notify(verdict.summary, 'warning')
  ctx.abort()
  return isNew
}
