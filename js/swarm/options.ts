/**
 * Reads and checks the options of a shared swarm, and fills in defaults.
 *
 * @module
 */

import type { SwarmDetector } from 'loophound'
import { describe, requireObject } from '../input/check.js'
import { DEFAULT_MAX_DEPTH } from './delegation.js'
import type {
  SwarmConnection,
  SwarmReportKind,
  SwarmRule,
  SwarmState,
  SwarmStore,
} from './types.js'

/** Options of a {@link SharedSwarm}. Only `store` is required. */
export interface SharedSwarmOptions {
  /** Where the swarm's memory is. */
  store: SwarmStore
  /** The swarm's name: a tenant, a run, a fleet. `default` if absent. */
  scope?: string
  /** A name for this worker, for operators. It need not be unique: random characters are added. */
  worker?: string
  /**
   * What is counted: `waste` for repeats, errors, verdicts and hand-overs that a guard reports;
   * `calls` for every call, as the reference implementation does. `waste` if absent.
   */
  report?: 'calls' | 'waste'
  /** When a fingerprint is latched. Absent fields have their defaults. */
  rule?: Partial<SwarmRule>
  /**
   * Counts within this process while the store does not respond. If absent, each swarm makes its
   * own; workers of one process should share one. `false` for none.
   */
  insurance?: SwarmDetector | false
  /** The action of the verdict on a latched call; `nudge` if absent. */
  action?: 'nudge' | 'block'
  /** The text for the model, with `{totalCalls}`, `{tool}` and `{workerCount}`. */
  message?: string
  /** How long reports are collected before they are sent, in milliseconds; 250 if absent. */
  flushMs?: number
  /**
   * How many reports are sent at once, at most; 64 if absent. When this many are collected, they
   * are sent without waiting for `flushMs`.
   */
  flushSize?: number
  /** How many fingerprints may wait for the store; 1,024 if absent. */
  bufferSize?: number
  /**
   * How long the store may take to respond, in milliseconds; 200 if absent. Use 1,000 at the edge.
   */
  timeoutMs?: number
  /**
   * Interval at which latches of other workers are fetched, in milliseconds; 5,000 if absent, 0 for
   * never.
   */
  pollMs?: number
  /** Whether to send a readable text with each report, for operators; `false` if absent. */
  sample?: boolean
  /** Removes secrets from arguments before they become part of a sample. */
  redact?: (name: string, args: unknown) => unknown
  /** How deep agents may hand over; 5 if absent. */
  maxDepth?: number
  /** Called once for each change to a worse state, and for internal errors. */
  onError?: (error: unknown, state: SwarmConnection) => unknown
  /** Called with every change of state. */
  onState?: (state: SwarmConnection) => unknown
  /** Called in exactly one worker of the swarm when a fingerprint is latched. */
  onLatch?: (state: SwarmState) => unknown
}

/** The rule if none is given: ten reports in ten minutes, by two workers, for five minutes. */
export const DEFAULT_RULE: SwarmRule = {
  windowMs: 600_000,
  threshold: 10,
  minWorkers: 2,
  maxWorkers: 64,
  latchMs: 300_000,
}

/** What is different in the rule for reports of a kind. */
export const RULES_OF_KINDS: Partial<Record<SwarmReportKind, Partial<SwarmRule>>> = {
  // Each hand-over of a circle is made by one agent, so often by one worker.
  edge: { minWorkers: 1 },
  // The worker that reports a circle has found it: nothing is left to wait for.
  cycle: { minWorkers: 1, threshold: 1 },
}

const DAY = 86_400_000

/** The allowed values of numbers, by name. */
const RULE_BOUNDS: Readonly<Record<keyof SwarmRule, readonly [number, number]>> = {
  windowMs: [100, 7 * DAY],
  threshold: [1, 1_000_000_000],
  minWorkers: [1, 128],
  maxWorkers: [1, 128],
  latchMs: [100, 7 * DAY],
}

const NUMBERS = {
  flushMs: { default: 250, from: 1, to: 60_000 },
  flushSize: { default: 64, from: 1, to: 1_024 },
  bufferSize: { default: 1_024, from: 1, to: 1_000_000 },
  timeoutMs: { default: 200, from: 1, to: 60_000 },
  pollMs: { default: 5_000, from: 0, to: DAY },
  maxDepth: { default: DEFAULT_MAX_DEPTH, from: 1, to: 15 },
} as const

const CHOICES = { report: ['waste', 'calls'], action: ['nudge', 'block'] } as const

const TYPES = {
  scope: 'string',
  worker: 'string',
  message: 'string',
  sample: 'boolean',
  redact: 'function',
  onError: 'function',
  onState: 'function',
  onLatch: 'function',
} as const

const OTHERS = ['store', 'rule', 'insurance']

