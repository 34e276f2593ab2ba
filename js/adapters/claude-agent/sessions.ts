/**
 * Keeps a guard for each session and each subagent in it.
 *
 * @module
 */

import {
  type GuardOptions,
  GuardPool,
  type LoopDetector,
  LoopGuard,
  type PoolOptions,
} from 'loophound'
import { type GuardSource, isGuard } from '../shared/guards.js'
import type { HookSession } from './types.js'

/**
 * Returns the function that returns the guard for a session.
 *
 * @throws TypeError or RangeError for options that a guard would refuse.
 */
export function sessionsFrom(
  source: GuardSource<HookSession> | undefined,
): (session: HookSession) => LoopGuard {
  if (typeof source === 'function') return source
  if (isGuard(source)) return () => source
  if (typeof source === 'object' && isDetector(source.detector)) {
    // A detector is the memory of one run: all sessions share one guard.
    const guard = new LoopGuard(source)
    return () => guard
  }
  const guards = new GuardPool(typeof source === 'object' ? poolOptions(source) : source)
  return ({ sessionId, agentId }) =>
    guards.for(agentId === null ? sessionId : `${sessionId}/${agentId}`)
}

/** Leaves out the id: guards are named after their sessions. */
function poolOptions({ id: _, ...options }: GuardOptions): PoolOptions {
  return options as PoolOptions
}

function isDetector(value: GuardOptions['detector']): value is LoopDetector {
  return typeof (value as Partial<LoopDetector> | undefined)?.record === 'function'
}
