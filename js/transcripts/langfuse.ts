/**
 * Reads Langfuse exports: tool observations are calls, and generations have texts and usage. Where
 * there are no tool observations, calls are taken from the messages of generations.
 *
 * @module
 */

import { type Fields, fieldsOf, listOf, outputOf, parsed, stringOf, wordOf } from './data.js'
import { GenerationReader } from './generations.js'
import type { RawEvent } from './raw-event.js'
import { objectsIn, peek, type ReadLog, type TranscriptReader } from './reader.js'
import { inTimeOrder, Tree } from './trace.js'

const KEYS = ['observations']
const TYPE = /^(?:SPAN|EVENT|GENERATION|AGENT|TOOL|CHAIN|RETRIEVER|EVALUATOR|EMBEDDING|GUARDRAIL)$/

/** The reader of Langfuse exports. */
export const langfuseReader: TranscriptReader = {
  name: 'langfuse',
  describes: 'langfuse (`trace` and `observations` with `type`, `startTime`, `input` and `output`)',
  keys: ['trace', 'observations', 'type', 'startTime'],
  matches: (head) =>
    peek(head, KEYS).some(
      ({ type, startTime, start_time, id }) =>
        TYPE.test(wordOf(type)) && Boolean((startTime ?? start_time) && id),
    ),
  *read(records, log) {
    const all = Array.from(objectsIn(flatten(records, log), log), renamed)
    const tree = new Tree(
      all,
      ({ id }) => id,
      ({ parentObservationId }) => parentObservationId,
    )
    const hasTools = all.some(({ type }) => type === 'TOOL')
    const generations = new GenerationReader(log, hasTools)
    // Some exporters nest generations: the outer one repeats the inner one.
    const isOuter = tree.above(({ type }) => type === 'GENERATION')
    yield* inTimeOrder(
      all,
      ({ startTime }) => startTime,
      (one) => {
        if (one.type === 'TOOL') return readTool(one)
        if (one.type === 'GENERATION' && !isOuter(one)) return generations.read(generationOf(one))
        log.skip(`observation type ${wordOf(one.type)}`)
        return []
      },
    )
  },
}

/** Exports to a bucket have names of another style. */
const NAMES = [
  ['start_time', 'startTime'],
  ['end_time', 'endTime'],
  ['parent_observation_id', 'parentObservationId'],
  ['status_message', 'statusMessage'],
  ['usage_details', 'usageDetails'],
  ['cost_details', 'costDetails'],
  ['total_cost', 'totalCost'],
  ['tool_calls', 'toolCalls'],
  ['provided_model_name', 'model'],
] as const

function renamed(one: Fields): Fields {
  if (one.start_time === undefined) return one
  const fields: Record<string, unknown> = { ...one }
  for (const [from, to] of NAMES) fields[to] ??= one[from]
  return fields
}

function* flatten(records: Iterable<unknown>, log: ReadLog): Iterable<unknown> {
  for (const record of records) {
    const { observations } = fieldsOf(record)
    if (Array.isArray(observations)) yield* observations
    else yield record
  }
  log.unit = 'item'
}

function* readTool(tool: Fields): Iterable<RawEvent> {
  const { id, startTime: at, level } = tool
  const input = parsed(tool.input)
  const wrapped = fieldsOf(input)
  const isWrapped = Object.keys(wrapped).length === 1 && 'input' in wrapped
  const name = nameOf(tool)
  yield { t: 'call', id, name, args: isWrapped ? wrapped.input : input, at }
  const isFailed = level === 'ERROR'
  if (!isFailed && (tool.output === undefined || tool.output === null)) return
  const output = outputOf(parsed(tool.output)) ?? tool.statusMessage
  yield { t: 'result', id, name, ok: !isFailed, output, at: tool.endTime }
}

/** Returns the name of a tool. Exporters put words before it, or store it among the attributes. */
function nameOf(tool: Fields): unknown {
  const name = stringOf(tool.name)?.replace(/^(?:running tool: |execute_tool |ai\.toolCall ?)/, '')
  if (name) return name
  const attributes = fieldsOf(fieldsOf(parsed(tool.metadata)).attributes)
  return attributes['ai.toolCall.name'] ?? attributes['gen_ai.tool.name'] ?? tool.name
}

function generationOf(one: Fields) {
  const calls = listOf(one.toolCalls)
  const output = parsed(one.output)
  return {
    input: one.input,
    output: output ?? (calls.length > 0 ? { content: calls.map(parsed) } : undefined),
    usage: one.usageDetails ?? one.usage,
    cost: fieldsOf(one.costDetails).total ?? one.totalCost,
    model: one.model,
    at: one.startTime,
  }
}
