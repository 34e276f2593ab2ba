/**
 * Reads event streams of OpenHands: version 0, where events are actions and observations, and
 * version 1, the agent SDK, where each event has a kind.
 *
 * @module
 */

import { asFields, contentText, type Fields, fieldsOf, numberOf, parsed, wordOf } from './data.js'
import { type RawEvent, usageOf } from './raw-event.js'
import { objectsIn, peek, type ReadLog, runsOf, type TranscriptReader } from './reader.js'

const EVENT_KEYS = ['history', 'trajectory', 'events']

/** The reader of version 0. */
export const openHandsV0Reader: TranscriptReader = {
  name: 'openhands-v0',
  describes: 'openhands-v0 (events with `source` and an `action` or an `observation`)',
  keys: ['source', 'action', 'args'],
  matches: (head) =>
    peek(head, EVENT_KEYS).some(
      ({ source, action, observation }) =>
        typeof source === 'string' &&
        (typeof action === 'string' || typeof observation === 'string'),
    ),
  *read(records, log) {
    for (const { items, agent } of runsOf(records, EVENT_KEYS, log)) {
      const responses = new Set<unknown>()
      // What a person ran: its observations are no results of the model's calls.
      const others = new Set<unknown>()
      for (const event of objectsIn(items, log)) {
        const isOther = 'action' in event ? event.source !== 'agent' : others.has(event.cause)
        if (isOther && 'action' in event) others.add(event.id)
        const read =
          'action' in event
            ? readAction(event, responses, log)
            : readObservation(event, isOther, log)
        for (const one of read) yield { ...one, agent }
      }
    }
  },
}

/** Actions that are not calls. */
const NO_CALL =
  /^(?:message|system|recall|null|change_agent_state|condensation|condensation_request|agent_state_changed)$/
/** Observations that are not results. */
const NO_RESULT = /^(?:null|agent_state_changed|recall)$/

function* readAction(event: Fields, responses: Set<unknown>, log: ReadLog): Iterable<RawEvent> {
  const { action, source, timestamp: at } = event
  const args = fieldsOf(event.args)
  const { function_name, tool_call_id, model_response } = fieldsOf(event.tool_call_metadata)
  const response = fieldsOf(model_response)
  if (action === 'message') {
    const text = args.content ?? event.message
    if (source === 'user') yield { t: 'user', text, at }
    else yield* [{ t: 'turn', at } as const, { t: 'text', text, at } as const]
  } else if (action === 'condensation') {
    yield { t: 'compacted', at }
  } else if (source !== 'agent' || NO_CALL.test(wordOf(action))) {
    log.skip(`action ${wordOf(action)}`)
  } else {
    const isNew = response.id === undefined || !responses.has(response.id)
    if (isNew) {
      responses.add(response.id)
      yield { t: 'turn', at }
      yield { t: 'usage', usage: response.usage, model: response.model, at }
      if (args.thought) yield { t: 'text', text: args.thought, at }
    }
    const { thought: _, ...rest } = args
    yield { t: 'call', id: tool_call_id ?? event.id, name: function_name ?? action, args: rest, at }
  }
}

function* readObservation(event: Fields, isOther: boolean, log: ReadLog): Iterable<RawEvent> {
  const { observation, cause, timestamp: at } = event
  const { tool_call_id: id } = fieldsOf(event.tool_call_metadata)
  const extras = fieldsOf(event.extras)
  const hasCall = id !== undefined || (cause !== undefined && !isOther)
  if (NO_RESULT.test(wordOf(observation)) || !hasCall) {
    log.skip(`observation ${wordOf(observation)}`)
    return
  }
  const exitCode = numberOf(fieldsOf(extras.metadata).exit_code ?? extras.exit_code)
  // An exit code of -1 means that the command still runs.
  const hasFailed = exitCode !== undefined && exitCode !== 0 && exitCode !== -1
  const isFailed = observation === 'error' || extras.error === true || hasFailed
  const denied = observation === 'user_rejected'
  const ok = isFailed || denied ? false : exitCode === 0 ? true : undefined
  yield { t: 'result', id: id ?? cause, ok, exitCode, denied, output: event.content, at }
}

