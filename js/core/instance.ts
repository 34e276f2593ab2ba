/**
 * One running instance of the engine, and what becomes of it when it breaks.
 *
 * @module
 */
import type { Glue } from '../../build/core/glue.js'
import { lostError } from './errors.js'
import { Scratch } from './scratch.js'

type Exports = Record<string, unknown>

/**
 * Each instance has glue of its own. wasm-bindgen's glue remembers its instance
 * in a module-level variable; shared by two instances, a detector of the first
 * would read and free memory of the second.
 */
export class Core {
  readonly Engine: Glue['Engine']
  readonly Swarm: Glue['Swarm']
  readonly fingerprint: Glue['fingerprint']
  readonly presetOptions: Glue['presetOptions']
  /** Where strings are handed over; see {@link Scratch}. */
  readonly scratch: Scratch

  readonly #glue: Glue
  readonly #forget: (core: Core) => void

  constructor(instance: WebAssembly.Instance, glue: Glue, forget: (core: Core) => void) {
    this.#glue = glue
    this.#forget = forget
    this.Engine = glue.Engine
    this.Swarm = glue.Swarm
    this.fingerprint = glue.fingerprint
    this.presetOptions = glue.presetOptions
    const { memory, __wbindgen_start } = instance.exports
    this.scratch = new Scratch(glue.scratch, memory as WebAssembly.Memory)
    glue.__wbg_set_wasm(this.#guarded(instance.exports))
    ;(__wbindgen_start as () => void)()
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
      guarded[name] = typeof value === 'function' ? this.#guard(value as EngineFunction) : value
    }
    return guarded
  }

  #guard(call: EngineFunction): EngineFunction {
    return (...args) => {
      try {
        return call(...args)
      } catch (cause) {
        throw this.#lose(cause)
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
