/**
 * The events of each host: recorded ones, and such as its schema describes where none were recorded.
 *
 * @module
 */

import { type Event, recording } from './run.js'

/** A call that fails, as a step's number and its place in the step tell it from others. */
export interface Step {
  readonly step: number
  readonly place: number
}

/** How a host reports what happens. */
export interface HostEvents {
  /** Events of a session in which nothing is wrong, as recorded. */
  readonly healthy: readonly Event[]
  readonly call: (at: Step) => Event
  /** That call failed. `null` where the host reports all results of a step at once. */
  readonly failure: (at: Step) => Event | null
  /** What is reported when all calls of a step have their results, and before the model is called. */
  readonly endOfStep: (steps: readonly Step[]) => readonly Event[]
  /** A step that reads a file, and finds the same each time. */
  readonly look: (step: number) => readonly Event[]
  readonly prompt: Event
  readonly compaction: Event
  /** The same event within a subagent. */
  readonly inSubagent: (event: Event) => Event
  readonly end: Event
}

const idOf = ({ step, place }: Step) => `call_${step}_${place}`

/** The first recorded event with these fields. */
function find(events: readonly Event[], fields: Event): Event {
  const matches = (event: Event) =>
    Object.entries(fields).every(([name, value]) =>
      value === undefined ? name in event : event[name] === value,
    )
  const found = events.find(matches)
  if (!found) throw new Error(`Nothing recorded has ${JSON.stringify(fields)}`)
  return found
}

/** The recorded failures all run the same command. */
const isFailing = (event: Event) => JSON.stringify(event).includes('missing.txt')

/** What was recorded before the first failure. */
const untilFailure = (events: readonly Event[]) => events.slice(0, events.findIndex(isFailing))

/** The recorded events of reading a file, with an id of their own. */
const lookIn = (events: readonly Event[]) => (step: number) =>
  events
    .filter((event) => JSON.stringify(event).includes('cat README.md'))
    .map((event) => renamed(event, `look_${step}`))

/** The event with another id, where it has one. */
function renamed(event: Event, id: string): Event {
  const ids = ['tool_use_id', 'tool_call_id'].filter((name) => name in event)
  const calls = event.tool_calls as Event[] | undefined
  return {
    ...event,
    ...Object.fromEntries(ids.map((name) => [name, id])),
    ...(calls && { tool_calls: calls.map((call) => renamed(call, id)) }),
  }
}

const asSubagent = (event: Event) => ({ ...event, agent_id: 'agent_1', agent_type: 'explore' })

function claudeCode(): HostEvents {
  const events = recording('loop')
  const named = (name: string) => find(events, { hook_event_name: name })
  const call = ({ tool_name, tool_input }: Event, id: string, response: unknown) => ({
    tool_name,
    tool_input,
    tool_use_id: id,
    tool_response: response,
  })
  const failure = named('PostToolUseFailure')
  return {
    healthy: recording('healthy'),
    call: (at) => ({ ...named('PreToolUse'), tool_use_id: idOf(at) }),
    failure: (at) => ({ ...failure, tool_use_id: idOf(at) }),
    endOfStep: (steps) => [
      {
        ...named('PostToolBatch'),
        tool_calls: steps.map((at) => call(failure, idOf(at), failure.error)),
      },
    ],
    look(step) {
      const read = { tool_name: 'Read', tool_input: { file_path: 'README.md' } }
      const finished = call({ ...failure, ...read }, `look_${step}`, 'hello')
      return [
        { ...named('PreToolUse'), ...read, tool_use_id: `look_${step}` },
        { ...named('PostToolBatch'), tool_calls: [finished] },
      ]
    },
    prompt: named('UserPromptSubmit'),
    compaction: {
      ...named('UserPromptSubmit'),
      hook_event_name: 'PostCompact',
      trigger: 'auto',
      compact_summary: 'The tests fail.',
    },
    inSubagent: asSubagent,
    end: named('Stop'),
  }
}

function codex(): HostEvents {
  const events = recording('codex')
  const failing = events.filter(isFailing)
  const named = (from: readonly Event[], name: string) => find(from, { hook_event_name: name })
  return {
    healthy: untilFailure(events),
    call: (at) => ({ ...named(failing, 'PreToolUse'), tool_use_id: idOf(at) }),
    failure: (at) => ({ ...named(failing, 'PostToolUse'), tool_use_id: idOf(at) }),
    endOfStep: () => [],
    look: lookIn(events),
    prompt: named(events, 'UserPromptSubmit'),
    compaction: {
      ...named(events, 'Stop'),
      hook_event_name: 'PostCompact',
      trigger: 'auto',
      last_assistant_message: undefined,
    },
    inSubagent: asSubagent,
    end: named(events, 'Stop'),
  }
}

