/**
 * Decisions, as they leave the guard: frozen, and nearly always the same one.
 *
 * @module
 */

import type { Verdict } from '../types.js'
import { CONTINUE } from '../verdict.js'
import type { Decision } from './types.js'

/** For a detector whose texts were emptied: a refused call must have a result. */
const REFUSED = '[System] This call was not run: it repeats what was done before.'

/** The decision when nothing is wrong: one shared object. */
export const RUN: Decision = /* @__PURE__ */ Object.freeze({
  verdict: CONTINUE,
  run: true,
  reply: null,
})

export function decide(verdict: Verdict, run: boolean): Decision {
  if (verdict === CONTINUE && run) return RUN
  return Object.freeze({ verdict, run, reply: run ? null : verdict.message || REFUSED })
}
