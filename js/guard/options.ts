/**
 * Reads and checks a guard's options.
 *
 * @module
 */

import { LoopDetector } from '../detector.js'
import { describe, reading } from '../input/check.js'
import { presets } from '../presets.js'
import type { GuardSwarm } from '../swarm/types.js'
import type { LoopDetectorOptions, LoopKind, PresetName } from '../types.js'
import type { GuardOptions } from './types.js'

const NAMES: readonly (keyof GuardOptions)[] = [
  'detector',
  'mode',
  'id',
  'onVerdict',
  'onError',
  'onWarning',
  'afterNudge',
  'swarm',
  'path',
  'remember',
]
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
    throw new TypeError(
      `LoopGuard(options): options must be a preset name, a LoopDetector or an object; got ${describe(given)}`,
    )
  }
  for (const name of Object.keys(options)) {
    if (!NAMES.includes(name as keyof GuardOptions)) {
      throw new TypeError(
        `options.${name} is not an option of LoopGuard; allowed: ${NAMES.join(', ')}. ` +
          'What a LoopDetector takes goes into options.detector',
      )
    }
  }
  const { mode = 'act', id, onVerdict, onError, onWarning, remember = 256, afterNudge } = options
  requireWord(mode, 'mode', ['act', 'observe'])
  if (afterNudge !== undefined) requireWord(afterNudge, 'afterNudge', ['keep', 'clear'])
  if (id !== undefined && typeof id !== 'string') refuse('id', 'a string', id)
  if (onVerdict !== undefined && typeof onVerdict !== 'function') {
    refuse('onVerdict', 'a function', onVerdict)
  }
  if (onError !== undefined && typeof onError !== 'function') {
    refuse('onError', 'a function', onError)
  }
  if (onWarning !== undefined && onWarning !== false && typeof onWarning !== 'function') {
    refuse('onWarning', 'a function or false', onWarning)
  }
  const { swarm = null, path = [] } = options
  if (swarm !== null && typeof swarm?.ask !== 'function') refuse('swarm', 'a SharedSwarm', swarm)
  if (!Array.isArray(path) || path.some((name) => typeof name !== 'string')) {
    refuse('path', 'a list of names', path)
  }
  if (typeof remember !== 'number') refuse('remember', 'a number', remember)
  if (!Number.isInteger(remember) || remember < 1 || remember > MAX_REMEMBERED) {
    throw new RangeError(
      `options.remember must be a whole number from 1 to ${MAX_REMEMBERED}; got ${remember}`,
    )
  }
  return {
    detector: isDetector(options.detector)
      ? options.detector
      : new LoopDetector(mode === 'observe' ? observing(options.detector) : options.detector),
    ownsDetector: !isDetector(options.detector),
    observes: mode === 'observe',
    id: id ?? null,
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
  const names = new Set([...NAMES, ...Object.keys(options)])
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

function requireWord(value: unknown, name: string, words: readonly string[]): void {
  if (typeof value !== 'string') refuse(name, `one of ${words.join(', ')}`, value)
  if (words.includes(value)) return
  throw new RangeError(`options.${name} must be one of ${words.join(', ')}; got ${describe(value)}`)
}

function refuse(name: string, expected: string, value: unknown): never {
  throw new TypeError(`options.${name} must be ${expected}; got ${describe(value)}`)
}