/** The reader of version 1. */
export const openHandsV1Reader: TranscriptReader = {
  name: 'openhands-v1',
  describes: 'openhands-v1 (events with `id`, `source` and a `kind` such as "ActionEvent")',
  keys: ['id', 'source', 'kind'],
  matches: (head) =>
    peek(head, EVENT_KEYS).some(
      ({ kind, source }) => /(?:Event|Observation|Condensation)$/.test(wordOf(kind)) && source,
    ),
  *read(records, log) {
    for (const { items, agent } of runsOf(records, EVENT_KEYS, log)) {
      const conversation = new Conversation(log)
      for (const event of objectsIn(items, log)) {
        for (const one of conversation.read(event)) yield { ...one, agent }
      }
    }
  },
}

class Conversation {
  readonly #log: ReadLog
  #response: unknown
  #tokens = { in: 0, out: 0, cacheRead: 0, cacheWrite: 0, cost: 0 }

  constructor(log: ReadLog) {
    this.#log = log
  }

  *read(event: Fields): Iterable<RawEvent> {
    const { kind, timestamp: at, source } = event
    switch (kind) {
      case 'ActionEvent':
        yield* this.#action(event, at)
        break
      case 'ObservationEvent':
        yield observed(event, at)
        break
      case 'AgentErrorEvent':
        yield { t: 'result', id: event.tool_call_id, ok: false, output: event.error, at }
        break
      case 'UserRejectObservation': {
        const { tool_call_id: id, rejection_reason: output } = event
        yield { t: 'result', id, ok: false, denied: true, output, at }
        break
      }
      case 'MessageEvent': {
        const message = fieldsOf(event.llm_message)
        const text = contentText(message.content)
        if (source === 'user') yield { t: 'user', text, at }
        else if (source === 'agent')
          yield* [{ t: 'turn', at } as const, { t: 'text', text, at } as const]
        else yield { t: 'user', text, at, origin: 'harness' }
        break
      }
      case 'Condensation':
      case 'CondensationEvent':
        yield { t: 'compacted', at }
        break
      default:
        if (event.key === 'stats') yield* this.#usage(event.value, at)
        else if (event.key === 'full_state') yield* this.#usage(fieldsOf(event.value).stats, at)
        else this.#log.skipType(kind)
    }
  }

  *#action(event: Fields, at: unknown): Iterable<RawEvent> {
    const { llm_response_id: response } = event
    if (response === undefined || response !== this.#response) {
      yield { t: 'turn', at }
      yield { t: 'chunk', text: event.reasoning_content, channel: 'reasoning', at }
      const text = contentText(event.thought)
      if (text) yield { t: 'text', text, at }
    }
    this.#response = response
    const { name, arguments: written } = fieldsOf(event.tool_call)
    const given = asFields(parsed(written)) ?? fieldsOf(event.action)
    // These fields describe the call; they are not arguments.
    const { summary: _, security_risk: __, kind: ___, ...args } = given
    yield { t: 'call', id: event.tool_call_id, name: event.tool_name ?? name, args, at }
  }

  /** Reads the usage. The figures are totals, so only the increase counts. */
  *#usage(value: unknown, at: unknown): Iterable<RawEvent> {
    const total = { in: 0, out: 0, cacheRead: 0, cacheWrite: 0, cost: 0 }
    let model: unknown
    const metrics = Object.values(fieldsOf(fieldsOf(value).usage_to_metrics)).map(fieldsOf)
    for (const one of metrics) {
      const usage = usageOf(one.accumulated_token_usage)
      total.in += usage.in ?? 0
      total.out += usage.out ?? 0
      total.cacheRead += usage.cacheRead ?? 0
      total.cacheWrite += usage.cacheWrite ?? 0
      total.cost += numberOf(one.accumulated_cost) ?? 0
      model ??= one.model_name
    }
    const before = this.#tokens
    if (total.in <= before.in && total.out <= before.out) return
    this.#tokens = total
    const usage = {
      input: total.in - before.in,
      output: total.out - before.out,
      cacheRead: total.cacheRead - before.cacheRead,
      cacheWrite: total.cacheWrite - before.cacheWrite,
      cost: total.cost - before.cost,
    }
    yield { t: 'usage', usage, model, at }
  }
}

function observed(event: Fields, at: unknown): RawEvent {
  const observation = fieldsOf(event.observation)
  const exitCode =
    numberOf(observation.exit_code) ?? numberOf(fieldsOf(observation.metadata).exit_code)
  const ok = observation.is_error === true ? false : exitCode ? undefined : true
  const output = contentText(observation.content ?? observation.output)
  return { t: 'result', id: event.tool_call_id, name: event.tool_name, ok, exitCode, output, at }
}
