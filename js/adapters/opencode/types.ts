/**
 * The parts of opencode's types that the adapter uses, as `@opencode-ai/plugin` and `@kilocode/plugin`
 * have them.
 *
 * @module
 */

/** A session, for a function that returns its guard. */
export interface OpencodeSession {
  readonly sessionId: string
}

/** What the plugin needs of what opencode gives to it. */
export interface OpencodeInput {
  readonly client: OpencodeClient
}

export interface OpencodeClient {
  readonly session: {
    abort(options: { path: { id: string } }): PromiseLike<unknown>
    prompt(options: { path: { id: string }; body: Prompt }): PromiseLike<unknown>
  }
}

interface Prompt {
  noReply: boolean
  agent: string
  model: { providerID: string; modelID: string }
  parts: { type: 'text'; text: string; ignored: boolean }[]
}

/** The hooks of the plugin. What they are given has more fields than these. */
export interface OpencodeHooks {
  'chat.message'(
    input: { sessionID: string },
    output: { parts: readonly OpencodePart[] },
  ): Promise<void>
  'tool.execute.before'(
    input: { tool: string; sessionID: string; callID: string },
    output: { args: unknown },
  ): Promise<void>
  'experimental.session.compacting'(input: { sessionID: string }): Promise<void>
  'experimental.chat.messages.transform'(
    input: object,
    output: { messages: OpencodeMessage[] },
  ): Promise<void>
  'experimental.text.complete'(
    input: { sessionID: string },
    output: { text: string },
  ): Promise<void>
  event(input: { event: OpencodeEvent }): Promise<void>
}

/** A message, as it is kept: what it is, and its parts. */
export interface OpencodeMessage<Info extends MessageInfo = MessageInfo> {
  info: Info
  parts: OpencodePart[]
}

export interface MessageInfo {
  readonly id: string
  readonly sessionID: string
  readonly role: string
  /** Whether an assistant's message is the summary of those before; a user's has a title here. */
  readonly summary?: unknown
}

export interface UserInfo extends MessageInfo {
  readonly role: 'user'
  readonly agent: string
  readonly model: { providerID: string; modelID: string }
}

/** A part of a message: text, reasoning, or a call with its result. */
export interface OpencodePart {
  readonly id: string
  readonly sessionID: string
  readonly messageID: string
  readonly type: string
  readonly text?: string
  /** Whether a program wrote it. */
  readonly synthetic?: boolean
  /** Whether it is shown only, and no model sees it. */
  readonly ignored?: boolean
  readonly callID?: string
  readonly tool?: string
  readonly state?: ToolState
}

export interface ToolState {
  readonly status: string
  readonly input?: unknown
  readonly output?: unknown
  readonly error?: string
  readonly metadata?: { readonly exit?: unknown }
}

export interface OpencodeEvent {
  readonly type: string
  /** Absent if the event has none. */
  readonly properties?: object | undefined
}

/** The properties of events that are about a session. */
export interface EventProperties {
  readonly sessionID?: string
  readonly part?: OpencodePart
  readonly partID?: string
  readonly field?: string
  readonly delta?: string
}
