/**
 * A verdict as attributes. What the conventions for generative AI have a name for is named so.
 *
 * @module
 */

import type { Action, Verdict, VerdictContext } from 'loophound'

/** What an attribute may hold. */
export type AttributeValue = string | number | boolean | readonly string[]

type Attributes = Record<string, AttributeValue>

/** How sure a loop is, from 0 to 1. */
const SCORES: Readonly<Record<Action, number>> = { continue: 0, nudge: 0.5, block: 0.75, stop: 1 }

export function eventAttributes(
  verdict: Verdict,
  context: VerdictContext,
  content: boolean,
): Attributes {
  const { action, kind, count } = verdict
  const tool = context.tool ?? verdict.tool
  return {
    'gen_ai.evaluation.name': 'loop_detection',
    'gen_ai.evaluation.score.label': action,
    'gen_ai.evaluation.score.value': SCORES[action],
    'gen_ai.evaluation.explanation': `${kind}: ${tool ?? 'text'}, ${count} times`,
    ...present('gen_ai.tool.name', tool),
    ...present('gen_ai.tool.call.id', context.id),
    ...(action === 'stop' ? { 'error.type': 'loop_detected' } : {}),
    ...own(verdict, context),
    'loophound.level': verdict.level,
    'loophound.count': count,
    'loophound.period': verdict.period,
    'loophound.wasted': verdict.wasted,
    'loophound.on': context.on,
    ...present('loophound.guard.id', context.guard.id),
    ...(content ? { 'loophound.pattern': [...verdict.pattern] } : {}),
    ...(content ? present('loophound.message', verdict.message) : {}),
  }
}

/** Few values each: every combination is a series of its own. */
export function metricAttributes(verdict: Verdict, context: VerdictContext): Attributes {
  return {
    ...own(verdict, context),
    ...present('gen_ai.tool.name', context.tool ?? verdict.tool),
  }
}

function own({ action, kind }: Verdict, { acted }: VerdictContext): Attributes {
  return {
    'loophound.action': action,
    ...present('loophound.kind', kind),
    'loophound.acted': acted,
  }
}

const present = (name: string, value: string | null): Attributes =>
  value === null ? {} : { [name]: value }