type Given = Record<string, unknown>

/** Options with every default filled in. */
export interface ReadOptions
  extends Required<Pick<SharedSwarmOptions, keyof typeof NUMBERS | keyof typeof CHOICES>> {
  readonly store: SwarmStore
  readonly scope: string
  readonly worker: string
  readonly sample: boolean
  readonly rule: SwarmRule
  readonly insurance: SwarmDetector | false | undefined
  readonly message: string | undefined
  readonly redact: SharedSwarmOptions['redact'] | undefined
  readonly onError: SharedSwarmOptions['onError'] | undefined
  readonly onState: SharedSwarmOptions['onState'] | undefined
  readonly onLatch: SharedSwarmOptions['onLatch'] | undefined
}

/**
 * Checks options.
 *
 * @throws TypeError for an unknown option or a value of the wrong type.
 * @throws RangeError for a value that is not allowed.
 */
export function readSwarmOptions(options: SharedSwarmOptions): ReadOptions {
  requireObject(options, 'SharedSwarm(options): options')
  const given = options as unknown as Given
  const known = [...Object.keys(NUMBERS), ...Object.keys(CHOICES), ...Object.keys(TYPES), ...OTHERS]
  for (const name of Object.keys(given)) {
    if (!known.includes(name)) {
      throw new TypeError(`options.${name} is unknown; there are ${known.sort().join(', ')}`)
    }
  }
  const read: Given = { scope: 'default', worker: 'worker', sample: false }
  for (const [name, type] of Object.entries(TYPES)) {
    if (given[name] === undefined) continue
    if (typeof given[name] !== type) {
      throw new TypeError(`options.${name} must be a ${type}; got ${describe(given[name])}`)
    }
    read[name] = given[name]
  }
  for (const [name, bounds] of Object.entries(NUMBERS)) {
    const value = given[name] ?? bounds.default
    read[name] = requireWithin(`options.${name}`, value, bounds.from, bounds.to)
  }
  for (const [name, choices] of Object.entries(CHOICES)) {
    read[name] = given[name] ?? choices[0]
    if (!(choices as readonly unknown[]).includes(read[name])) {
      throw new RangeError(
        `options.${name} must be ${choices.join(' or ')}; got ${describe(read[name])}`,
      )
    }
  }
  if (read.scope === '' || String(read.scope).length > 200) {
    throw new RangeError('options.scope must have from 1 to 200 characters')
  }
  read.store = requireStore(given.store)
  read.rule = readRule(given.rule)
  read.insurance = readInsurance(given.insurance)
  return read as unknown as ReadOptions
}

function requireStore(store: unknown): SwarmStore {
  requireObject(store, 'options.store')
  for (const method of ['report', 'latched', 'clear'] as const) {
    if (typeof (store as Given)[method] === 'function') continue
    throw new TypeError(`options.store must have a method ${method}`)
  }
  return store as SwarmStore
}

function readRule(rule: unknown = {}): SwarmRule {
  requireObject(rule, 'options.rule')
  for (const name of Object.keys(rule)) {
    if (!Object.hasOwn(RULE_BOUNDS, name)) {
      throw new TypeError(
        `options.rule.${name} is unknown; there are ${Object.keys(RULE_BOUNDS).join(', ')}`,
      )
    }
  }
  const read: Record<string, number> = {}
  for (const [name, [from, to]] of Object.entries(RULE_BOUNDS)) {
    const value = (rule as Given)[name] ?? DEFAULT_RULE[name as keyof SwarmRule]
    read[name] = requireWithin(`options.rule.${name}`, value, from, to)
  }
  const { minWorkers = 0, maxWorkers = 0 } = read
  if (minWorkers > maxWorkers) {
    throw new RangeError(
      `options.rule.minWorkers must be at most maxWorkers, ${maxWorkers}; got ${minWorkers}`,
    )
  }
  return Object.freeze(read) as unknown as SwarmRule
}

function readInsurance(insurance: unknown): SwarmDetector | false | undefined {
  if (insurance === undefined || insurance === false) return insurance
  const methods = ['recordFingerprint', 'info'] as const
  if (
    insurance === null ||
    typeof insurance !== 'object' ||
    methods.some((name) => typeof (insurance as Given)[name] !== 'function')
  ) {
    throw new TypeError(
      `options.insurance must be a SwarmDetector or false; got ${describe(insurance)}`,
    )
  }
  return insurance as SwarmDetector
}

function requireWithin(name: string, value: unknown, from: number, to: number): number {
  if (typeof value !== 'number') {
    throw new TypeError(`${name} must be a number; got ${describe(value)}`)
  }
  if (!Number.isInteger(value) || value < from || value > to) {
    throw new RangeError(`${name} must be a whole number from ${from} to ${to}; got ${value}`)
  }
  return value
}
