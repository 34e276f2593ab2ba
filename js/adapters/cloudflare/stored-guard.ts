/**
 * A guard that outlives the memory of its Durable Object.
 *
 * @module
 */

import {
  type Decision,
  type Extension,
  type GuardOptions,
  LoopGuard,
  type PresetName,
  type StepContent,
  type ToolCall,
} from 'loophound'
import type { GuardStorage } from './types.js'

/** The storage key of the snapshot. */
const KEY = 'loophound:guard'

/**
 * A {@link LoopGuard} that keeps its snapshot in the storage of a Durable Object, and continues
 * from it when the object is back after hibernation, eviction or a deployment. It is saved with
 * each call and each step and, unlike the state of an agent, never sent to clients.
 *
 * A snapshot that does not fit because the options changed is dropped: the guard starts over, and
 * calls `onWarning`.
 *
 * @example
 * ```ts
 * class Chat extends AIChatAgent<Env> {
 *   readonly loopGuard = new StoredLoopGuard(this.ctx.storage)
 * }
 * ```
 */
export class StoredLoopGuard extends LoopGuard {
  readonly #storage: GuardStorage
  readonly #key: string

  /**
   * @param storage `ctx.storage` of an object whose class has SQLite storage.
   * @param options A preset's name, or options of a guard.
   * @param key Where it is stored, if the object has more than one guard.
   * @throws TypeError or RangeError for options that a guard would refuse.
   */
  constructor(storage: GuardStorage, options?: PresetName | GuardOptions, key: string = KEY) {
    super(options)
    this.#storage = storage
    this.#key = key
    this.#load()
  }

  override call(call: ToolCall): Decision {
    const decision = super.call(call)
    this.#save()
    return decision
  }

  override calls(calls: readonly ToolCall[]): readonly Decision[] {
    const decisions = super.calls(calls)
    this.#save()
    return decisions
  }

  override endStep(content?: StepContent): boolean {
    const mustStop = super.endStep(content)
    this.#save()
    return mustStop
  }

  override takeNudge(options?: { readonly sticky?: boolean }): string | null {
    const isNew = this.nudge !== null
    const nudge = super.takeNudge(options)
    if (isNew) this.#save()
    return nudge
  }

  override userMessage(): void {
    super.userMessage()
    this.#save()
  }

  override contextCompacted(): void {
    super.contextCompacted()
    this.#save()
  }

  override extend(by: Extension): number {
    const granted = super.extend(by)
    this.#save()
    return granted
  }

  /** Forgets everything but the options, including the stored snapshot. */
  override reset(): void {
    super.reset()
    this.#save()
  }

  #load(): void {
    try {
      const saved = this.#storage.kv.get(this.#key)
      if (saved !== undefined) this.restore(saved)
    } catch (error) {
      this.warn({
        code: 'snapshot-dropped',
        message: `The stored snapshot cannot be used: ${messageOf(error)}`,
        remedy: 'Nothing has to be done after a change of options; the guard has started over.',
      })
    }
  }

  #save(): void {
    try {
      this.#storage.kv.put(this.#key, this.snapshot())
    } catch (error) {
      this.warn({
        code: 'snapshot-not-stored',
        message: `The snapshot cannot be stored: ${messageOf(error)}`,
        remedy: 'Pass ctx.storage of a Durable Object whose class has SQLite storage.',
      })
    }
  }
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
