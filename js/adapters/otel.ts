/**
 * loophound for OpenTelemetry: each verdict as an event on the active span, and a counter.
 *
 * @module
 */

import { metrics, trace } from '@opentelemetry/api'
import type { Action, Verdict, VerdictContext } from 'loophound'

/** What an attribute may hold. */
export type AttributeValue = string | number | boolean | readonly string[]

/** Options of {@link recordVerdicts}. Everything is optional. */
export interface RecordOptions {
  /**
   * Whether the event includes content: the repeated calls with their arguments, and the message to
   * the model. `false` if absent.
   */
  content?: boolean
  /** More attributes for the event, such as `gen_ai.conversation.id`. */
  attributes?: (
    verdict: Verdict,
    context: VerdictContext,
  ) => Readonly<Record<string, AttributeValue>>
}

/** The name for the result of an evaluation in the semantic conventions for generative AI. */
const EVENT = 'gen_ai.evaluation.result'

const COUNTER = 'loophound.interventions'

/**
 * Makes an `onVerdict` that records each verdict with OpenTelemetry: as an event
 * `gen_ai.evaluation.result` on the active span, and in the counter `loophound.interventions`.
 * Without a span or without an SDK nothing happens, and nothing fails.
 *
 * @example
 * ```ts
 * const generateText = withLoopGuard(ai.generateText, { onVerdict: recordVerdicts() })
 * ```
 */
export function recordVerdicts(
  options: RecordOptions = {},
): (verdict: Verdict, context: VerdictContext) => void {
  const { content = false, attributes } = options
  return (verdict, context) => {
    const event = eventAttributes(verdict, context, content)
    trace.getActiveSpan()?.addEvent(EVENT, { ...event, ...attributes?.(verdict, context) })
    // Created each time: verdicts are rare, and the SDK may be started later.
    const meter = metrics.getMeterProvider().getMeter('loophound')
    const counter = meter.createCounter(COUNTER, {
      description: 'Verdicts of loop detection that were not "continue".',
      unit: '{intervention}',
    })
    counter.add(1, metricAttributes(verdict, context))
  }
}

type Attributes = Record<string, AttributeValue>

/** How certain a loop is, from 0 to 1. */
const SCORES: Readonly<Record<Action, number>> = { continue: 0, nudge: 0.5, block: 0.75, stop: 1 }

function eventAttributes(verdict: Verdict, context: VerdictContext, content: boolean): Attributes {
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
    ...commonAttributes(verdict, context),
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

/** Returns attributes with few values each, because every combination is a separate time series. */
function metricAttributes(verdict: Verdict, context: VerdictContext): Attributes {
  return {
    ...commonAttributes(verdict, context),
    ...present('gen_ai.tool.name', context.tool ?? verdict.tool),
  }
}

function commonAttributes({ action, kind }: Verdict, { acted }: VerdictContext): Attributes {
  return {
    'loophound.action': action,
    ...present('loophound.kind', kind),
    'loophound.acted': acted,
  }
}

const present = (name: string, value: string | null): Attributes =>
  value === null ? {} : { [name]: value }
