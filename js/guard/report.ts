/**
 * Tells the user's callbacks, and lets nothing they do reach the agent.
 *
 * @module
 */

import { reasonOf } from '../describe.js'

type Callback = ((...args: never[]) => unknown) | undefined

/** Where a guard's errors go. */
export class ErrorReport {
  readonly #onError: ((error: unknown) => unknown) | undefined
  #isTold = false

  constructor(onError: ((error: unknown) => unknown) | undefined) {
    this.#onError = onError
  }

  tell(error: unknown): void {
    if (this.#onError) {
      call(this.#onError, [error], ignore)
      return
    }
    // Once: a tool that is called a thousand times would otherwise fill the log.
    if (this.#isTold) return
    this.#isTold = true
    call(
      globalThis.console?.warn,
      [`loophound: the guard lets the agent go on unwatched after an error: ${reasonOf(error)}`],
      ignore,
    )
  }

  /** Runs a part of the guard; what it throws is told here, and the answer is the harmless one. */
  attempt<T>(harmless: T, part: () => T): T {
    try {
      return part()
    } catch (error) {
      this.tell(error)
      return harmless
    }
  }

  /** Calls a user's callback; what it throws, now or later, is told here. */
  guarded<Args extends unknown[]>(
    callback: ((...args: Args) => unknown) | undefined,
    ...args: Args
  ): void {
    call(callback, args, (error) => this.tell(error))
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
