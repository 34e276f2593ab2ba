// A loop written by hand, in spans of the real SDK, which keeps them in memory.
import assert from 'node:assert/strict'
import { context, metrics, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { LoopGuard } from 'loophound'
import { recordVerdicts } from 'loophound/otel'
import { LADDER } from '../scenario/options.mjs'
import { guardOf } from '../scenario/runs.mjs'
import { always, call } from '../scenario/turns.mjs'

const spans = new InMemorySpanExporter()
const measured = new InMemoryMetricExporter(AggregationTemporality.DELTA)
const reader = new PeriodicExportingMetricReader({
  exporter: measured,
  exportIntervalMillis: 3_600_000,
})

/** Before the SDK is started there is nothing to record with, and nothing may fail. */
const early = repeat({ detector: LADDER, onVerdict: recordVerdicts() })

context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
trace.setGlobalTracerProvider(
  new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }),
)
metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }))
const tracer = trace.getTracer('test')

const inSpan = (name, run) =>
  tracer.startActiveSpan(name, async (span) => {
    try {
      return await run()
    } finally {
      span.end()
    }
  })

const eventsOf = (name) =>
  spans
    .getFinishedSpans()
    .filter((span) => span.name === name)
    .flatMap(({ events }) => events)

/** Repeats a call until it is stopped. */
function repeat(options) {
  const errors = []
  const guard = new LoopGuard({ ...options, onError: (error) => errors.push(error) })
  for (let n = 0; n < 5; n++) {
    guard.call({ id: `call_${n}`, name: 'read', args: { path: 'secret.txt' } })
    guard.endStep()
  }
  return { errors, stopped: guard.stopped?.action }
}

/** The same in a span of that name; gives back what was recorded on it. */
async function loopIn(name, options) {
  spans.reset()
  const { errors } = await inSpan(name, async () => repeat(options))
  assert.deepEqual(errors, [])
  return eventsOf(name)
}

/** What was counted since the last time. */
async function counted() {
  measured.reset()
  await reader.forceFlush()
  const all = measured.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics)
  return all
    .flatMap((scope) => scope.metrics)
    .filter((one) => /loophound/.test(one.descriptor.name))
}

