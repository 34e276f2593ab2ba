/**
 * One run of `generate`, turn by turn. Each turn is nested in the previous one: the hook around it
 * returns when all turns that follow are over.
 *
 * @module
 */

import type {
  GenerateActionOptions,
  GenerateRequest,
  GenerateResponseData,
  MessageData,
  Part,
  RunOptions,
  ToolRequestPart,
  ToolResponsePart,
} from 'genkit'
import type { LoopGuard, StepContent } from 'loophound'
import { HeldResults } from '../shared/held-results.js'
import { LoopStoppedError } from '../shared/stopped-error.js'
import { failureText } from '../shared/tools.js'

type AskModel = (request: GenerateRequest, options: RunOptions) => Promise<GenerateResponseData>
type RunTool = (
  request: ToolRequestPart,
  options: RunOptions,
) => Promise<ToolResponsePart | undefined>

export class Run {
  readonly #guard: LoopGuard
  readonly #results: HeldResults
  /** How many nested turns are running. */
  #depth = 0
  #mayAsk = true
  /** Whether calls that waited for a person are answered before the next turn. */
  #resumes = false

  constructor(guard: LoopGuard) {
    this.#guard = guard
    this.#results = new HeldResults(guard)
  }

  /** Runs a turn, and all that follow. */
  async turn(
    { messages, resume }: GenerateActionOptions,
    next: () => Promise<GenerateResponseData>,
  ): Promise<GenerateResponseData> {
    // The step of an interrupted run goes on: its calls are answered before the next turn.
    if (resume) this.#resumes = true
    else this.#begin(messages)
    this.#depth += 1
    try {
      const response = await next()
      // Calls that are returned, to a person or to your program, are answered in the same step.
      const isOver = this.#depth === 1 && !hasCalls(response)
      if (isOver) this.#results.endStep({ text: textOf(response.message?.content) })
      return response
    } finally {
      this.#depth -= 1
      if (this.#depth === 0) this.#results.flush()
    }
  }

  #begin(messages: readonly MessageData[]): void {
    this.#results.endStep(this.#resumes ? answeredCalls(messages) : {})
    this.#resumes = false
    if (this.#depth === 0 && messages.at(-1)?.role === 'user') this.#guard.userMessage()
    this.#mayAsk = this.#guard.beginStep()
  }

  /** Calls the model, with the nudge; after a stop, answers for it. */
  async model(
    request: GenerateRequest,
    options: RunOptions,
    next: AskModel,
  ): Promise<GenerateResponseData> {
    if (!this.#mayAsk) return this.#stop(request, options)
    const nudge = this.#guard.takeNudge({ sticky: true })
    const nudged = nudge === null ? request : withNudge(request, nudge)
    return options.onChunk
      ? watched(this.#guard, options, (watching) => next(nudged, watching))
      : next(nudged, options)
  }

  async tool(
    request: ToolRequestPart,
    options: RunOptions,
    next: RunTool,
  ): Promise<ToolResponsePart | undefined> {
    const { name, ref, input } = request.toolRequest
    const { reply } = this.#guard.call({ id: ref, name, args: input })
    const place = ref === undefined ? { name } : { name, ref }
    if (reply !== null) return { toolResponse: { ...place, output: { error: reply } } }
    try {
      const response = await next(request, options)
      const { output, content } = response?.toolResponse ?? {}
      if (response) this.#results.hold({ id: ref, name, output: output ?? content })
      return response
    } catch (error) {
      // A call that waits for a person comes back; an aborted one says nothing about the tool.
      const isOver = !isInterrupt(error) && !options.abortSignal?.aborted
      if (isOver) this.#results.hold({ id: ref, name, ok: false, output: failureText(error) })
      throw error
    }
  }

  /** Answers for the model, without calls, so that the run ends. */
  #stop({ output }: GenerateRequest, { onChunk }: RunOptions): GenerateResponseData {
    if (output?.schema !== undefined) throw new LoopStoppedError(this.#guard.stopped)
    const { outcome } = this.#guard
    const content = [{ text: outcome.summary ?? '' }]
    onChunk?.({ content })
    return {
      message: { role: 'model', content },
      finishReason: 'stop',
      custom: { loophound: { ...outcome } },
    }
  }
}

/** Adds the nudge to one request. The conversation never contains it. */
function withNudge(request: GenerateRequest, nudge: string): GenerateRequest {
  const message: MessageData = { role: 'user', content: [{ text: nudge }] }
  return { ...request, messages: [...request.messages, message] }
}

/** Runs a model call and watches its chunks; ends it early, with the text so far, if that loops. */
async function watched(
  guard: LoopGuard,
  options: RunOptions,
  ask: (options: RunOptions) => Promise<GenerateResponseData>,
): Promise<GenerateResponseData> {
  const { onChunk, abortSignal } = options
  const cut = new AbortController()
  let text = ''
  const watch: RunOptions['onChunk'] = (chunk) => {
    for (const part of chunk.content ?? []) {
      if (!loops(guard, part)) continue
      cut.abort(new Error(reasonOf(guard)))
      // Ends models that do not support the signal.
      throw cut.signal.reason
    }
    text += textOf(chunk.content)
    onChunk?.(chunk)
  }
  const signal = abortSignal ? AbortSignal.any([abortSignal, cut.signal]) : cut.signal
  try {
    const response = await ask({ ...options, onChunk: watch, abortSignal: signal })
    if (!cut.signal.aborted) return response
  } catch (error) {
    if (!cut.signal.aborted) throw error
  }
  return {
    message: { role: 'model', content: [{ text }] },
    finishReason: 'other',
    finishMessage: reasonOf(guard),
  }
}

function loops(guard: LoopGuard, { text, reasoning }: Part): boolean {
  if (typeof reasoning === 'string') return guard.pushText(reasoning, 'reasoning')
  return typeof text === 'string' && guard.pushText(text)
}

/** Returns why text was cut off, for people. */
const reasonOf = ({ detector }: LoopGuard): string =>
  detector.verdict.summary ?? 'The text repeats itself.'

const textOf = (parts: readonly Part[] = []): string => parts.map(({ text = '' }) => text).join('')

function hasCalls({ message }: GenerateResponseData): boolean {
  return message?.content.some(({ toolRequest }) => toolRequest) ?? false
}

/** Returns the calls of the last turn and their results; results that a person gave are only here. */
function answeredCalls(messages: readonly MessageData[]): StepContent {
  const parts = messages.slice(-2).flatMap(({ content }) => content)
  return {
    calls: parts.flatMap(({ toolRequest }) => {
      const { ref: id, name = '', input: args } = toolRequest ?? {}
      return id === undefined ? [] : [{ id, name, args }]
    }),
    results: parts.flatMap(({ toolResponse }) => {
      const { ref: id, output, content } = toolResponse ?? {}
      return id === undefined ? [] : [{ id, output: output ?? content }]
    }),
  }
}

/** Recognises a call that waits for a person, as Genkit itself does. */
const isInterrupt = (error: unknown): boolean =>
  (error as { name?: unknown } | null)?.name === 'ToolInterruptError'
