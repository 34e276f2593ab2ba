/**
 * loophound for OpenTelemetry: each verdict as an event on the active span, and a counter.
 *
 * @module
 */

import { metrics, trace } from '@opentelemetry/api'
import type { Verdict, VerdictContext } from 'loophound'
import { type AttributeValue, eventAttributes, metricAttributes } from './otel/attributes.js'

export type { AttributeValue } from './otel/attributes.js'

/** How verdicts are recorded. Everything is optional. */
export interface RecordOptions {
  /**
   * Whether the event has what the agent did, word for word: the repeated calls with their
   * arguments, and the message to the model. `false` if absent.
   */
  content?: boolean
  /** More attributes for the event, such as `gen_ai.conversation.id`. */
  attributes?: (
    verdict: Verdict,
    context: VerdictContext,
  ) => Readonly<Record<string, AttributeValue>>
}

/** Named as the semantic conventions for generative AI name the result of an evaluation. */
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
    // Asked for each time: verdicts are rare, and the SDK may be started later than this.
    const meter = metrics.getMeterProvider().getMeter('loophound')
    const counter = meter.createCounter(COUNTER, {
      description: 'Verdicts of loop detection that were not "continue".',
      unit: '{intervention}',
    })
    counter.add(1, metricAttributes(verdict, context))
  }
}
