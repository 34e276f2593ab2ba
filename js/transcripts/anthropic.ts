/**
 * Reads messages of Anthropic's Messages API: requests, with or without the response, and lists of
 * messages.
 *
 * @module
 */

import { type Fields, fieldsOf, listOf, typeOf } from './data.js'
import { readMessage, readMessages } from './messages.js'
import { LAST_USAGE, MESSAGE_KEYS } from './openai-chat.js'
import { peek, runsOf, type TranscriptReader } from './reader.js'

/** Blocks that only these messages have. */
const BLOCK = /^(?:(?:server_|mcp_)?tool_use|\w*tool_result|(?:redacted_)?thinking)$/

/** The reader of Anthropic messages. */
export const anthropicReader: TranscriptReader = {
  name: 'anthropic',
  describes: 'anthropic (messages whose content has `tool_use` and `tool_result` blocks)',
  keys: ['role', 'content', 'tool_use'],
  matches: (head) =>
    hasParts([...head, fieldsOf(head[0]).response], BLOCK) || isRequest(fieldsOf(head[0])),
  *read(records, log) {
    for (const { items, container, agent } of runsOf(records, MESSAGE_KEYS, log)) {
      for (const event of readMessages(items, log)) yield { ...event, agent }
      const { response } = container
      if (!response) continue
      if (fieldsOf(response).usage) log.skip(LAST_USAGE)
      for (const event of readMessage(response, log)) yield { ...event, agent }
    }
  },
}

/** Only here, the system prompt stands beside the messages. */
function isRequest({ messages, system, max_tokens }: Fields): boolean {
  return Array.isArray(messages) && system !== undefined && max_tokens !== undefined
}

/**
 * Tells whether the content of the first messages has a part of such a type. OpenAI chat messages may
 * repeat their calls as such parts.
 */
export function hasParts(head: readonly unknown[], type: RegExp): boolean {
  const messages = peek(head, MESSAGE_KEYS)
  return (
    !messages.some(hasListedCalls) &&
    messages.some(
      ({ role, content }) =>
        typeof role === 'string' && listOf(content).some((part) => type.test(typeOf(part))),
    )
  )
}

function hasListedCalls({ tool_calls }: Fields): boolean {
  return listOf(tool_calls).some((call) => 'function' in fieldsOf(call))
}
