/**
 * A promise that is kept or broken from outside, and made anew once it was broken.
 *
 * @module
 */

export class Completion<T> {
  promise!: Promise<T>
  #resolve!: (value: T | PromiseLike<T>) => void
  #reject!: (error: unknown) => void

  constructor() {
    this.#renew()
  }

  resolve(value: T | PromiseLike<T>): void {
    this.#resolve(value)
  }

  /** Whoever waits is told; where nobody does, that is no error of its own. */
  fail(error: unknown): void {
    this.promise.catch(() => {})
    this.#reject(error)
    this.#renew()
  }

  #renew(): void {
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }
}
