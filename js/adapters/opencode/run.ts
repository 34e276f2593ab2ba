/**
 * One run of a session: from a message of the user's until the session is idle.
 *
 * @module
 */

import type { LoopGuard, StepContent, ToolResult } from 'loophound'
import type {
  EventProperties,
  OpencodeEvent,
  OpencodeMessage,
  OpencodePart,
  ToolState,
  UserInfo,
} from './types.js'

/** What a person or a rule of theirs decided, or what the run's end cut short: no result of the tool. */
const NOT_FROM_TOOL =
  /rejected permission|rule which prevents you|dismissed this question|^Tool execution aborted/

/** What to do before the model is asked. */
export interface StepStart {
  readonly mustStop: boolean
  readonly nudge: string | null
}

/** Tells a guard about the steps of a run. */
export class Run {
  readonly guard: LoopGuard
  /** Whether the next request is one for a summary. */
  isCompacting = false
  /** The message that is answered. */
  user: UserInfo | undefined
  /** The newest message at the last request; those after it are new. */
  #lastRead: string | undefined
  /** The text of the current step. */
  #text = ''
  #isUnderWay = false
  #isCut = false
  /** The part that streams. */
  #streaming: { readonly id: string; readonly isReasoning: boolean } | undefined

  constructor(guard: LoopGuard) {
    this.guard = guard
  }

  /** Ends the step before, and begins the next one. */
  beginStep(messages: readonly OpencodeMessage[], user: UserInfo): StepStart {
    this.user = user
    const mustStop = this.#endStep(contentOf(this.#newIn(messages)))
    this.#lastRead = messages.at(-1)?.info.id
    if (this.isCompacting) {
      this.isCompacting = false
      return { mustStop: false, nudge: null }
    }
    this.#isUnderWay = true
    if (mustStop || !this.guard.beginStep()) return { mustStop: true, nudge: null }
    return { mustStop: false, nudge: this.guard.takeNudge({ sticky: true }) }
  }

  addText(text: string): void {
    this.#text += text
  }

  /** Reads an event of a stream; returns whether to end the run. */
  hear({ type, properties }: OpencodeEvent): boolean {
    const { part, partID, field, delta }: EventProperties = properties ?? {}
    if (type === 'message.part.updated' && part) {
      const { id } = part
      if (part.type === 'reasoning') this.#streaming = { id, isReasoning: true }
      else if (part.type === 'text') this.#streaming = { id, isReasoning: false }
    }
    // Older versions put what is new beside the part.
    const isNew = type === 'message.part.delta' ? field === 'text' : part !== undefined
    const id = partID ?? part?.id
    if (!isNew || this.#isCut || typeof delta !== 'string' || id !== this.#streaming?.id)
      return false
    this.#isCut = this.guard.pushText(delta, this.#streaming?.isReasoning ? 'reasoning' : 'text')
    return this.#isCut
  }

  /** Ends the last step, or one that was interrupted. */
  end(): void {
    if (this.#isUnderWay) this.#endStep({ text: this.#text })
  }

  #endStep(content: StepContent): boolean {
    this.#text = ''
    this.#isUnderWay = false
    return this.guard.endStep(content)
  }

  /** Nothing is new at the first request: what was there is from other runs. */
  #newIn(messages: readonly OpencodeMessage[]): readonly OpencodeMessage[] {
    const index = messages.findIndex(({ info }) => info.id === this.#lastRead)
    return index < 0 ? [] : messages.slice(index + 1)
  }
}

function contentOf(messages: readonly OpencodeMessage[]): StepContent {
  const parts = messages
    .filter(({ info }) => info.role === 'assistant' && !info.summary)
    .flatMap((message) => message.parts)
  const tools = parts.filter(isTool)
  return {
    calls: tools.map(({ callID: id, tool: name, state }) => ({ id, name, args: state.input })),
    results: tools.flatMap(({ callID: id, tool: name, state }) => {
      const result = resultOf(state)
      return result ? { id, name, ...result } : []
    }),
    text: parts.map(({ type, text = '' }) => (type === 'text' ? text : '')).join(''),
  }
}

type ToolPart = OpencodePart & Required<Pick<OpencodePart, 'callID' | 'tool' | 'state'>>

const isTool = (part: OpencodePart): part is ToolPart => part.type === 'tool'

function resultOf({ status, output, error, metadata }: ToolState): ToolResult | undefined {
  // A command that failed is still completed.
  if (status === 'completed') return { ok: !metadata?.exit, output }
  if (status !== 'error' || NOT_FROM_TOOL.test(error ?? '')) return undefined
  return { ok: false, output: error }
}
