import { trace } from '@opentelemetry/api'
import { LoopGuard } from 'loophound'
import { recordVerdicts } from 'loophound/otel'

const tracer = trace.getTracer('my-agent')

/** A run of an agent, as a span. Each verdict is an event on that span. */
export function runAgent(
  conversation: string,
  step: (guard: LoopGuard) => Promise<boolean>,
): Promise<string> {
  return tracer.startActiveSpan('invoke_agent my-agent', async (span) => {
    span.setAttribute('gen_ai.operation.name', 'invoke_agent')
    span.setAttribute('gen_ai.conversation.id', conversation)
    const guard = new LoopGuard({
      id: conversation,
      onVerdict: recordVerdicts(),
    })
    try {
      while (guard.beginStep()) {
        const goesOn = await step(guard)
        if (guard.endStep() || !goesOn) break
      }
      return guard.outcome.summary ?? 'Done.'
    } finally {
      span.end()
    }
  })
}
