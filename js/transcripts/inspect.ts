/**
 * Reads logs of Inspect: each sample is a separate agent run. An `.eval` file is a zip of the same,
 * which `unpackTranscript` turns into one object.
 *
 * @module
 */

import { asFields, type Fields, fieldsOf, listOf, wordOf } from './data.js'
import { readMessage } from './messages.js'
import type { RawEvent } from './raw-event.js'
import { counted, objectsIn, type ReadLog, type TranscriptReader } from './reader.js'

const ATTACHMENT = 'attachment://'

/** The reader of Inspect logs. */
export const inspectReader: TranscriptReader = {
  name: 'inspect',
  describes: 'inspect (an object with `version`, `eval` and `samples`)',
  keys: ['version', 'eval', 'samples'],
  matches: ([first]) => {
    const { version, eval: task, samples, status } = fieldsOf(first)
    // A log may consist of its header alone.
    const isLog = Array.isArray(samples) || typeof status === 'string'
    return version !== undefined && asFields(task) !== null && isLog
  },
  *read(records, log) {
    for (const record of objectsIn(records, log)) {
      for (const sample of objectsIn(counted(listOf(record.samples), log), log)) {
        const agent = `${wordOf(sample.id)}_epoch_${wordOf(sample.epoch ?? 1)}`
        for (const event of readSample(sample, log)) yield { ...event, agent }
      }
    }
  },
}

function* readSample(sample: Fields, log: ReadLog): Iterable<RawEvent> {
  const attachments = fieldsOf(sample.attachments)
  const resolveText = (text: unknown): unknown => {
    if (typeof text !== 'string' || !text.startsWith(ATTACHMENT)) return text
    const key = text.slice(ATTACHMENT.length)
    return Object.hasOwn(attachments, key) ? attachments[key] : text
  }
  const resolve = (content: unknown): unknown => {
    if (!Array.isArray(content)) return resolveText(content)
    return content.map((part) => {
      const { text } = fieldsOf(part)
      return text === undefined ? part : { ...fieldsOf(part), text: resolveText(text) }
    })
  }
  const messages = listOf(sample.messages).map(fieldsOf)
  // Newer logs mark what the dataset said; what has no mark then comes from the agent's loop.
  const isMarked = messages.some(({ role, source }) => role === 'user' && source === 'input')
  for (const message of messages) {
    const { content, error: _, ...rest } = message
    const resolved = { ...rest, content: resolve(content) ?? null, status: statusOf(message) }
    const isHarness = () => (message.source ?? undefined) !== (isMarked ? 'input' : undefined)
    yield* readMessage(resolved, log, { isHarness })
  }
  for (const [model, usage] of Object.entries(fieldsOf(sample.model_usage))) {
    yield { t: 'usage', usage, model }
  }
}

/** Only tool messages can fail. */
function statusOf(message: Fields): string | undefined {
  if (message.role !== 'tool') return undefined
  return message.error === undefined || message.error === null ? 'success' : 'error'
}
