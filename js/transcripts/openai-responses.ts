/**
 * Reads OpenAI Responses items and those of the OpenAI Agents SDK: lists of items, requests and
 * responses, a saved run state, and rollouts with one run per line.
 *
 * @module
 */

import { asFields, type Fields, fieldsOf, listOf, typeOf } from './data.js'
import type { RawEvent } from './raw-event.js'
import { objectsIn, peek, type ReadLog, runsOf, type TranscriptReader } from './reader.js'
import { ItemReader } from './response-items.js'

/** The reader of Responses items. */
export const openAiResponsesReader: TranscriptReader = {
  name: 'openai-responses',
  describes:
    'openai-responses (items with a `type` such as "function_call" and a `call_id`: a list, ' +
    'or `input` and `output` of a request)',
  keys: ['type', 'call_id', 'arguments'],
  matches: (head) => hasItems(head, (item) => 'call_id' in item || isMessage(item)),
  read: readItems,
}

/** The reader of Agents SDK items. */
export const openAiAgentsReader: TranscriptReader = {
  name: 'openai-agents',
  describes: 'openai-agents (items with a `type` such as "function_call" and a `callId`)',
  keys: ['type', 'callId', 'arguments'],
  matches: (head) => hasItems(head, (item) => 'callId' in item),
  read: readItems,
}

function isMessage(item: Fields): boolean {
  return typeOf(item) === 'message' && typeof item.role === 'string'
}

function hasItems(head: readonly unknown[], isKnown: (item: Fields) => boolean): boolean {
  return peek(
    head.map((record) => ({ items: itemsOf(record) ?? [record] })),
    ['items'],
  ).some((item) => typeOf(item) !== '' && isKnown(item))
}

function* readItems(records: Iterable<unknown>, log: ReadLog): Iterable<RawEvent> {
  for (const { items, container, agent } of runsOf(withItems(records), ['items'], log)) {
    const reader = new ItemReader(log)
    for (const item of objectsIn(items, log)) {
      for (const event of reader.read(item)) yield { ...event, agent }
    }
    const response = fieldsOf(container.response)
    const responses = listOf(response.modelResponses ?? response.model_responses).map(fieldsOf)
    for (const { usage, model } of [response, ...responses]) {
      yield { t: 'usage', usage, model, agent }
    }
  }
}

/** Converts each record that contains items to `{ items, response }`; bare items stay as they are. */
function* withItems(records: Iterable<unknown>): Iterable<unknown> {
  for (const record of records) {
    const items = itemsOf(record)
    const fields = fieldsOf(record)
    yield items ? { items, response: asFields(fields.response) ?? fields } : record
  }
}

/** Returns the items in a record, in the order in which they were created. */
function itemsOf(record: unknown): readonly unknown[] | null {
  const fields = fieldsOf(record)
  const response = asFields(fields.response) ?? fields
  const request = asFields(fields.responses_create_params) ?? asFields(fields.request) ?? fields
  // A saved run has other names in Python.
  const generated = fields.generatedItems ?? fields.generated_items
  const isHolder =
    Array.isArray(response.output) ||
    Array.isArray(generated) ||
    isItemList(fields.input) ||
    listOf(fields.messages).some(isCall)
  // An item may itself have an output.
  if (!isHolder || 'call_id' in fields || 'callId' in fields) return null
  return [
    ...asMessages(
      request.input ?? fields.originalInput ?? fields.original_input ?? fields.messages,
    ),
    ...listOf(response.output),
    ...listOf(generated)
      .map(fieldsOf)
      .map((item) => item.rawItem ?? item.raw_item),
  ]
}

function isItemList(value: unknown): boolean {
  return listOf(value).some((item) => typeOf(item) !== '')
}

function isCall(item: unknown): boolean {
  const { call_id, callId } = fieldsOf(item)
  return /_call$/.test(typeOf(item)) && (call_id ?? callId) !== undefined
}

function asMessages(input: unknown): readonly unknown[] {
  return typeof input === 'string' ? [{ role: 'user', content: input }] : listOf(input)
}