function qwenCode(): HostEvents {
  const events = recording('qwen-code')
  const failing = events.filter(isFailing)
  const named = (from: readonly Event[], name: string) => find(from, { hook_event_name: name })
  const batch = named(failing, 'PostToolBatch')
  const [finished] = batch.tool_calls as Event[]
  const { submitted_prompt: _, ...prompt } = named(events, 'UserPromptSubmit')
  return {
    healthy: untilFailure(events),
    call: (at) => ({
      ...named(failing, 'PreToolUse'),
      tool_use_id: `toolu_${idOf(at)}`,
      tool_call_id: idOf(at),
    }),
    failure: () => null,
    endOfStep: (steps) => [
      ...steps.map((at) => ({
        ...batch,
        tool_calls: [{ ...finished, tool_use_id: idOf(at), tool_call_id: idOf(at) }],
      })),
      { ...prompt, prompt: '' },
    ],
    look: (step) => [...lookIn(events)(step), { ...prompt, prompt: '' }],
    prompt: named(events, 'UserPromptSubmit'),
    compaction: { ...prompt, hook_event_name: 'PostCompact', trigger: 'auto', compact_summary: '' },
    inSubagent: asSubagent,
    end: { ...prompt, hook_event_name: 'Stop', last_assistant_message: 'I give up.' },
  }
}

function geminiCli(): HostEvents {
  const events = recording('gemini-cli')
  const failing = events.filter(isFailing)
  const named = (from: readonly Event[], name: string) => find(from, { hook_event_name: name })
  const model = named(events, 'BeforeModel')
  const summary = { role: 'user', content: '<state_snapshot>The tests fail.</state_snapshot>' }
  return {
    healthy: untilFailure(events),
    call: () => named(failing, 'BeforeTool'),
    failure: () => named(failing, 'AfterTool'),
    // Reported before each call of the model, though nothing is compacted.
    endOfStep: () => [named(events, 'PreCompress'), model],
    look: (step) => [...lookIn(events)(step), named(events, 'PreCompress'), model],
    prompt: named(events, 'BeforeAgent'),
    compaction: { ...model, llm_request: { model: 'gemini-2.5-flash', messages: [summary] } },
    // It does not tell subagents apart; another session is all there is.
    inSubagent: (event) => ({ ...event, session_id: 'another' }),
    end: {
      ...named(events, 'BeforeAgent'),
      hook_event_name: 'AfterAgent',
      prompt_response: 'I give up.',
      stop_hook_active: false,
    },
  }
}

function copilot(): HostEvents {
  const events = recording('copilot')
  const failing = events.filter(isFailing)
  const result = find(failing, { toolName: 'bash', toolResult: undefined })
  return {
    healthy: untilFailure(events),
    call: () => find(failing, { toolName: 'bash' }),
    failure: () => result,
    endOfStep: () => [],
    look: lookIn(events),
    prompt: find(events, { prompt: undefined }),
    compaction: {
      ...find(events, { stopReason: undefined }),
      stopReason: undefined,
      trigger: 'auto',
      customInstructions: '',
    },
    inSubagent: (event) => ({ ...event, sessionId: 'another' }),
    end: find(events, { stopReason: undefined }),
  }
}

/** Copilot's events as hooks get them that are configured as `PreToolUse`, and so on. */
export function copilotInSnakeCase(): HostEvents {
  const events = recording('copilot-snake-case')
  const failing = events.filter(isFailing)
  const named = (from: readonly Event[], name: string) => find(from, { hook_event_name: name })
  const { stop_reason: _, ...common } = named(events, 'Stop')
  return {
    healthy: untilFailure(events),
    call: () => named(failing, 'PreToolUse'),
    failure: () => named(failing, 'PostToolUse'),
    endOfStep: () => [],
    look: lookIn(events),
    prompt: named(events, 'UserPromptSubmit'),
    compaction: { ...common, hook_event_name: 'PreCompact', trigger: 'auto' },
    inSubagent: (event) => ({ ...event, session_id: 'another' }),
    end: named(events, 'Stop'),
  }
}

function cursor(): HostEvents {
  const events = recording('cursor-made')
  const failing = events.filter(isFailing)
  const named = (from: readonly Event[], name: string) => find(from, { hook_event_name: name })
  return {
    healthy: untilFailure(events),
    call: (at) => ({ ...named(failing, 'preToolUse'), tool_use_id: idOf(at) }),
    failure: (at) => ({ ...named(failing, 'postToolUseFailure'), tool_use_id: idOf(at) }),
    endOfStep: () => [],
    look: lookIn(events),
    prompt: named(events, 'beforeSubmitPrompt'),
    compaction: named(events, 'preCompact'),
    inSubagent: (event) => ({ ...event, conversation_id: 'another' }),
    end: named(events, 'stop'),
  }
}

export const HOST_EVENTS = {
  'claude-code': claudeCode(),
  codex: codex(),
  'qwen-code': qwenCode(),
  'gemini-cli': geminiCli(),
  copilot: copilot(),
  cursor: cursor(),
} as const satisfies Readonly<Record<string, HostEvents>>
