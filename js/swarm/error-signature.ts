/**
 * Recognises the same error of a tool, whatever the worker and the arguments.
 *
 * @module
 */

import { computeToolFingerprint } from 'loophound'
import { hash64 } from './identity.js'
import type { SwarmCall } from './types.js'

/** How many characters of an error are compared. */
const LONGEST_ERROR = 2_000

/** Errors with fewer letters than these are too common to compare. */
const HAS_LETTERS = /(?:\p{L}\P{L}*){12}/u

/** Tools and programs whose errors a worker remembers, and how many errors of each. */
const MOST_SUBJECTS = 64
const MOST_ERRORS = 16

/** Different calls in a row that must meet an error. Two are common: a file is looked for here, then there. */
const FEWEST_CALLS = 3

/**
 * The same, for an error that says that what the call names is not there. That is an answer about this
 * call, and workers look for one thing in many places; only where nothing is ever found may the cause be
 * another.
 */
const FEWEST_ABSENT = 12

/** What says that something is not there, as the engine knows it (src/result/phrases.rs), and the text of an edit. */
const ABSENT =
  /\bnot found\b|\b(?:cannot|can't|could not|couldn't|unable to) find\b|\b(?:not|n't) exist\b|\bno such\b|\bno match|\benoent\b|filenotfound|not a directory/

/** What says so of a program or module: whoever needs it is told so, whatever the call names. */
const PROGRAM_ABSENT =
  /command not found|^(?:\S*sh|env): .*(?:not found|no such file)|executable file not found|cannot find (?:module|package)|module not found|modulenotfound|no module named|not installed|not recognized as/m

/** How much of a command is looked at. */
const LONGEST_COMMAND = 500

/** A token with a digit. */
const HAS_DIGIT = /(?<![\w-])[\w-]*?\d[\w-]*/g

/** The program that a command runs, after changes of directory and settings. */
const PROGRAM = /^\s*(?:(?:cd\s+\S+\s*(?:&&|;)|\w+=\S*|sudo|env|time)\s+)*([^\s;&|]+)/

/** Words that say only that something failed. */
const SAY_NOTHING =
  /\b(an?|the|errors?|failed|failure|exception|uncaught|command|process|program|tool|call|script|exit|exited|returned|ended|code|status|with|non|zero|was|has|had|stderr|stdout|traceback)\b/g

/**
 * Returns the part of an error that is the same wherever it occurs; '' if it is too common to
 * compare. Numbers, ids and keys are left out.
 */
export function errorSignature(output: unknown): string {
  const lines = textOf(output)
    .slice(0, LONGEST_ERROR)
    .toLowerCase()
    // Long tokens with a digit: ids, keys, hashes.
    .replace(HAS_DIGIT, (token) => (token.length > 7 ? '#' : token.replace(/\d+/g, '0')))
    .split('\n')
    .map((line) => line.trim().replace(/\s{2,}|[^\S ]/g, ' '))
  const text = lines.filter((line) => line !== '').join('\n')
  return HAS_LETTERS.test(text.replace(SAY_NOTHING, '')) ? text : ''
}

function textOf(output: unknown): string {
  if (typeof output === 'string') return output
  try {
    if (output instanceof Error) return String(output.message)
    return JSON.stringify(output) ?? ''
  } catch {
    return ''
  }
}

/** A call that met an error, and how many different ones did, one after the other. */
interface Met {
  readonly call: string
  readonly calls: number
}

/**
 * The errors of one worker, by what failed: a tool, or a program that a shell runs.
 *
 * An error points to a cause outside the call, such as a dead key or a missing program, if it comes
 * again and again with other arguments, and nothing of the kind has worked in between. The same call
 * that fails again may be a test between two edits: the local detector knows more about that.
 */
export class ErrorMemory {
  /** By subject and signature. */
  readonly #subjects = new Map<string, Map<string, Met>>()

  /** Notes an error, and returns whether it points to a cause outside the call. */
  note(call: SwarmCall, signature: string): boolean {
    const subject = subjectOf(call)
    const errors = this.#subjects.get(subject) ?? new Map<string, Met>()
    keep(this.#subjects, subject, errors, MOST_SUBJECTS)
    const error = hash64(signature)
    const made = computeToolFingerprint(call.name, call.args)
    const before = errors.get(error)
    if (before?.call === made) return false
    const calls = (before?.calls ?? 0) + 1
    keep(errors, error, { call: made, calls }, MOST_ERRORS)
    if (calls < FEWEST_CALLS) return false
    return calls >= FEWEST_ABSENT || !ABSENT.test(signature) || PROGRAM_ABSENT.test(signature)
  }

  /** Notes that a call has worked: earlier errors of its tool or program were its own. */
  worked(call: SwarmCall): void {
    if (this.#subjects.size > 0) this.#subjects.delete(subjectOf(call))
  }
}

/** Sets an entry as the newest; beyond `most`, the oldest is forgotten. */
function keep<Value>(map: Map<string, Value>, key: string, value: Value, most: number): void {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > most && oldest !== undefined) map.delete(oldest)
}

/** What a call works with: its tool, and the program if it is a command for a shell. */
function subjectOf({ name, args }: SwarmCall): string {
  const { command, cmd } = (args ?? {}) as { command?: unknown; cmd?: unknown }
  const text = command ?? cmd
  const program = typeof text === 'string' ? PROGRAM.exec(text.slice(0, LONGEST_COMMAND))?.[1] : ''
  return `${name}\n${program ?? ''}`
}
