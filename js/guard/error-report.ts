/**
 * Calls the user's callbacks, and keeps whatever goes wrong away from the agent.
 *
 * @module
 */

import { reasonOf } from '../input/check.js'

type Callback = ((...args: never[]) => unknown) | undefined

/** Reports a guard's errors. */
export class ErrorReport {
  readonly #onError: ((error: unknown) => unknown) | undefined
  #hasWarned = false

  constructor(onError: ((error: unknown) => unknown) | undefined) {
    this.#onError = onError
  }

  /** Passes an error to `onError`; without one, the first error is shown with `console.warn`. */
  report(error: unknown): void {
    if (this.#onError) {
      call(this.#onError, [error], ignore)
      return
    }
    // Once: a tool that is called a thousand times would otherwise fill the log.
    if (this.#hasWarned) return
    this.#hasWarned = true
    call(
      globalThis.console?.warn,
      [`loophound: the guard lets the agent go on unwatched after an error: ${reasonOf(error)}`],
      ignore,
    )
  }

  /** Runs a part of the guard; if it throws, reports that and returns the fallback. */
  attempt<T>(fallback: T, part: () => T): T {
    try {
      return part()
    } catch (error) {
      this.report(error)
      return fallback
    }
  }

  /** Calls a user's callback; what it throws, now or later, is reported. */
  notify<Args extends unknown[]>(
    callback: ((...args: Args) => unknown) | undefined,
    ...args: Args
  ): void {
    call(callback, args, (error) => this.report(error))
  }
}

function call(callback: Callback, args: unknown[], failed: (error: unknown) => void): void {
  try {
    const answer = callback?.(...(args as never[]))
    if (isThenable(answer)) answer.then(ignore, failed)
  } catch (error) {
    failed(error)
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    'then' in value &&
    typeof value.then === 'function'
  )
}

function ignore(): void {}
