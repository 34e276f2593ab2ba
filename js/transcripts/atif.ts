/**
 * Reads ATIF trajectories, which several harnesses write. Failures are not marked.
 *
 * Some writers put results before their calls; these wait for the call.
 *
 * @module
 */

import {
  asFields,
  contentText,
  type Fields,
  fieldsOf,
  listOf,
  numberOf,
  outputOf,
  stringOf,
} from './data.js'
import type { RawEvent } from './raw-event.js'
import { counted, objectsIn, type ReadLog, type TranscriptReader } from './reader.js'

/** The reader of ATIF trajectories. */
export const atifReader: TranscriptReader = {
  name: 'atif',
  describes: 'atif (an object with `schema_version` "ATIF-v1.…", `agent` and `steps`)',
  keys: ['schema_version', 'agent', 'steps'],
  matches: ([first]) => {
    const { schema_version: version, steps } = fieldsOf(first)
    if (!Array.isArray(steps)) return false
    const [step] = steps.map(fieldsOf)
    // Some leave out the prefix of the version.
    return (
      (typeof version === 'string' && version.startsWith('ATIF-')) ||
      (step !== undefined && 'step_id' in step && 'source' in step)
    )
  },
  *read(records, log) {
    let runs = 0
    for (const record of objectsIn(records, log)) {
      runs += 1
      yield* readTrajectory(record, runs === 1 ? undefined : `run-${runs}`, log, 0)
    }
  },
}

/** How deeply nested sub-agents are read. */
const MAX_DEPTH = 8

function* readTrajectory(
  trajectory: Fields,
  agent: string | undefined,
  log: ReadLog,
  depth: number,
): Iterable<RawEvent> {
  const steps = new Steps(log, trajectory)
  for (const step of objectsIn(counted(listOf(trajectory.steps), log), log)) {
    for (const event of steps.read(step)) yield { ...event, agent }
  }
  for (const event of steps.end(trajectory)) yield { ...event, agent }
  for (const child of listOf(trajectory.subagent_trajectories).map(fieldsOf)) {
    const id = stringOf(child.trajectory_id) ?? stringOf(child.session_id)
    if (id === undefined || depth >= MAX_DEPTH) {
      log.skip('sub-agent without an id')
      continue
    }
    const parentCall = stringOf(steps.spawned.get(id))
    log.agent(id, { name: stringOf(fieldsOf(child.agent).name), parent: agent ?? '', parentCall })
    yield* readTrajectory(child, id, log, depth + 1)
  }
}

class Steps {
  readonly #log: ReadLog
  readonly #model: unknown
  #hasUsage = false
  readonly #called = new Set<unknown>()
  /** Results whose call has not come yet. */
  readonly #early = new Map<unknown, RawEvent>()
  /** The call that started each sub-agent. */
  readonly spawned = new Map<string, unknown>()

  constructor(log: ReadLog, trajectory: Fields) {
    this.#log = log
    this.#model = fieldsOf(trajectory.agent).model_name
  }

  *read(step: Fields): Iterable<RawEvent> {
    const { source, timestamp: at, message } = step
    const calls = listOf(step.tool_calls).map(fieldsOf)
    if (step.is_copied_context === true) {
      this.#log.skip('copied context')
      return
    }
    if (source === 'user') yield { t: 'user', text: contentText(message), at }
    else if (source === 'agent') {
      const text = contentText(message)
      yield { t: 'turn', at }
      yield { t: 'chunk', text: contentText(step.reasoning_content), channel: 'reasoning', at }
      if (text || calls.length === 0) yield { t: 'text', text, at }
      yield* this.#calls(calls, at)
      const model = step.model_name ?? this.#model
      this.#hasUsage ||= asFields(step.metrics) !== null
      yield { t: 'usage', usage: step.metrics, model, at }
    } else if (step.observation === undefined)
      this.#log.skip(`${stringOf(source) ?? 'unknown'} step`)
    for (const result of listOf(fieldsOf(step.observation).results).map(fieldsOf)) {
      yield* this.#result(result, at)
    }
  }

  /** What is left of the results that came before their calls, and totals if no step has figures. */
  *end(trajectory: Fields): Iterable<RawEvent> {
    yield* this.#early.values()
    const total = fieldsOf(trajectory.final_metrics)
    const usage = {
      input: total.total_prompt_tokens,
      output: total.total_completion_tokens,
      cacheRead: total.total_cached_tokens,
    }
    if (this.#hasUsage || !(numberOf(usage.input) || numberOf(usage.output))) return
    yield { t: 'usage', usage, model: this.#model, cost: total.total_cost_usd }
  }

  *#calls(calls: readonly Fields[], at: unknown): Iterable<RawEvent> {
    const answered: RawEvent[] = []
    for (const call of calls) {
      const id = call.tool_call_id ?? call.id
      const name = call.function_name ?? call.name
      yield { t: 'call', id, name, args: call.arguments ?? call.args ?? call.input, at }
      this.#called.add(id)
      const early = this.#early.get(id)
      if (early) answered.push(early)
      this.#early.delete(id)
    }
    yield* answered
  }

  *#result(result: Fields, at: unknown): Iterable<RawEvent> {
    const id = result.source_call_id ?? result.tool_call_id ?? result.call_id
    const event: RawEvent = { t: 'result', id, output: outputOf(result.content), at }
    if (id === undefined || id === null || this.#called.has(id)) yield event
    else this.#early.set(id, event)
    for (const reference of listOf(result.subagent_trajectory_ref).map(fieldsOf)) {
      const child = stringOf(reference.trajectory_id) ?? stringOf(reference.session_id)
      if (child === undefined) continue
      this.spawned.set(child, id)
      yield { t: 'spawn', id, child, at }
    }
  }
}
