/**
 * Calls the user's callbacks, and keeps errors away from the agent.
 *
 * @module
 */

import { reasonOf } from '../input/check.js'
import { cleanLine } from '../input/clean.js'

/** How much of an error is shown, in characters. */
const LONGEST_REASON = 500

type Callback = ((...args: never[]) => unknown) | undefined

/** Reports a guard's errors. */
export class ErrorReport {
  readonly #onError: ((error: unknown) => unknown) | undefined
  readonly #onUnreadable: (isSaid: boolean) => void
  #hasWarned = false

  /**
   * @param onUnreadable Called when a part of the guard cannot read what it was given, with whether the
   *   console shows why.
   */
  constructor(
    onError: ((error: unknown) => unknown) | undefined,
    onUnreadable: (isSaid: boolean) => void,
  ) {
    this.#onError = onError
    this.#onUnreadable = onUnreadable
  }

  /** Passes an error to `onError`; without one, the first error is shown with `console.warn`. */
  report(error: unknown): void {
    if (this.#onError) {
      notify(this.#onError, [error], ignore)
      return
    }
    // Only once: a tool that is called a thousand times would fill the log.
    if (this.#hasWarned) return
    this.#hasWarned = true
    // The error may quote a call or a result: it must not control the terminal.
    const reason = cleanLine(reasonOf(error), LONGEST_REASON)
    notify(
      globalThis.console?.warn,
      [`loophound: the guard lets the agent go on unwatched after an error: ${reason}`],
      ignore,
    )
  }

  /** Runs a part of the guard; if it throws, reports that and returns the fallback. */
  attempt<T>(fallback: T, part: () => T): T {
    try {
      return part()
    } catch (error) {
      this.report(error)
      if (error instanceof TypeError) this.#onUnreadable(!this.#onError)
      return fallback
    }
  }

  /** Calls a user's callback; what it throws, now or later, is reported. */
  notify<Args extends unknown[]>(
    callback: ((...args: Args) => unknown) | undefined,
    ...args: Args
  ): void {
    notify(callback, args, (error) => this.report(error))
  }
}

/** Calls a user's callback; what it throws, now or later, is passed to `failed`. */
export function notify(
  callback: Callback,
  args: unknown[],
  failed: (error: unknown) => void,
): void {
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

/** Takes anything and does nothing. */
export function ignore(): void {}
