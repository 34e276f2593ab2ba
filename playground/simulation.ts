/**
 * A small agent that a visitor steers, with a real guard around it. Everything follows from the
 * moves: the same moves and options always lead to the same run.
 *
 * @module
 */

import {
  type Explanation,
  type LoopDetectorOptions,
  LoopGuard,
  type ToolCall,
  type Verdict,
} from 'loophound'

/** What the agent can do next. */
export const MOVES = ['repeat', 'vary', 'fix', 'poll'] as const
export type Move = (typeof MOVES)[number]

/** One step of the agent. */
export interface Step {
  /** Counted from 1. */
  readonly number: number
  readonly move: Move
  readonly call: { readonly name: string; readonly args: Readonly<Record<string, unknown>> }
  /** What the guard put into the conversation before the model was asked. */
  readonly nudge: string | null
  /** Whether the tool ran. */
  readonly hasRun: boolean
  /** What the model gets as the result: the tool's, or the guard's refusal. */
  readonly output: string
  readonly isFailure: boolean
  /** The most severe verdict of the step. */
  readonly verdict: Verdict | null
}

/** A run. */
export interface Run {
  readonly steps: readonly Step[]
  /** Why it was stopped; `null` while it is not. */
  readonly stopped: string | null
  /** Why the latest verdict is what it is; `null` before the first step. */
  readonly explanation: Explanation | null
}

/** A call and its result. */
type Outcome = Pick<Step, 'call' | 'output' | 'isFailure'>

/** The most moves of a run. */
export const MOST_MOVES = 200

const FLAGS = ['--verbose', '--runInBand', '--no-cache', '--bail', '--silent', '--forceExit']
const ACTIONS = ['continue', 'nudge', 'block', 'stop']

/**
 * Runs the agent.
 *
 * @throws TypeError or RangeError for options that a detector refuses.
 */
export function simulate(moves: readonly Move[], options: LoopDetectorOptions): Run {
  let mostSevere: Verdict | null = null
  const guard = new LoopGuard({
    detector: options,
    onWarning: false,
    onVerdict: (verdict) => {
      const isMoreSevere =
        ACTIONS.indexOf(verdict.action) > ACTIONS.indexOf(mostSevere?.action ?? 'continue')
      if (isMoreSevere) mostSevere = verdict
    },
  })
  try {
    const steps: Step[] = []
    const world = new World()
    for (const [index, move] of moves.slice(0, MOST_MOVES).entries()) {
      mostSevere = null
      if (!guard.beginStep()) break
      const nudge = guard.takeNudge()
      const { call, output, isFailure } = world.act(move)
      const id = `call_${index + 1}`
      const decision = guard.call({ ...call, id } satisfies ToolCall)
      if (decision.run) guard.result({ id, ok: !isFailure, output })
      guard.endStep()
      steps.push({
        number: index + 1,
        move,
        call,
        nudge,
        hasRun: decision.run,
        output: decision.run ? output : decision.reply,
        isFailure: decision.run && isFailure,
        verdict: mostSevere,
      })
    }
    const explanation = steps.length > 0 ? guard.detector.explain() : null
    return { steps, stopped: guard.outcome.summary, explanation }
  } finally {
    guard.free()
  }
}

/** What the agent's tools work on: a program with a failing test, and a deployment. */
class World {
  #fixes = 0
  #variants = 0
  #polls = 0

  act(move: Move): Outcome {
    switch (move) {
      case 'repeat':
        return this.#test('npm test')
      case 'vary':
        this.#variants += 1
        return this.#test(`npm test -- ${FLAGS[this.#variants % FLAGS.length]}`)
      case 'fix':
        this.#fixes += 1
        return {
          call: {
            name: 'edit_file',
            args: {
              path: 'src/cart.ts',
              old: `total = ${this.#fixes - 1}`,
              new: `total = ${this.#fixes}`,
            },
          },
          output: `Changed line ${10 + this.#fixes * 7} of src/cart.ts.`,
          isFailure: false,
        }
      case 'poll':
        this.#polls += 1
        return {
          call: { name: 'deploy_status', args: { deployment: 'web-42' } },
          output: 'status: pending',
          isFailure: false,
        }
    }
  }

  /** Each fix makes another test fail: the output is new after it, and only then. */
  #test(command: string): Outcome {
    const names = ['adds items', 'removes items', 'applies a voucher', 'rounds the total']
    const name = names[this.#fixes % names.length]
    return {
      call: { name: 'bash', args: { command } },
      output: `FAIL test/cart.test.ts > ${name}\nAssertionError: expected ${this.#fixes + 3} to be ${this.#fixes + 4}`,
      isFailure: true,
    }
  }
}
