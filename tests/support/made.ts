/** Detectors that are freed when their test is over. */

import { LoopDetector } from 'loophound'
import { afterEach } from 'vitest'

const made: LoopDetector[] = []

export function detector(options?: ConstructorParameters<typeof LoopDetector>[0]): LoopDetector {
  const fresh = new LoopDetector(options)
  made.push(fresh)
  return fresh
}

afterEach(() => {
  for (const one of made.splice(0)) one.free()
})

/** Calls a method the way JavaScript may, without the compiler's protection. */
export function untyped<T>(value: unknown): T {
  return value as T
}
