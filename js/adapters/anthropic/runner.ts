/**
 * A tool runner whose steps a guard watches.
 *
 * @module
 */

import type { LoopGuard } from 'loophound'
import { Steps } from './steps.js'
import type { ToolRunner } from './types.js'

/** The same runner, of which the guard sees each step, and which ends where the guard says so. */
export function guardRunner<Runner extends ToolRunner>(runner: Runner, guard: LoopGuard): Runner {
  const steps = new Steps(runner, guard)
  return new Proxy(runner, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      switch (name) {
        case Symbol.asyncIterator:
          return () => steps.iterate()
        case 'done':
          return () => steps.done
        case 'runUntilDone':
          return () => steps.runUntilDone()
        case 'then':
          return (...handlers: Parameters<Promise<unknown>['then']>) =>
            steps.runUntilDone().then(...handlers)
        case 'setMessagesParams':
        case 'pushMessages':
          return (...args: unknown[]) => {
            steps.isTakenOver = true
            return value.apply(target, args)
          }
        default:
          // Bound to the runner itself, which has private fields.
          return value.bind(target)
      }
    },
  })
}
