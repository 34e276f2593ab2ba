/**
 * The known transcript formats, and how one is chosen.
 *
 * @module
 */

import type { TranscriptFormat } from 'loophound'
import { describe } from '../input/check.js'
import { aiSdkModelReader, aiSdkUiReader } from './ai-sdk.js'
import { aiSdkDevtoolsReader } from './ai-sdk-devtools.js'
import { aiderReader } from './aider.js'
import { anthropicReader } from './anthropic.js'
import { atifReader } from './atif.js'
import { autogenReader } from './autogen.js'
import { claudeCodeReader } from './claude-code.js'
import { clineReader, rooReader } from './cline.js'
import { codexReader } from './codex.js'
import { copilotReader } from './copilot.js'
import { asFields, fieldsOf } from './data.js'
import { eventsReader } from './events.js'
import { geminiReader, qwenReader } from './gemini.js'
import { inspectReader } from './inspect.js'
import { langchainReader } from './langchain.js'
import { langfuseReader } from './langfuse.js'
import { langsmithReader } from './langsmith.js'
import { miniSweAgentReader } from './mini-swe-agent.js'
import { openAiChatReader } from './openai-chat.js'
import { openAiAgentsReader, openAiResponsesReader } from './openai-responses.js'
import { opencodeReader } from './opencode.js'
import { openHandsV0Reader, openHandsV1Reader } from './openhands.js'
import { otelReader } from './otel.js'
import { piReader } from './pi.js'
import { describeHead, type ReadLog, type TranscriptReader } from './reader.js'
import { sweAgentReader } from './swe-agent.js'

/** All readers, in the order in which they are tried: the more specific ones first. */
const READERS: readonly TranscriptReader[] = [
  eventsReader,
  atifReader,
  otelReader,
  miniSweAgentReader,
  opencodeReader,
  aiSdkDevtoolsReader,
  sweAgentReader,
  inspectReader,
  piReader,
  codexReader,
  qwenReader,
  claudeCodeReader,
  geminiReader,
  openHandsV1Reader,
  openHandsV0Reader,
  copilotReader,
  langfuseReader,
  langsmithReader,
  aiSdkUiReader,
  aiSdkModelReader,
  clineReader,
  rooReader,
  langchainReader,
  anthropicReader,
  openAiAgentsReader,
  openAiResponsesReader,
  autogenReader,
  aiderReader,
  openAiChatReader,
]

/**
 * Requires the name of a format, or `auto`.
 *
 * @throws RangeError when there is no format of that name.
 */
export function checkFormat(format: unknown): void {
  const known = ['auto', ...READERS.map(({ name }) => name)]
  if (known.some((name) => name === format)) return
  const list = known.map((name) => `"${name}"`).join(', ')
  const expected = `options.format must be one of ${list}; got ${describe(format)}`
  throw typeof format === 'string' ? new RangeError(expected) : new TypeError(expected)
}

/**
 * Returns the reader for a transcript that begins with these records. An empty transcript matches
 * any format.
 *
 * @throws TypeError when no reader recognises it, or when it is not in the format that was named.
 */
export function readerFor(
  head: readonly unknown[],
  format: 'auto' | TranscriptFormat,
  isList: boolean,
  log: ReadLog,
): TranscriptReader {
  const reader = findReader(head, format)
  if (reader) return reader
  const found = describeHead(head, isList, log)
  const asked = READERS.find(({ name }) => name === format)
  if (asked) throw new TypeError(`transcript: looked for ${asked.describes}; found ${found}`)
  throw new TypeError(
    `transcript: found ${found}, which is none of the known forms. ${closest(head)}` +
      `Known: ${READERS.map(({ name }) => name).join(', ')}`,
  )
}

/** Returns the reader that recognises these records, if there is one. */
export function findReader(
  head: readonly unknown[],
  format: 'auto' | TranscriptFormat,
): TranscriptReader | undefined {
  return READERS.find(
    ({ name, matches }) =>
      (format === 'auto' || format === name) && (head.length === 0 || matches(head)),
  )
}

/** Says which format has most of the keys that were found, and which keys are missing. */
function closest(head: readonly unknown[]): string {
  const { ts, say, ask } = fieldsOf(head[0])
  if (ts && (say ?? ask)) {
    return 'Cline keeps its calls in api_conversation_history.json. '
  }
  const found = keysIn(head)
  let best: TranscriptReader = openAiChatReader
  let most = 0
  for (const reader of READERS) {
    const share = reader.keys.filter((key) => found.has(key)).length / reader.keys.length
    if (share > most) [best, most] = [reader, share]
  }
  const missing = best.keys.filter((key) => !found.has(key)).map((key) => `\`${key}\``)
  const lacks = missing.length > 0 ? `; missing: ${missing.join(', ')}` : ''
  return `The closest is ${best.describes}${lacks}. `
}

/**
 * Returns the keys of the first record, of the objects in it, and of the first items in its lists.
 */
function keysIn(head: readonly unknown[]): ReadonlySet<string> {
  const keys = new Set<string>()
  for (const record of head.slice(0, 4)) {
    for (const [key, value] of Object.entries(fieldsOf(record)).slice(0, 50)) {
      keys.add(key)
      const inner = asFields(Array.isArray(value) ? value[0] : value)
      for (const deeper of Object.keys(inner ?? {}).slice(0, 50)) keys.add(deeper)
    }
  }
  return keys
}
