/**
 * Warns, once each, about misuse that makes a guard miss loops: what is wrong, and the remedy.
 *
 * @module
 */

import { cleanLine } from '../input/clean.js'
import { notify } from './error-report.js'
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
    message: 'No result was ever reported, so that only calls can be compared.',
    remedy: 'Call guard.result({ id, output }) after each call.',
  },
  'unmatched-results': {
    message: 'Results come with ids that no call has, so that only calls can be compared.',
    remedy: 'Give guard.result() the id that the call had in guard.call().',
  },
  'no-step-end': {
    message: 'Steps are never ended, so that repeated calls look parallel.',
    remedy: 'Call guard.endStep() when all calls of a model response have their results.',
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
    message: 'The same call is made again and again, but userMessage() restarts its count.',
    remedy: 'Call guard.userMessage() only when a person speaks, not for a nudge.',
  },
  'unreadable-input': {
    message: 'A call, a result or a text could not be read, so that it is not watched.',
    remedy: 'See onError for why. Give calls as { id, name, args }, results as { id, output }.',
  },
  'ids-reused': {
    message: 'Calls come with ids that earlier calls had.',
    remedy: 'Give each call an id of its own, or none: then results are matched by order.',
  },
  'shared-detector': {
    message: 'One detector is used by several guards, so that their agents are taken for one.',
    remedy: 'Make a guard with a detector of its own for each agent; GuardPool does that.',
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

type OnWarning = ((warning: GuardWarning) => unknown) | false | undefined

/** Watches how a guard is used. */
export class Misuse {
  readonly #onWarning: OnWarning
  readonly #given = new Map<string, GuardWarning>()
  /** Whether the host ends steps. */
  hasEndedStep = false
  #calls = 0
  #hasResults = false
  #hasUnmatched = false
  #hasBegunStep = false
  #stepsNeverEnded = 0
  #lateResults = 0
  #callsAfterStop = 0
  /** In how many steps each call came, a person speaking before each step. */
  readonly #callsWithPerson = new Map<string, number>()
  #personSpoke = false
  #lastCall = ''
  /** What came after the last call: a nudge was taken, then a person is said to have spoken. */
  #sinceLastCall: 'nudge' | 'person' | null = null
  #nudgesAsPerson = 0

  constructor(onWarning: OnWarning) {
    this.#onWarning = onWarning
  }

  /** Whether the host says when steps begin or end. */
  get knowsSteps(): boolean {
    return this.hasEndedStep || this.#hasBegunStep
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
      this.#known(this.#hasUnmatched ? 'unmatched-results' : 'no-results')
    }
    if (callsInStep > CALLS_IN_ONE_STEP) this.#known('no-step-end')
    if (!isDuplicate) this.#countWithPerson(key, callsInStep === 0)
    const isAfterNudge = this.#sinceLastCall === 'person' && key === this.#lastCall
    if (isAfterNudge && ++this.#nudgesAsPerson >= NUDGES_AS_PERSON) {
      this.#known('user-message-every-turn')
    }
    this.#lastCall = key
    this.#sinceLastCall = null
  }

  nudgeTaken(): void {
    this.#sinceLastCall = 'nudge'
  }

  /** Something could not be read; `isSaid` if the console shows why. */
  unreadable(isSaid: boolean): void {
    this.#known('unreadable-input', isSaid)
  }

  #countWithPerson(key: string, beginsStep: boolean): void {
    const counts = this.#callsWithPerson
    if (beginsStep && !this.#personSpoke) counts.clear()
    if (beginsStep) this.#personSpoke = false
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    if (counts.size > DIFFERENT_CALLS_WITH_PERSON) counts.clear()
    if (count >= EQUAL_CALLS_WITH_PERSON) this.#known('user-message-every-turn')
  }

  /** A result came; `isLate` if the step of its call is over. */
  answered(isLate: boolean): void {
    this.#hasResults = true
    if (isLate && ++this.#lateResults >= LATE_RESULTS) this.#known('late-results')
  }

  stepBegun(): void {
    this.#hasBegunStep = true
  }

  /** More equal calls than are parallel ran one after the other: one beginning is the run's. */
  stepIsEndless(): void {
    this.#hasBegunStep = false
  }

  stepEnded(): void {
    this.hasEndedStep = true
  }

  /** A step was over, and the host did not end it. */
  stepAdded(): void {
    if (!this.hasEndedStep && ++this.#stepsNeverEnded >= STEPS_NEVER_ENDED) {
      this.#known('no-step-end')
    }
  }

  calledAfterStop(): void {
    if (++this.#callsAfterStop >= CALLS_AFTER_STOP) this.#known('stop-ignored')
  }

  /** A result came with an id that no call has, so far. */
  unmatched(): void {
    this.#hasUnmatched = true
  }

  userMessage(): void {
    this.#personSpoke = true
    if (this.#sinceLastCall === 'nudge') this.#sinceLastCall = 'person'
  }

  idReused(): void {
    this.#known('ids-reused')
  }

  /** A call that still has no result was presented again after its step; `times` is how often so far. */
  presentedAfterStep(times: number): void {
    if (times >= PRESENTED_AFTER_STEP) this.#known('ids-reused')
  }

  detectorShared(): void {
    this.#known('shared-detector')
  }

  #known(code: keyof typeof WARNINGS, isSaid = false): void {
    this.warn({ code, ...WARNINGS[code] }, isSaid)
  }
}

function sayOnConsole({ code, message, remedy }: GuardWarning): void {
  globalThis.console?.warn(cleanLine(`loophound (${code}): ${message} ${remedy}`, LONGEST_LINE))
}

function ignore(): void {}
