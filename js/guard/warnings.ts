/**
 * Warns, once each, about misuse that makes a guard miss loops: what is wrong, and the remedy.
 *
 * @module
 */

import { cleanLine } from '../input/clean.js'
import { ignore, notify } from './error-report.js'
import type { GuardWarning } from './types.js'

/** How many calls without a single result are too many. */
const CALLS_WITHOUT_RESULTS = 30

/** More different calls than this in one step are suspicious. */
const CALLS_IN_ONE_STEP = 64

/** How many steps had to be begun for a host that never ended one. */
const STEPS_NEVER_ENDED = 3

/** How many times a call without a result may be presented again after its step. */
const PRESENTED_AFTER_STEP = 16

/** How many results after the end of their step are a mistake in the host. */
const LATE_RESULTS = 5

/** How many calls after a stop are a mistake in the host. */
const CALLS_AFTER_STOP = 3

/** How many steps with the same call, a person speaking before each step, are suspicious. */
const EQUAL_CALLS_WITH_PERSON = 6

/** How many nudges that are reported as messages of a person are no accident. */
const NUDGES_AS_PERSON = 3

/** Of how many different calls at most: a person who talks to the agent asks for many. */
const DIFFERENT_CALLS_WITH_PERSON = 3

const WARNINGS = {
  'no-results': {
    message: 'No result was reported: only calls are compared.',
    remedy: 'Call guard.result({ id, output }) after each call.',
  },
  'unmatched-results': {
    message: 'No call has the ids of the results: only calls are compared.',
    remedy: 'Give guard.result() the id of the call.',
  },
  'no-step-end': {
    message: 'Steps are never ended: repeated calls look parallel.',
    remedy: 'Call guard.endStep() after the results of each model response.',
  },
  'late-results': {
    message: 'Results come after their step, as if agents shared this guard.',
    remedy: 'Call guard.endStep() after the results; give each agent a guard.',
  },
  'stop-ignored': {
    message: 'Calls after a stop are refused.',
    remedy: 'End the run if beginStep() returns false.',
  },
  'user-message-every-turn': {
    message: 'A call is repeated, but userMessage() restarts its count.',
    remedy: 'Call guard.userMessage() only when a person speaks, not for a nudge.',
  },
  'unreadable-input': {
    message: 'A call, a result or a text could not be read: it is not watched.',
    remedy: 'See onError. Give calls as { id, name, args }, results as { id, output }.',
  },
  'ids-reused': {
    message: 'Calls have the ids of earlier calls.',
    remedy: 'Give each call its own id, or none: results are then matched by order.',
  },
  'shared-detector': {
    message: 'Several guards use one detector: their agents look like one.',
    remedy: 'Give each guard its own detector; GuardPool does.',
  },
  'no-name': {
    message: 'guards.for() got no name: runs share one.',
    remedy: 'Name each run in guards.for().',
  },
} as const satisfies Record<string, Omit<GuardWarning, 'code'>>

/** For a pool that was not told which guard is meant. */
export const NO_NAME: GuardWarning = { code: 'no-name', ...WARNINGS['no-name'] }

/** The longest line for the console, in characters. */
const LONGEST_LINE = 1024

type Code = keyof typeof WARNINGS

type OnWarning = ((warning: GuardWarning) => unknown) | false | undefined

/** Watches how a guard is used. */
export class Misuse {
  readonly #onWarning: OnWarning
  readonly #given = new Map<string, GuardWarning>()
  /** How often each misuse was counted. */
  readonly #times = new Map<Code, number>()
  /** Whether the host ends steps. */
  hasEndedStep = false
  /** Whether the host begins steps. */
  hasBegunStep = false
  /** Whether a result came with an id that no call has, so far. */
  hasUnmatched = false
  #calls = 0
  #hasResults = false
  /** In how many steps each call came, a person speaking before each step. */
  readonly #callsWithPerson = new Map<string, number>()
  #personSpoke = false
  #lastCall = ''
  /** What came after the last call: a nudge was taken, then a person is said to have spoken. */
  #sinceLastCall: 'nudge' | 'person' | null = null

  constructor(onWarning: OnWarning) {
    this.#onWarning = onWarning
  }

  /** Whether the host says when steps begin or end. */
  get knowsSteps(): boolean {
    return this.hasEndedStep || this.hasBegunStep
  }

  /** The warnings so far. */
  get warnings(): readonly GuardWarning[] {
    return [...this.#given.values()]
  }

  /** Gives a warning, unless it was given before; not on the console, if `isSaid`. */
  warn(warning: GuardWarning, isSaid = false): void {
    if (this.#given.has(warning.code)) return
    const frozen = Object.freeze({ ...warning })
    this.#given.set(warning.code, frozen)
    if (this.#onWarning === false) return
    notify(this.#onWarning ?? (isSaid ? ignore : sayOnConsole), [frozen], ignore)
  }

  called(key: string, callsInStep: number, isDuplicate: boolean): void {
    this.#calls++
    if (!this.#hasResults && this.#calls > CALLS_WITHOUT_RESULTS) {
      this.known(this.hasUnmatched ? 'unmatched-results' : 'no-results')
    }
    if (callsInStep > CALLS_IN_ONE_STEP) this.known('no-step-end')
    if (!isDuplicate) this.#countWithPerson(key, callsInStep === 0)
    if (this.#sinceLastCall === 'person' && key === this.#lastCall) {
      this.count('user-message-every-turn', NUDGES_AS_PERSON)
    }
    this.#lastCall = key
    this.#sinceLastCall = null
  }

  nudgeTaken(): void {
    this.#sinceLastCall = 'nudge'
  }

  #countWithPerson(key: string, beginsStep: boolean): void {
    const counts = this.#callsWithPerson
    if (beginsStep && !this.#personSpoke) counts.clear()
    if (beginsStep) this.#personSpoke = false
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    if (counts.size > DIFFERENT_CALLS_WITH_PERSON) counts.clear()
    if (count >= EQUAL_CALLS_WITH_PERSON) this.known('user-message-every-turn')
  }

  /** A result came; `isLate` if the step of its call is over. */
  answered(isLate: boolean): void {
    this.#hasResults = true
    if (isLate) this.count('late-results', LATE_RESULTS)
  }

  /** A step was over, and the host did not end it. */
  stepAdded(): void {
    if (!this.hasEndedStep) this.count('no-step-end', STEPS_NEVER_ENDED)
  }

  calledAfterStop(): void {
    this.count('stop-ignored', CALLS_AFTER_STOP)
  }

  userMessage(): void {
    this.#personSpoke = true
    if (this.#sinceLastCall === 'nudge') this.#sinceLastCall = 'person'
  }

  /** A call that still has no result was presented again after its step; `times` is how often so far. */
  presentedAfterStep(times: number): void {
    if (times >= PRESENTED_AFTER_STEP) this.known('ids-reused')
  }

  /** Counts a misuse that is no accident when it was seen so many times. */
  count(code: Code, most: number): void {
    const times = (this.#times.get(code) ?? 0) + 1
    this.#times.set(code, times)
    if (times >= most) this.known(code)
  }

  /** Gives a warning from the table. */
  known(code: Code, isSaid = false): void {
    this.warn({ code, ...WARNINGS[code] }, isSaid)
  }
}

function sayOnConsole({ code, message, remedy }: GuardWarning): void {
  globalThis.console?.warn(cleanLine(`loophound (${code}): ${message} ${remedy}`, LONGEST_LINE))
}
