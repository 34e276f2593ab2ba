/**
 * loophound for your own agent loops on the `openai` package, or on any API of the same shape: Chat
 * Completions and Responses, streamed or not.
 *
 * The package is not imported.
 *
 * @module
 */

export {
  answerChat,
  type ChatMessage,
  type ChatReply,
  type ChatToolCall,
  watchChat,
} from './openai/chat.js'
export {
  answerResponse,
  type ResponseItem,
  type ResponseReply,
  watchResponse,
} from './openai/responses.js'
export type { RequestedCall, RunTool } from './shared/tools.js'
