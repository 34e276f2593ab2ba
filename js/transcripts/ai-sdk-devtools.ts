/**
 * Reads `generations.json` of the AI SDK devtools: steps of runs, each with the whole prompt. Calls
 * are those of a step's output; results are found in the prompt of the next one.
 *
 * @module
 */

import { type Fields, fieldsOf, listOf, parsed, stringOf } from './data.js'
import { GenerationReader } from './generations.js'
import type { RawEvent } from './raw-event.js'
import { objectsIn, type ReadLog, type TranscriptReader } from './reader.js'

/** The reader of devtools generations. */
export const aiSdkDevtoolsReader: TranscriptReader = {
  name: 'ai-sdk-devtools',
  describes: 'ai-sdk-devtools (an object with `runs` and `steps`, each step with a `run_id`)',
  keys: ['runs', 'steps', 'run_id'],
  matches: ([first]) => {
    const { runs, steps } = fieldsOf(first)
    return (
      Array.isArray(runs) &&
      listOf(steps).every((step) => 'run_id' in fieldsOf(step)) &&
      Array.isArray(steps)
    )
  },
  *read(records, log) {
    for (const record of objectsIn(records, log)) {
      const agents = agentsOf(listOf(record.runs), log)
      const readers = new Map<string | undefined, GenerationReader>()
      for (const step of objectsIn(listOf(record.steps), log)) {
        const agent = agents.get(step.run_id)
        const reader = readers.get(agent) ?? new GenerationReader(log, false)
        readers.set(agent, reader)
        yield* readStep(step, agent, reader)
      }
    }
  },
}

/** Returns the agent of each run. A run is a turn of the chat, unless another run started it. */
function agentsOf(runs: readonly unknown[], log: ReadLog): Map<unknown, string> {
  const agents = new Map<unknown, string>()
  for (const run of runs.map(fieldsOf)) {
    const id = stringOf(run.id)
    const above = run.parent_run_id
    if (id === undefined || typeof above !== 'string') continue
    agents.set(id, id)
    log.agent(id, { name: stringOf(run.function_id), parent: agents.get(above) ?? '' })
  }
  return agents
}

function* readStep(
  step: Fields,
  agent: string | undefined,
  reader: GenerationReader,
): Iterable<RawEvent> {
  const output = fieldsOf(parsed(step.output))
  const content = [
    ...listOf(output.content),
    ...listOf(output.reasoningParts).map((part) => ({ ...fieldsOf(part), type: 'reasoning' })),
    ...listOf(output.textParts).map((part) => ({ ...fieldsOf(part), type: 'text' })),
    ...listOf(output.toolCalls).map((call) => ({ ...fieldsOf(call), type: 'tool-call' })),
  ]
  yield* reader.read({
    input: step.input,
    output: content.length > 0 ? { role: 'assistant', content } : undefined,
    usage: parsed(step.usage),
    model: step.model_id,
    at: step.started_at,
    agent,
  })
}
