/**
 * Reads OpenTelemetry traces of agents, in the dialects of the GenAI conventions, OpenInference,
 * the AI SDK and Traceloop. Tool spans are calls; where there are none, calls are taken from the
 * messages of model spans. A trace is held in memory until its end, because spans come in any
 * order.
 *
 * @module
 */

import { asFields, type Fields, listOf, outputOf, parsed, wordOf } from './data.js'
import { GenerationReader, holdsResults } from './generations.js'
import { holdsSpans, type Span, spansIn } from './otel-spans.js'
import { type RawEvent, usageOf } from './raw-event.js'
import { objectsIn, type ReadLog, type TranscriptReader } from './reader.js'
import { inTimeOrder, Tree } from './trace.js'

/** The reader of OpenTelemetry traces. */
export const otelReader: TranscriptReader = {
  name: 'otel',
  describes: 'otel (`resourceSpans` of OTLP JSON, spans of a console exporter, or a Jaeger trace)',
  keys: ['resourceSpans', 'scopeSpans', 'spans'],
  matches: (head) => head.some(holdsSpans),
  *read(records, log) {
    const spans: Span[] = []
    for (const record of objectsIn(records, log)) spans.push(...spansIn(record))
    const tree = new Tree(
      spans,
      ({ id }) => id,
      ({ parent }) => parent,
    )
    const agents = new Agents(spans, tree)
    agents.describe(log)
    // Calls in messages count only if the results are there as well: otherwise it is
    // unknown whether they ran.
    const hasResults = spans.some((span) => holdsResults(messagesIn(span, 'input')))
    const hasTools = spans.some(isTool) || !hasResults
    const hasUsage = (span: Span) =>
      !/^(?:embeddings?|reranker|retriever)$/.test(spanKind(span)) &&
      usageIn(span.attributes) !== undefined
    const isOuter = tree.above(hasUsage)
    const readers = new Map<string | undefined, GenerationReader>()
    yield* inTimeOrder(
      spans,
      ({ start }) => start,
      (span) => {
        const agent = agents.of(span)
        if (isTool(span)) return readTool(span, agent)
        const isModel = hasUsage(span) || messagesIn(span, 'output') !== undefined
        if (!isModel || isOuter(span)) {
          log.skip(`span ${spanKind(span) || 'without a known kind'}`)
          return []
        }
        const reader = readers.get(agent) ?? new GenerationReader(log, hasTools)
        readers.set(agent, reader)
        return reader.read(generationOf(span, agent))
      },
    )
  },
}

/** Returns the kind of a span, in any dialect. */
function spanKind({ attributes, name }: Span): string {
  const kind =
    attributes['gen_ai.operation.name'] ??
    attributes['openinference.span.kind'] ??
    attributes['traceloop.span.kind'] ??
    attributes['mlflow.spanType'] ??
    (isNamedTool(attributes) || /^ai\.toolCall/.test(name) ? 'tool' : '')
  return wordOf(parsed(kind)).toLowerCase()
}

/** Some instrumentations name the tool and say no more. */
function isNamedTool(of: Fields): boolean {
  return of['gen_ai.tool.name'] !== undefined && of['gen_ai.request.model'] === undefined
}

function isTool(span: Span): boolean {
  return /^(?:execute_tool|tool)$/.test(spanKind(span))
}

function isAgent(span: Span): boolean {
  return /^(?:invoke_agent|agent)$/.test(spanKind(span))
}

/** Finds the agent that each span belongs to: the nearest agent span above it. */
class Agents {
  readonly #spans: readonly Span[]
  readonly #above: (span: Span) => Span | undefined
  readonly #toolOrAgentAbove: (span: Span) => Span | undefined
  /** The main thread. Events outside of any agent belong to it. */
  readonly #main: Span | undefined

  constructor(spans: readonly Span[], tree: Tree<Span>) {
    this.#spans = spans.filter(isAgent)
    this.#above = tree.nearest(isAgent)
    this.#toolOrAgentAbove = tree.nearest((span) => isTool(span) || isAgent(span))
    this.#main = this.#spans.find((span) => this.#above(span) === undefined)
  }

  of(span: Span): string | undefined {
    return this.#idOf(this.#above(span) ?? this.#main)
  }

  /** Records names, parents and the calls that started sub-agents. */
  describe(log: ReadLog): void {
    for (const span of this.#spans) {
      const parent = this.#above(span)
      const call = this.#toolOrAgentAbove(span)
      log.agent(this.#idOf(span) ?? '', {
        name: wordOf(span.attributes['gen_ai.agent.name'] ?? span.name),
        parent: parent && (this.#idOf(parent) ?? ''),
        parentCall: call && isTool(call) ? wordOf(callId(call)) : undefined,
      })
    }
  }

  #idOf(agent: Span | undefined): string | undefined {
    return agent === undefined || agent === this.#main ? undefined : wordOf(agent.id)
  }
}

function callId({ attributes, id }: Span): unknown {
  return attributes['gen_ai.tool.call.id'] ?? attributes['ai.toolCall.id'] ?? id
}

