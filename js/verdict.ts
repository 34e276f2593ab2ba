/**
 * Verdicts as callers get them: frozen, and almost always the same object.
 *
 * @module
 */

import type { Action, Level, Verdict } from './types.js'

/**
 * The verdict when nothing is wrong: one shared object, so that the common case allocates nothing.
 */
export const CONTINUE: Verdict = /* @__PURE__ */ Object.freeze({
  action: 'continue',
  level: 'none',
  kind: null,
  status: 'OK',
  tool: null,
  count: 0,
  period: 0,
  pattern: /* @__PURE__ */ Object.freeze([]),
  calls: /* @__PURE__ */ Object.freeze([]),
  since: -1,
  wasted: 0,
  message: null,
  summary: null,
  details: null,
} satisfies Verdict)

/** Freezes a verdict from the engine. */
export function freezeVerdict(details: Verdict): Verdict {
  if (details.action === 'continue') return CONTINUE
  Object.freeze(details.pattern)
  Object.freeze(details.calls)
  Object.freeze(details.details)
  return Object.freeze(details)
}

/** All actions, from mildest to most severe. */
export const ACTIONS: readonly Action[] = ['continue', 'nudge', 'block', 'stop']

/** All levels, from mildest to most severe. */
export const LEVELS: readonly Level[] = ['none', 'notice', 'warning', 'critical']

/** Ranks a verdict, first by action, then by level. */
export function severity(verdict: Verdict): number {
  return ACTIONS.indexOf(verdict.action) * LEVELS.length + LEVELS.indexOf(verdict.level)
}
