/**
 * Reads and checks a guard's options.
 *
 * @module
 */

import { LoopDetector } from '../detector.js'
import { describe, reading, requireCount, wrong } from '../input/check.js'
import { presets } from '../presets.js'
import type { GuardSwarm } from '../swarm/types.js'
import type { LoopDetectorOptions, LoopKind, PresetName } from '../types.js'
import type { GuardOptions } from './types.js'

const isString = (value: unknown): boolean => typeof value === 'string'

const isFunction = (value: unknown): boolean => typeof value === 'function'

/** What an option must be, unless it is one of some words. */
interface Rule {
  readonly expected: string
  readonly isAllowed: (value: unknown) => boolean
}

const A_FUNCTION: Rule = { expected: 'a function', isAllowed: isFunction }

/** The options; those without a rule are checked elsewhere. */
const RULES: Readonly<Record<keyof GuardOptions, Rule | readonly string[] | null>> = {
  detector: null,
  mode: ['act', 'observe'],
  id: { expected: 'a string', isAllowed: isString },
  onVerdict: A_FUNCTION,
  onError: A_FUNCTION,
  onWarning: {
    expected: 'a function or false',
    isAllowed: (value) => value === false || isFunction(value),
  },
  afterNudge: ['keep', 'clear'],
  swarm: {
    expected: 'a SharedSwarm',
    isAllowed: (value) => value === null || isFunction((value as Partial<GuardSwarm>).ask),
  },
  path: {
    expected: 'a list of names',
    isAllowed: (value) => Array.isArray(value) && value.every(isString),
  },
  remember: null,
}

const MAX_REMEMBERED = 65_536

/** A guard's options, complete. */
export interface ReadGuardOptions {
  readonly detector: LoopDetector
  /** Whether the guard made the detector, and therefore frees it. */
  readonly ownsDetector: boolean
  readonly observes: boolean
  readonly id: string | null
  readonly onVerdict: GuardOptions['onVerdict']
  readonly onError: GuardOptions['onError']
  readonly onWarning: GuardOptions['onWarning']
  readonly swarm: GuardSwarm | null
  readonly path: readonly string[]
  readonly remember: number
  /** Returns whether the counts are cleared after a nudge about this pattern. */
  readonly clearsAfterNudge: (kind: LoopKind | null) => boolean
}

/**
 * Reads a guard's options.
 *
 * @throws TypeError for an unknown option or a value of the wrong type.
 * @throws RangeError for a value that is not allowed.
 */
export function readGuardOptions(given: unknown): ReadGuardOptions {
  const options = reading('LoopGuard(options): options', () => normalise(given))
  if (options === null) {
    throw wrong('LoopGuard(options): options', 'a preset name, a LoopDetector or an object', given)
  }
  for (const [name, value] of Object.entries(options)) requireAllowed(name, value)
  const { mode = 'act', id = null, onVerdict, onError, onWarning, afterNudge } = options
  const { swarm = null, path = [], remember = 256 } = options
  requireCount(remember, 'options.remember', MAX_REMEMBERED)
  return {
    detector: isDetector(options.detector)
      ? options.detector
      : new LoopDetector(mode === 'observe' ? observing(options.detector) : options.detector),
    ownsDetector: !isDetector(options.detector),
    observes: mode === 'observe',
    id,
    onVerdict,
    onError,
    onWarning,
    swarm,
    path: [...path],
    remember,
    clearsAfterNudge: afterNudge
      ? () => afterNudge === 'clear'
      : isDetector(options.detector)
        ? () => false
        : climbsByFeedback(options.detector),
  }
}

/** Returns the options for observe mode, in which every call runs, whatever the verdict. */
function observing(options: PresetName | LoopDetectorOptions = {}): LoopDetectorOptions {
  return typeof options === 'string'
    ? { preset: options, observe: true }
    : { ...options, observe: true }
}

/** Reads each option once, as getters may throw or vary; returns `null` if there can be none. */
function normalise(given: unknown): GuardOptions | null {
  if (given === undefined) return {}
  if (typeof given === 'string') return { detector: given as PresetName }
  if (isDetector(given)) return { detector: given }
  if (describe(given) !== 'an object') return null
  const options = given as Readonly<Record<string, unknown>>
  const names = new Set([...Object.keys(RULES), ...Object.keys(options)])
  return Object.fromEntries(Array.from(names, (name) => [name, options[name]]))
}

/** Recognises a detector by its methods: the package may be loaded twice, once in each module system. */
function isDetector(value: unknown): value is LoopDetector {
  const methods = value as Partial<LoopDetector> | null | undefined
  return typeof value === 'object' && typeof methods?.record === 'function'
}

function climbsByFeedback(
  options: PresetName | LoopDetectorOptions | undefined,
): (kind: LoopKind | null) => boolean {
  const own: LoopDetectorOptions =
    typeof options === 'string' ? { preset: options } : (options ?? {})
  // Copied now: the caller's object may change later.
  const { preset = 'balanced', detectors = {} } = own
  const rules = { ...detectors }
  return (kind) => {
    if (kind === null) return false
    const [rule, base] = [rules[kind], presets[preset].detectors?.[kind]]
    const climb = typeof rule === 'object' ? rule.climb : undefined
    return (climb ?? (typeof base === 'object' ? base.climb : undefined)) === 'feedback'
  }
}

function requireAllowed(name: string, value: unknown): void {
  if (!Object.hasOwn(RULES, name)) {
    throw new TypeError(
      `options.${name} is not an option of LoopGuard; allowed: ${Object.keys(RULES).join(', ')}. ` +
        'What a LoopDetector takes goes into options.detector',
    )
  }
  const rule = RULES[name as keyof GuardOptions]
  if (value === undefined || rule === null) return
  if ('expected' in rule) {
    if (!rule.isAllowed(value)) throw wrong(`options.${name}`, rule.expected, value)
  } else if (!rule.includes(value as string)) {
    const Kind = typeof value === 'string' ? RangeError : TypeError
    throw wrong(`options.${name}`, `one of ${rule.join(', ')}`, value, Kind)
  }
}
