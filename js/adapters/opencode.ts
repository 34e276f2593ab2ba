/**
 * loophound for opencode and Kilo: a plugin that ends loops.
 *
 * Nothing of either is imported.
 *
 * @module
 */

import { Run } from './opencode/run.js'
import type {
  EventProperties,
  OpencodeClient,
  OpencodeEvent,
  OpencodeHooks,
  OpencodeInput,
  OpencodeMessage,
  OpencodeSession,
  UserInfo,
} from './opencode/types.js'
import type { GuardSource } from './shared/guards.js'
import { keyedGuards } from './shared/keyed-guards.js'

export type { OpencodeHooks, OpencodeInput, OpencodeSession } from './opencode/types.js'
export type { GuardSource } from './shared/guards.js'

/**
 * The plugin. A repeated call is first answered with a nudge (a user message at the end of the next
 * request, which is not stored), then refused (the model gets the reason as the call's error), and
 * finally the run is aborted after the step, with a message in the session that tells the user why.
 * Text that streams in circles ends the run as well. Each session has a guard of its own, also that
 * of a subagent. A person who writes starts over.
 *
 * @param input What opencode gives to plugins.
 * @param guard A preset, options, a guard, or a function that returns the guard for a session.
 * @throws TypeError or RangeError for options that a guard would refuse.
 *
 * @example `.opencode/plugins/loophound.ts`
 * ```ts
 * export { loopGuardPlugin } from 'loophound/opencode'
 * ```
 */
export async function loopGuardPlugin(
  { client }: OpencodeInput,
  guard?: GuardSource<OpencodeSession>,
): Promise<OpencodeHooks> {
  const guardOf = keyedGuards(guard, ({ sessionId }: OpencodeSession) => sessionId)
  /** The sessions that are at work. */
  const runs = new Map<string, Run>()
  const runOf = (sessionId: string): Run => {
    const run = runs.get(sessionId) ?? new Run(guardOf({ sessionId }))
    runs.set(sessionId, run)
    return run
  }
  return {
    async 'chat.message'({ sessionID }, { parts }) {
      const texts = parts.filter(({ type, ignored }) => type !== 'text' || !ignored)
      // A notice, such as ours; no model will see it.
      if (texts.length === 0) return
      const own = guardOf({ sessionId: sessionID })
      // A stop ends one run, and this is the next one, whether or not a person started it.
      if (own.stopped || texts.some(({ synthetic }) => !synthetic)) own.userMessage()
    },
    async 'tool.execute.before'({ tool: name, sessionID, callID: id }, { args }) {
      const { reply } = runOf(sessionID).guard.call({ id, name, args })
      if (reply !== null) throw new Error(reply)
    },
    async 'experimental.session.compacting'({ sessionID }) {
      runOf(sessionID).isCompacting = true
    },
    async 'experimental.chat.messages.transform'(_, { messages }) {
      const last = messages.findLast(isFromUser)
      if (!last) return
      const run = runOf(last.info.sessionID)
      const { mustStop, nudge } = run.beginStep(messages, last.info)
      if (mustStop) await stop(run, client)
      else if (nudge !== null) messages.push(messageLike(last, nudge))
    },
    async 'experimental.text.complete'({ sessionID }, { text }) {
      runs.get(sessionID)?.addText(text)
    },
    async event({ event }) {
      const sessionId = sessionIn(event)
      if (sessionId === undefined) return
      if (event.type === 'session.compacted') guardOf({ sessionId }).contextCompacted()
      const run = runs.get(sessionId)
      if (!run) return
      if (event.type === 'session.idle') {
        run.end()
        runs.delete(sessionId)
      } else if (run.hear(event)) await stop(run, client)
    },
  }
}

const isFromUser = (message: OpencodeMessage): message is OpencodeMessage<UserInfo> =>
  message.info.role === 'user'

/** Returns a message of the user's that says something else. */
function messageLike({ info }: OpencodeMessage<UserInfo>, text: string): OpencodeMessage {
  const { sessionID, id } = info
  const part = { id: `${id}_loophound`, sessionID, messageID: id, type: 'text', text } as const
  return { info, parts: [{ ...part, synthetic: true }] }
}

/**
 * Ends the run, and tells the user why: in the session, in a message that no model sees. opencode
 * waits for no event hook, so nothing may be thrown there; if its server fails, calls are refused.
 */
async function stop({ guard, user }: Run, { session }: OpencodeClient): Promise<void> {
  if (!user) return
  const { sessionID: id, agent, model } = user
  const { summary } = guard.stopped ?? guard.detector.verdict
  const text = summary ?? 'The run was stopped.'
  const parts = [{ type: 'text' as const, text, ignored: true }]
  try {
    await session.abort({ path: { id } })
    await session.prompt({ path: { id }, body: { noReply: true, agent, model, parts } })
  } catch {}
}

function sessionIn(event: OpencodeEvent): string | undefined {
  const { sessionID, part }: EventProperties = event.properties ?? {}
  return sessionID ?? part?.sessionID
}
