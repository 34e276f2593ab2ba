/**
 * The runs of a plugin: an invocation, or one branch of it.
 *
 * @module
 */

import type { Content, InvocationContext, LlmResponse, Part } from '@google/adk'
import type { Decision, LoopGuard, ToolCall, ToolResult } from 'loophound'
import type { GuardSource } from '../shared/guards.js'
import { HeldResults } from '../shared/held-results.js'
import { keyedGuards } from '../shared/keyed-guards.js'

/** A run, for a function that returns its guard. */
export interface RunInfo {
  readonly appName: string
  readonly userId: string
  readonly sessionId: string
  readonly invocationId: string
  /** The agents of a `ParallelAgent` run in a branch each; `null` outside of one. */
  readonly branch: string | null
}

/** The tool name for code that the model's provider runs itself. */
const CODE = 'code_execution'

/** The text and calls of a run since the last step ended. */
export class Run {
  readonly guard: LoopGuard
  readonly #results: HeldResults
  /** The calls whose tools threw: what they return is not the tool's result. */
  readonly #failed = new Set<string | undefined>()
  /** The calls of this step: a request to the model has no ids that the ADK made itself. */
  #asked: { readonly id: string | undefined; readonly name: string }[] = []
  /** A prefix for ids, which must be new to a guard that was restored from a snapshot. */
  readonly #prefix = Math.random().toString(36).slice(2)
  #number = 0
  #response: readonly Part[] = []
  /** The text of a stream that the user already has. */
  #streamed = ''
  #isCut = false

  constructor(guard: LoopGuard) {
    this.guard = guard
    this.#results = new HeldResults(guard)
  }

  call(call: { id: string | undefined; name: string; args: unknown }): Decision {
    this.#asked.push(call)
    return this.guard.call(call)
  }

  /**
   * Ends the step.
   *
   * @param contents The next request to the model. It has the results of tools that do not run
   * here.
   */
  endStep(contents: readonly Content[] = []): void {
    const { calls, results } = hostedCalls(
      this.#response,
      () => `${this.#prefix}_${this.#number++}`,
    )
    this.#results.endStep({
      calls,
      results: [...results, ...lastResults(contents).map((result) => this.#withId(result))],
      text: textOf(this.#response),
    })
    this.#failed.clear()
    this.#asked = []
    this.#response = []
    this.#streamed = ''
  }

  /** Adds the id of the call that a result is of: results come in the order of their calls. */
  #withId(result: ToolResult): ToolResult {
    if (result.id !== undefined) return result
    const index = this.#asked.findIndex(({ name }) => name === result.name)
    const [call] = index < 0 ? [] : this.#asked.splice(index, 1)
    return { ...result, id: call?.id }
  }

  /** Reads a response, or a piece of one; returns whether to cut the stream off. */
  hear({ content, partial }: LlmResponse): boolean {
    const parts = content?.parts ?? []
    if (partial !== true) {
      // A streamed response ends with all of its text once more.
      this.#response = parts
      return false
    }
    for (const { text, thought } of parts) {
      if (typeof text !== 'string') continue
      this.#isCut ||= this.guard.pushText(text, thought === true ? 'reasoning' : 'text')
      if (thought !== true && !this.#isCut) this.#streamed += text
    }
    return this.#isCut
  }

  /** Returns the text of a stream that was cut off, once; `null` if none was. */
  takeCut(): string | null {
    if (!this.#isCut) return null
    this.#isCut = false
    return this.#streamed
  }

  ignore(id: string | undefined): void {
    this.#failed.add(id)
  }

  fail(result: ToolResult): void {
    this.ignore(result.id)
    this.#results.hold(result)
  }

  /** Records the result of a call, unless it failed: then it is already recorded. */
  answer(result: ToolResult): void {
    if (!this.#failed.has(result.id)) this.#results.hold(result)
  }
}

/** Finds the runs by what the ADK passes to a plugin. */
export class Runs {
  readonly #guardOf: (run: RunInfo) => LoopGuard
  /** By configuration, of which each invocation has its own, and by branch. */
  readonly #runs = new WeakMap<object, Map<string, Run>>()

  constructor(source: GuardSource<RunInfo> | undefined) {
    this.#guardOf = keyedGuards(source, keyOf)
  }

  of(context: InvocationContext): Run {
    const owner = context.runConfig ?? context
    const branches = this.#runs.get(owner) ?? new Map<string, Run>()
    this.#runs.set(owner, branches)
    const branch = context.branch ?? ''
    const known = branches.get(branch)
    if (known) return known
    const run = new Run(this.#guardOf(infoOf(context)))
    branches.set(branch, run)
    return run
  }

  /** Returns all runs of an invocation. */
  all(context: InvocationContext): Iterable<Run> {
    return this.#runs.get(context.runConfig ?? context)?.values() ?? []
  }
}

function infoOf({ appName, userId, session, invocationId, branch }: InvocationContext): RunInfo {
  return { appName, userId, sessionId: session.id, invocationId, branch: branch ?? null }
}

/**
 * Returns the key of a run. A session is a conversation; the branches of an invocation end with it.
 */
function keyOf({ appName, userId, sessionId, invocationId, branch }: RunInfo): string {
  const session = `${appName}/${userId}/${sessionId}`
  return branch === null ? session : `${session}/${invocationId}/${branch}`
}

/**
 * Returns whether a message is from a person; results of long-running tools and approvals come as
 * messages, too.
 */
export function isFromPerson({ parts = [] }: Content): boolean {
  return parts.some(({ functionResponse }) => functionResponse === undefined)
}

/**
 * Returns whether a model sees nothing that it did itself: another agent takes over, or one without
 * a history begins again, such as in each round of a `LoopAgent`. What was read is new to it.
 */
export const hasForgotten = (contents: readonly Content[]): boolean =>
  !contents.some(({ role }) => role === 'model')

const textOf = (parts: readonly Part[]): string =>
  parts.map(({ text = '', thought }) => (thought === true ? '' : text)).join('')

/** Reads the results since the last model response; the guard ignores those that it already has. */
function lastResults(contents: readonly Content[]): ToolResult[] {
  const spoken = contents.findLastIndex(({ role }) => role === 'model')
  return contents.slice(spoken + 1).flatMap(({ parts = [] }) =>
    parts.flatMap(({ functionResponse }) => {
      if (functionResponse === undefined) return []
      const { id, name, response } = functionResponse
      return [{ id, name, output: response }]
    }),
  )
}

/** Collects code that the provider ran itself; it has no ids. */
function hostedCalls(
  parts: readonly Part[],
  nextId: () => string,
): { calls: ToolCall[]; results: ToolResult[] } {
  const calls: ToolCall[] = []
  const results: ToolResult[] = []
  let id = ''
  for (const { executableCode, codeExecutionResult } of parts) {
    if (executableCode) {
      id = nextId()
      calls.push({ id, name: CODE, args: { code: executableCode.code } })
    }
    if (codeExecutionResult && id !== '') {
      const { outcome, output } = codeExecutionResult
      results.push({ id, ok: outcome === 'OUTCOME_OK', output })
    }
  }
  return { calls, results }
}