export const driver = {
  lacks: {
    stream: 'it only records verdicts',
    hooks: 'it only records verdicts',
    chant: 'it only records verdicts',
  },

  make({ guard: options, tools, quiet = false, maxSteps = 12 }) {
    spans.reset()
    return {
      async run({ turns, resume }) {
        const record = recordVerdicts()
        const onVerdict = (verdict, about) => {
          record(verdict, about)
          options.onVerdict?.(verdict, about)
        }
        const guard = guardOf(options && { ...options, onVerdict }, resume)
        const prompts = []
        const messages = resume?.messages ?? [{ role: 'user', content: 'go' }]
        await inSpan('invoke_agent', async () => {
          for (let step = 0; step < maxSteps && (guard?.beginStep() ?? true); step++) {
            const nudge = guard?.takeNudge()
            if (nudge) messages.push({ role: 'user', content: nudge })
            const { calls, text } = turns(step)
            prompts.push(quiet ? '' : JSON.stringify(messages))
            messages.push({ role: 'assistant', text, calls })
            const results = await Promise.all(calls.map((one) => runCall(one, tools, guard)))
            if (calls.length > 0) messages.push({ role: 'tool', results })
            if (guard?.endStep() || calls.length === 0) break
          }
        })
        return { prompts, messages, saved: guard && { messages, guard } }
      },
    }
  },

  async example() {
    const { runAgent } = await import('../examples/otel.mjs')
    spans.reset()
    let n = 0
    const looping = async (guard) => {
      const id = `call_${n++}`
      if (guard.call({ id, name: 'read', args: { path: 'a.txt' } }).run) {
        guard.result({ id, output: 'the same' })
      }
      return true
    }
    assert.notEqual(await runAgent('talk-7', looping), 'Done.')
    assert.ok(n > 2 && n < 20, `${n} calls`)
    const last = eventsOf('invoke_agent my-agent').at(-1)
    assert.equal(last.attributes['loophound.action'], 'stop')
    assert.equal(last.attributes['loophound.guard.id'], 'talk-7')
    assert.equal(await runAgent('talk-8', async () => false), 'Done.')
  },

  checks: [
    {
      id: 'without an SDK and without a span nothing fails',
      async run() {
        const fine = { errors: [], stopped: 'stop' }
        assert.deepEqual(early, fine)
        assert.deepEqual(repeat({ detector: LADDER, onVerdict: recordVerdicts() }), fine)
      },
    },
    {
      id: 'each verdict is an event on the active span, without raw arguments',
      async run() {
        const events = await loopIn('a', { detector: LADDER, onVerdict: recordVerdicts() })
        assert.deepEqual(
          events.map(({ name, attributes }) => [name, attributes['gen_ai.evaluation.score.label']]),
          ['nudge', 'block', 'stop'].map((label) => ['gen_ai.evaluation.result', label]),
        )
        assert.deepEqual(events[2].attributes, {
          'gen_ai.evaluation.name': 'loop_detection',
          'gen_ai.evaluation.score.label': 'stop',
          'gen_ai.evaluation.score.value': 1,
          'gen_ai.evaluation.explanation': 'exact-repeat: read, 5 times',
          'gen_ai.tool.name': 'read',
          'gen_ai.tool.call.id': 'call_4',
          'error.type': 'loop_detected',
          'loophound.action': 'stop',
          'loophound.kind': 'exact-repeat',
          'loophound.acted': true,
          'loophound.level': 'critical',
          'loophound.count': 5,
          'loophound.period': 1,
          'loophound.wasted': events[2].attributes['loophound.wasted'],
          'loophound.on': 'call',
        })
        assert.ok(!JSON.stringify(events).includes('secret'))
      },
    },
    {
      id: 'content and attributes of your own, where they are asked for',
      async run() {
        const attributes = (_, { guard }) => ({ 'gen_ai.conversation.id': guard.id })
        const onVerdict = recordVerdicts({ content: true, attributes })
        const [event] = await loopIn('b', { detector: LADDER, id: 'talk-1', onVerdict })
        assert.deepEqual(event.attributes['loophound.pattern'], ['read({"path":"secret.txt"})'])
        assert.equal(event.attributes['loophound.message'], 'NUDGE 3')
        assert.equal(event.attributes['gen_ai.conversation.id'], 'talk-1')
      },
    },
    {
      id: 'verdicts are counted',
      async run() {
        await counted()
        await loopIn('c', { detector: LADDER, onVerdict: recordVerdicts() })
        await loopIn('c', { detector: LADDER, mode: 'observe', onVerdict: recordVerdicts() })
        const [metric, ...others] = await counted()
        assert.deepEqual(others, [])
        assert.equal(metric.descriptor.name, 'loophound.interventions')
        assert.equal(metric.descriptor.unit, '{intervention}')
        const points = metric.dataPoints.map(({ value, attributes }) => ({
          value,
          ...attributes,
        }))
        const point = (action, acted) => ({
          value: 1,
          'loophound.action': action,
          'loophound.kind': 'exact-repeat',
          'loophound.acted': acted,
          'gen_ai.tool.name': 'read',
        })
        const actions = ['nudge', 'block', 'stop']
        assert.deepEqual(points, [
          ...actions.map((action) => point(action, true)),
          ...actions.map((action) => point(action, false)),
        ])
      },
    },
    {
      id: 'runs at the same time record on their own spans',
      async run() {
        const tools = { read: async () => 'x' }
        const agent = driver.make({ guard: { detector: LADDER }, tools })
        const turns = always(call('read'))
        await Promise.all([1, 2].map(() => agent.run({ turns })))
        const counts = spans.getFinishedSpans().map(({ events }) => events.length)
        assert.deepEqual(counts, [3, 3])
      },
    },
  ],
}

async function runCall({ id, name, args }, tools, guard) {
  const { run, reply } = guard?.call({ id, name, args }) ?? { run: true }
  if (!run) return reply
  try {
    const output = await tools[name](args)
    guard?.result({ id, ok: true, output })
    return output
  } catch (error) {
    const output = `${error.name}: ${error.message}`
    guard?.result({ id, ok: false, output })
    return output
  }
}
