/**
 * One running instance of the engine, and what happens when it breaks.
 *
 * @module
 */

import type { Glue } from '../../build/core/glue.js'
import { busyError, lostError } from './errors.js'
import { Scratch } from './scratch.js'

/** What the engine answers to an event: the verdict's action as a number. */
export type Answer = ReturnType<InstanceType<Glue['Engine']>['beginTurn']>

type Exports = Record<string, unknown>
type EngineFunction = (...args: unknown[]) => unknown

/** Exports that the glue uses itself, also while the engine is calling a host function. */
const INTERNAL = /^__/

/**
 * An instance with its own glue. wasm-bindgen's glue keeps its instance in a module-level variable;
 * shared by two instances, a detector of the first would read and free memory of the second.
 */
export class EngineInstance {
  readonly Engine: Glue['Engine']
  readonly Swarm: Glue['Swarm']
  readonly CallFlag: Glue['CallFlag']
  readonly ResultFlag: Glue['ResultFlag']
  readonly presetOptions: Glue['presetOptions']

  readonly #glue: Glue
  readonly #scratch: Scratch
  readonly #forget: (instance: EngineInstance) => void
  #isBusy = false

  constructor(
    instance: WebAssembly.Instance,
    glue: Glue,
    forget: (instance: EngineInstance) => void,
  ) {
    this.#glue = glue
    this.#forget = forget
    this.Engine = glue.Engine
    this.Swarm = glue.Swarm
    this.CallFlag = glue.CallFlag
    this.ResultFlag = glue.ResultFlag
    this.presetOptions = glue.presetOptions
    const { memory, __wbindgen_start } = instance.exports
    this.#scratch = new Scratch(glue.scratch, memory as WebAssembly.Memory)
    glue.__wbg_set_wasm(this.#guardAll(instance.exports))
    ;(__wbindgen_start as () => void)()
  }

  /**
   * Where strings are handed over; see {@link Scratch}.
   *
   * @throws TypeError while the engine is running: it may be reading what is there.
   */
  get scratch(): Scratch {
    if (this.#isBusy) throw busyError()
    return this.#scratch
  }

  /**
   * Passes on the answer to an event that was recorded.
   *
   * @throws Error when the engine could not read the event: its memory cannot be trusted any more.
   */
  recorded(answer: Answer): Answer {
    if (answer === this.#glue.Answer.Failed) throw this.#unreadable()
    return answer
  }

  /**
   * Releases the memory of a detector or a swarm.
   *
   * @throws TypeError while the engine is running: it may be using that memory.
   */
  free(handle: { free(): void } | null): void {
    if (this.#isBusy) throw busyError()
    handle?.free()
  }

  /** Returns the readable fingerprint of a call. */
  fingerprint(name: string, args: string | undefined): string {
    const { scratch } = this
    scratch.write(args ?? '', name)
    const flags = args === undefined ? this.CallFlag.NoArgs : 0
    const text = this.#glue.fingerprint(scratch.first, scratch.second, flags)
    if (text === undefined) throw this.#unreadable()
    return text
  }

  #guardAll(exports: Exports): Exports {
    const guarded: Exports = {}
    for (const [name, value] of Object.entries(exports)) {
      guarded[name] =
        typeof value === 'function'
          ? this.#guard(value as EngineFunction, INTERNAL.test(name))
          : value
    }
    return guarded
  }

  /**
   * Wraps an export, so that whatever it throws ends this instance. The engine returns its errors: an
   * exception that leaves an export has unwound through Rust without cleaning up (a trap, a stack
   * overflow, a host function that threw), and that memory can no longer be trusted.
   *
   * A host function that the engine calls must not call the engine in turn: such a call is refused
   * before it reaches the engine, which is not harmed.
   */
  #guard(call: EngineFunction, isInternal: boolean): EngineFunction {
    return (...args) => {
      const wasBusy = this.#isBusy
      if (wasBusy && !isInternal) throw busyError()
      this.#isBusy = true
      try {
        return call(...args)
      } catch (cause) {
        throw this.#lose(cause)
      } finally {
        this.#isBusy = wasBusy
      }
    }
  }

  #unreadable(): Error {
    return this.#lose(new Error('the engine could not read its buffer'))
  }

  /** From here on every use of this instance fails with the reason; new detectors get a new one. */
  #lose(cause: unknown): Error {
    const error = lostError(cause)
    this.#glue.__wbg_set_wasm(
      new Proxy(
        {},
        {
          get(_, name) {
            // Freeing goes on, also from the garbage collector: it has nothing left to do.
            if (String(name).endsWith('free')) return () => {}
            throw error
          },
        },
      ),
    )
    this.#forget(this)
    return error
  }
}
