/**
 * Reads LangSmith runs: tool runs are calls, and model runs have texts and usage. Where there are no
 * tool runs, calls are taken from the messages of model runs.
 *
 * @module
 */

import { asFields, type Fields, fieldsOf, listOf, outputOf, parsed, wordOf } from './data.js'
import { GenerationReader } from './generations.js'
import type { RawEvent } from './raw-event.js'
import { objectsIn, peek, type ReadLog, type TranscriptReader } from './reader.js'

const KEYS = ['runs']

/** The reader of LangSmith runs. */
export const langsmithReader: TranscriptReader = {
  name: 'langsmith',
  describes:
    'langsmith (runs with `run_type`, `dotted_order` or `trace_id`, `inputs` and `outputs`)',
  keys: ['run_type', 'dotted_order', 'inputs', 'outputs'],
  matches: (head) =>
    peek(head, KEYS).some(
      ({ run_type, dotted_order, trace_id, child_runs }) =>
        typeof run_type === 'string' && Boolean(dotted_order ?? trace_id ?? child_runs),
    ),
  *read(records, log) {
    const runs = [...flatten(records, log)]
    runs.sort((a, b) => compare(orderOf(a), orderOf(b)))
    const hasTools = runs.some(({ run_type }) => run_type === 'tool')
    const generations = new GenerationReader(log, hasTools)
    for (const run of runs) {
      if (run.run_type === 'tool') yield* readTool(run)
      else if (run.run_type === 'llm') yield* generations.read(generationOf(run))
      else log.skip(`run type ${wordOf(run.run_type)}`)
    }
  },
}

/** Lists all runs. Runs contain their children, or name their parent. */
function* flatten(records: Iterable<unknown>, log: ReadLog): Iterable<Fields> {
  const stack: Fields[] = []
  for (const record of objectsIn(records, log)) {
    stack.push(...(Array.isArray(record.runs) ? record.runs.map(fieldsOf) : [record]))
    for (let run = stack.pop(); run; run = stack.pop()) {
      yield run
      for (const child of listOf(run.child_runs)) stack.push(fieldsOf(child))
    }
  }
}

function orderOf(run: Fields): string {
  return wordOf(run.dotted_order ?? run.start_time)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function* readTool(run: Fields): Iterable<RawEvent> {
  const { id, name, error } = run
  const inputs = fieldsOf(run.inputs)
  const args = parsed(inputs.input ?? run.inputs)
  yield { t: 'call', id, name, args, at: run.start_time }
  if ((run.outputs === undefined || run.outputs === null) && !error) return
  const outputs = fieldsOf(run.outputs)
  const returned = asFields(parsed(outputs.output)) ?? {}
  const message = fieldsOf(returned.kwargs ?? returned)
  const isFailed = Boolean(error) || run.status === 'error' || message.status === 'error'
  const output = message.content ?? outputs.output ?? run.outputs
  yield {
    t: 'result',
    id,
    name,
    ok: !isFailed,
    output: error || outputOf(output),
    at: run.end_time,
  }
}

/** Runs from the API have totals; others only what the model returned. */
function usageIn(run: Fields): unknown {
  if (run.prompt_tokens !== undefined && run.prompt_tokens !== null) return run
  const outputs = fieldsOf(run.outputs)
  const [generated] = listOf(listOf(outputs.generations).flat()).map(fieldsOf)
  const message = fieldsOf(generated?.message ?? outputs.message)
  return (
    outputs.usage_metadata ??
    fieldsOf(message.kwargs ?? message).usage_metadata ??
    fieldsOf(outputs.llm_output).token_usage ??
    outputs.usage
  )
}

function generationOf(run: Fields) {
  const { ls_model_name: model } = fieldsOf(fieldsOf(run.extra).metadata)
  return {
    input: run.inputs,
    output: run.outputs,
    usage: usageIn(run),
    cost: run.total_cost,
    model,
    at: run.start_time,
  }
}
