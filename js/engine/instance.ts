/**
 * One running instance of the engine, and what happens when it breaks.
 *
 * @module
 */

import type { Glue } from '../../build/core/glue.js'
import { busyError, lostError } from './errors.js'
import { Scratch } from './scratch.js'

/** The engine's answer to an event: the action of the verdict as a number. */
export type Answer = ReturnType<InstanceType<Glue['Engine']>['beginTurn']>

type Exports = Record<string, unknown>
type EngineFunction = (...args: unknown[]) => unknown

/** Exports that the glue uses itself, even while the engine is calling a host function. */
const INTERNAL = /^__/

/**
 * An instance with its own glue. wasm-bindgen's glue keeps its instance in a module-level variable;
 * if two instances shared it, a detector of the first would read and free memory of the second.
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
   * The buffer through which strings are passed; see {@link Scratch}.
   *
   * @throws TypeError while the engine is running: it may be reading the buffer.
   */
  get scratch(): Scratch {
    if (this.#isBusy) throw busyError()
    return this.#scratch
  }

  /**
   * Returns the answer to an event, if the event was recorded.
   *
   * @throws Error when the engine could not read the event: its memory can no longer be trusted.
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
   * Wraps an export, so that any exception ends this instance. The engine returns its errors, so an
   * exception from an export (a trap, a stack overflow, a host function that threw) has unwound
   * through Rust without cleaning up, and the memory can no longer be trusted.
   *
   * A host function that the engine calls must not call the engine: such a call is refused before
   * it reaches the engine, which keeps working.
   */
  #guard(call: EngineFunction, isInternal: boolean): EngineFunction {
    // No export has more parameters; collecting them in a list would take longer than most calls.
    return (a, b, c, d, e, f, g) => {
      const wasBusy = this.#isBusy
      if (wasBusy && !isInternal) throw busyError()
      this.#isBusy = true
      try {
        return call(a, b, c, d, e, f, g)
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

  /**
   * Makes every further use of this instance fail with the cause; new detectors get a new instance.
   */
  #lose(cause: unknown): Error {
    const error = lostError(cause)
    this.#glue.__wbg_set_wasm(
      new Proxy(
        {},
        {
          get(_, name) {
            // Freeing, also by the garbage collector, must not throw: there is nothing left
            // to free.
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
