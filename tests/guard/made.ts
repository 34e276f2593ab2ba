/** Guards for tests: what they report is kept, and they are freed when their test is over. */

import { type GuardOptions, LoopGuard, type Verdict, type VerdictContext } from 'loophound'
import { afterEach } from 'vitest'

const made: LoopGuard[] = []

afterEach(() => {
  for (const one of made.splice(0)) one.free()
})

/** Nudges at the 3rd identical call, refuses the 4th, stops at the 5th; nothing else. */
export const LADDER = {
  preset: 'nudge',
  detectors: {
    'exact-repeat': {
      threshold: 3,
      climb: 'count',
      rungs: [
        { at: 3, action: 'nudge', level: 'notice' },
        { at: 4, action: 'block', level: 'warning' },
        { at: 5, action: 'stop', level: 'critical' },
      ],
    },
    'fuzzy-repeat': false,
    'test-fix': false,
    'failure-cascade': false,
    summary: false,
  },
} as const satisfies GuardOptions['detector']

/** Speaks only with results: refuses after the 3rd command in a row that failed, stops after the 4th. */
export const FAILURES = {
  ...LADDER,
  detectors: {
    ...LADDER.detectors,
    'exact-repeat': false,
    'failure-cascade': {
      threshold: 3,
      climb: 'count',
      rungs: [
        { at: 3, action: 'block', level: 'warning' },
        { at: 4, action: 'stop', level: 'critical' },
      ],
    },
  },
} as const satisfies GuardOptions['detector']

export interface Watched {
  readonly guard: LoopGuard
  readonly verdicts: { readonly verdict: Verdict; readonly context: VerdictContext }[]
  readonly errors: unknown[]
}

export function watched(options: GuardOptions = {}): Watched {
  const verdicts: Watched['verdicts'] = []
  const errors: unknown[] = []
  const guard = new LoopGuard({
    detector: LADDER,
    onWarning: false,
    onVerdict: (verdict, context) => verdicts.push({ verdict, context }),
    onError: (error) => errors.push(error),
    ...options,
  })
  made.push(guard)
  return { guard, verdicts, errors }
}

/** A step of one call, which runs if it may. */
export function step(guard: LoopGuard, id: string, name = 'ls', args: unknown = {}, ok = true) {
  guard.beginStep()
  const decision = guard.call({ id, name, args })
  if (decision.run) guard.result({ id, ok, output: ok ? 'ok' : 'exit code 1' })
  return { decision, stop: guard.endStep() }
}

/** The same, with a command that fails. */
export const failingStep = (guard: LoopGuard, id: string) =>
  step(guard, id, 'bash', { command: 'make' }, false)
