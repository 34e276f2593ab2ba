/**
 * What the model is asked, turn by turn: here a turn ends, the next one begins, and a nudge is added.
 *
 * @module
 */

import type { StepContent, ToolCall, ToolResult } from 'loophound'
import type { Run } from './runs.js'
import { LoopStoppedError } from './stopped.js'
import type { FilterInput, InputFilter, Item, ModelData } from './types.js'

interface FilterOptions {
  readonly own: InputFilter | undefined
  /** Whether the run goes on from a state: then nobody has spoken. */
  readonly isResumed: boolean
  /** Whether what is sent becomes part of a conversation that is stored. */
  readonly isKept: boolean
}

export function guardFilter(run: Run, { own, isResumed, isKept }: FilterOptions): InputFilter {
  const { guard } = run
  let isFirst = true
  const filter: InputFilter = async (turn) => {
    const { input } = turn.modelData
    guard.endStep(isFirst ? {} : contentOf(fresh(run, input)))
    if (isFirst && !isResumed && input.at(-1)?.role === 'user') guard.userMessage()
    isFirst = false
    run.agent = turn.agent
    run.seen = input.length
    if (!guard.beginStep()) throw new LoopStoppedError(guard.stopped)
    const nudge = guard.takeNudge({ sticky: true })
    const data = await asked(own, turn)
    return nudge === null ? data : withNudge(data, nudge, isKept)
  }
  // A filter may carry settings of its own.
  return Object.assign(filter, own)
}

const asked = async (own: InputFilter | undefined, turn: FilterInput): Promise<ModelData> =>
  own ? own(turn) : turn.modelData

/** A message, which is stronger; but never one that stays in the conversation for good. */
function withNudge(data: ModelData, nudge: string, isKept: boolean): ModelData {
  if (isKept)
    return { ...data, instructions: [data.instructions, nudge].filter(Boolean).join('\n\n') }
  const message = { type: 'message', role: 'user', content: nudge }
  return { ...data, input: [...data.input, message] }
}

/** What came since the turn before; all, where only what is new is sent. */
function fresh({ seen }: Run, input: readonly Item[]): readonly Item[] {
  return input.length >= seen ? input.slice(seen) : input
}

/** Also holds what the guard was not asked about: calls of hosted tools, and of MCP servers. */
function contentOf(items: readonly Item[]): StepContent {
  const calls: ToolCall[] = []
  const results: ToolResult[] = []
  for (const item of items) {
    const { type = '', callId, id, name, output } = item
    const place = callId ?? id
    if (type.endsWith('_call')) {
      const args = item.arguments ?? item.action ?? item.operation
      calls.push({ id: place, name: name ?? type, args })
    }
    // A hosted tool's item is the call, and what came of it.
    if (output !== undefined && /_call(_result|_output)?$/.test(type)) {
      results.push({ id: place, output: (output as { text?: unknown } | null)?.text ?? output })
    }
  }
  return { calls, results }
}