function* readTool(span: Span, agent: string | undefined): Iterable<RawEvent> {
  const { attributes: of } = span
  const isFailed = span.isFailed || of['error.type'] !== undefined
  const name =
    of['gen_ai.tool.name'] ??
    of['tool.name'] ??
    of['ai.toolCall.name'] ??
    of['traceloop.entity.name'] ??
    span.name.replace(/^execute_tool /, '')
  const id = callId(span)
  // Some write what a tool was given and returned as messages.
  const messageOf = (kind: string) => span.messages.find((message) => message.kind === kind)?.fields
  const args =
    of['gen_ai.tool.call.arguments'] ??
    of['ai.toolCall.args'] ??
    of.tool_arguments ??
    of['input.value'] ??
    of['traceloop.entity.input'] ??
    of['gcp.vertex.agent.tool_call_args'] ??
    of['mlflow.spanInputs'] ??
    messageOf('tool')?.content
  const output =
    of['gen_ai.tool.call.result'] ??
    of['ai.toolCall.result'] ??
    of.tool_response ??
    of['output.value'] ??
    of['traceloop.entity.output'] ??
    of['gcp.vertex.agent.tool_response'] ??
    of['mlflow.spanOutputs'] ??
    messageOf('choice')?.message
  yield { t: 'call', id, name, args: parsed(args), at: span.start, agent }
  if (output === undefined && !isFailed) return
  const value = outputOf(parsed(output)) ?? span.problem ?? of['error.type']
  yield { t: 'result', id, ok: !isFailed, output: value, at: span.end, agent }
}

function usageIn(of: Fields): Fields | undefined {
  const usage = {
    input:
      of['gen_ai.usage.input_tokens'] ??
      of['gen_ai.usage.prompt_tokens'] ??
      of['llm.token_count.prompt'] ??
      of['ai.usage.promptTokens'] ??
      of['ai.usage.inputTokens'],
    output:
      of['gen_ai.usage.output_tokens'] ??
      of['gen_ai.usage.completion_tokens'] ??
      of['llm.token_count.completion'] ??
      of['ai.usage.completionTokens'] ??
      of['ai.usage.outputTokens'],
    cacheRead:
      of['gen_ai.usage.cache_read.input_tokens'] ?? of['llm.token_count.prompt_details.cache_read'],
    cacheWrite:
      of['gen_ai.usage.cache_creation.input_tokens'] ??
      of['llm.token_count.prompt_details.cache_write'],
  }
  const { in: input, out } = usageOf(usage)
  return input === undefined && out === undefined ? undefined : usage
}

/** Returns the messages of a model span, however they are stored. */
function messagesIn(span: Span, side: 'input' | 'output'): unknown {
  const { attributes: of } = span
  const whole = of[`gen_ai.${side}.messages`] ?? of[side === 'input' ? 'ai.prompt.messages' : '']
  if (whole !== undefined) return parsed(whole)
  return (
    numbered(of, `llm.${side}_messages`) ??
    legacy(of, side) ??
    eventMessages(span, side) ??
    of[`${side}.value`]
  )
}

/** Reads messages that are events of the span: all that were sent, and the choices. */
function eventMessages({ messages }: Span, side: 'input' | 'output'): unknown {
  const list = messages
    .filter(({ kind }) => (kind === 'choice') === (side === 'output'))
    .map(({ kind, fields }) => {
      const message = asFields(parsed(fields.message)) ?? fields
      const { content = fields.message, tool_calls } = message
      const parts = listOf(parsed(content))
      return {
        role: kind === 'choice' ? 'assistant' : kind,
        content: parts.length > 0 && parts.every(asFields) ? parts : (content ?? null),
        tool_call_id: fields.id,
        tool_calls: parsed(tool_calls) ?? [],
      }
    })
  return list.length > 0 ? list : undefined
}

/** Reads the attributes in which the AI SDK and Traceloop store answers. */
function legacy(of: Fields, side: 'input' | 'output'): unknown {
  if (side === 'input') return numbered(of, 'gen_ai.prompt')
  const calls = parsed(of['ai.response.toolCalls'])
  const text = of['ai.response.text']
  if (calls === undefined && text === undefined) return numbered(of, 'gen_ai.completion')
  return { role: 'assistant', content: text ?? null, tool_calls: calls ?? [] }
}

/** Collects `<prefix>.0.message.tool_calls.1.tool_call.id` and the like into messages. */
function numbered(of: Fields, prefix: string): readonly Fields[] | undefined {
  const messages: { role?: unknown; content?: unknown; tool_call_id?: unknown; calls: Fields[] }[] =
    []
  for (const [key, value] of Object.entries(of)) {
    if (!key.startsWith(`${prefix}.`)) continue
    const found = /^(\d{1,4})\.(?:message\.)?(.+)$/.exec(key.slice(prefix.length + 1))
    if (!found) continue
    const index = Number(found[1])
    const message = messages[index] ?? { calls: [] }
    messages[index] = message
    const rest = found[2] ?? ''
    const call = /^tool_calls\.(\d{1,4})\.(?:tool_call\.)?(?:function\.)?(id|name|arguments)$/.exec(
      rest,
    )
    if (call) {
      const place = Number(call[1])
      message.calls[place] = { ...message.calls[place], [wordOf(call[2])]: value }
    } else if (rest === 'role' || rest === 'content' || rest === 'tool_call_id')
      message[rest] = value
    else if (/^contents\.\d+\.message_content\.text$/.test(rest)) message.content = value
  }
  const list = messages.filter(Boolean).map(({ calls, ...message }) => ({
    content: null,
    ...message,
    tool_calls: calls.filter(Boolean),
  }))
  return list.length > 0 ? list : undefined
}

function generationOf(span: Span, agent: string | undefined) {
  const { attributes: of, start } = span
  return {
    input: messagesIn(span, 'input'),
    output: messagesIn(span, 'output'),
    usage: usageIn(of),
    model: of['gen_ai.response.model'] ?? of['gen_ai.request.model'] ?? of['llm.model_name'],
    cost: of['llm.cost.total'] ?? of['gen_ai.usage.cost'],
    at: start,
    agent,
  }
}
