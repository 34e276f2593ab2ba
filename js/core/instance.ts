/**
 * One running instance of the engine, and what becomes of it when it breaks.
 *
 * @module
 */
import type { Glue } from '../../build/core/glue.js'
import { busyError, lostError } from './errors.js'
import { Scratch } from './scratch.js'

/** What the engine answers to an event. */
export type Answer = ReturnType<InstanceType<Glue['Engine']>['beginTurn']>

type Exports = Record<string, unknown>

const UNREADABLE = 'the engine could not read its buffer'

/** What the glue calls for itself, also from inside a host function. */
const INTERNAL = /^__(?!wbg_.*_free$)/

/**
 * Each instance has glue of its own. wasm-bindgen's glue remembers its instance
 * in a module-level variable; shared by two instances, a detector of the first
 * would read and free memory of the second.
 */
export class Core {
  readonly Engine: Glue['Engine']
  readonly Swarm: Glue['Swarm']
  readonly presetOptions: Glue['presetOptions']
  readonly CallFlag: Glue['CallFlag']
  readonly ResultFlag: Glue['ResultFlag']

  readonly #glue: Glue
  readonly #scratch: Scratch
  readonly #forget: (core: Core) => void
  // Whether the engine is running: a host function that it calls must not call it in turn.
  #isBusy = false

  constructor(instance: WebAssembly.Instance, glue: Glue, forget: (core: Core) => void) {
    this.#glue = glue
    this.#forget = forget
    this.Engine = glue.Engine
    this.Swarm = glue.Swarm
    this.presetOptions = glue.presetOptions
    this.CallFlag = glue.CallFlag
    this.ResultFlag = glue.ResultFlag
    const { memory, __wbindgen_start } = instance.exports
    this.#scratch = new Scratch(glue.scratch, memory as WebAssembly.Memory)
    glue.__wbg_set_wasm(this.#guarded(instance.exports))
    ;(__wbindgen_start as () => void)()
  }

  /** Where strings are handed over; see {@link Scratch}. */
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
    if (answer === this.#glue.Answer.Failed) {
      throw this.#lose(new Error(UNREADABLE))
    }
    return answer
  }

  /** The readable fingerprint of a call; `args` is their text, or `undefined` for none. */
  fingerprint(name: string, args: string | undefined): string {
    const { scratch } = this
    scratch.write(args ?? '', name)
    const flags = args === undefined ? this.CallFlag.NoArgs : 0
    const text = this.#glue.fingerprint(scratch.first, scratch.second, flags)
    if (text === undefined) throw this.#lose(new Error(UNREADABLE))
    return text
  }

  /**
   * The exports, each watched. The engine returns its errors, so an exception
   * that leaves an export has unwound through Rust without cleaning up: a trap,
   * an overflown stack, a host function that threw. Whatever it was, that memory
   * can no longer be trusted.
   */
  #guarded(exports: Exports): Exports {
    const guarded: Exports = {}
    for (const [name, value] of Object.entries(exports)) {
      guarded[name] =
        typeof value === 'function'
          ? this.#guard(value as EngineFunction, INTERNAL.test(name))
          : value
    }
    return guarded
  }

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

type EngineFunction = (...args: unknown[]) => unknown
