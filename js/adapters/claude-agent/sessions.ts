/**
 * Keeps a guard for each session and each subagent in it.
 *
 * @module
 */

import type { LoopGuard } from 'loophound'
import type { GuardSource } from '../shared/guards.js'
import { keyedGuards } from '../shared/keyed-guards.js'
import type { HookSession } from './types.js'

/**
 * Returns the function that returns the guard for a session.
 *
 * @throws TypeError or RangeError for options that a guard would refuse.
 */
export function sessionsFrom(
  source: GuardSource<HookSession> | undefined,
): (session: HookSession) => LoopGuard {
  return keyedGuards(source, ({ sessionId, agentId }) =>
    agentId === null ? sessionId : `${sessionId}/${agentId}`,
  )
}
