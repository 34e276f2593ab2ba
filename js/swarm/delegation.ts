/**
 * Detects delegation cycles: an agent hands a task to an agent that already has it further up the
 * path, or the path gets too long. The path of agents is passed along with the task, so this needs
 * no store.
 *
 * @module
 */

import type { Verdict } from 'loophound'
import { requireString } from '../input/check.js'
import { hash64, plainText } from './identity.js'
import { cycleVerdict } from './verdicts.js'

/** The longest path that is kept; agents further up are forgotten. */
const LONGEST_PATH = 16
const LONGEST_NAME = 64

/** How deep agents may hand over by default. */
export const DEFAULT_MAX_DEPTH = 5

/** A hand-over of a task from one agent to another. */
export interface HandOver {
  /**
   * The agents above, outermost first, ending with the one that hands over. Each is a name, or what
   * an earlier hand-over returned as its path: a name and the task it was given.
   */
  readonly path: readonly string[]
  /** The agent that gets the task. */
  readonly agent: string
  /** The task: the text of the prompt, or anything that is equal when the task is. */
  readonly task: string
}

/** The decision on a hand-over. */
export interface HandOverDecision {
  /** A `cycle` verdict that refuses it, or `continue`. */
  readonly verdict: Verdict
  /** The path for the guard of the agent that gets the task. */
  readonly path: readonly string[]
  /** Names the edge for operators: parent, child and task. */
  readonly edge: string
}

/**
 * Decides on a hand-over, before it happens. Refuses it if the agent is already on the path with
 * the same task, or if the path gets longer than `maxDepth`. Giving an agent another task is not a
 * cycle. Pure: equal hand-overs get equal decisions.
 *
 * @throws TypeError for a path that is not a list of names, or a name or task that is not a string.
 *
 * @example
 * ```ts
 * const first = decideHandOver({ path: ['lead'], agent: 'coder', task: 'Fix the login' })
 * // ... in the coder, which got first.path
 * const back = decideHandOver({ path: [...first.path], agent: 'coder', task: 'Fix the login' })
 * back.verdict.kind // 'cycle'
 * ```
 */
export function decideHandOver(
  { path, agent, task }: HandOver,
  maxDepth: number = DEFAULT_MAX_DEPTH,
): HandOverDecision {
  if (!Array.isArray(path)) throw new TypeError('handOver(path): path must be a list of names')
  for (const name of path) requireString(name, 'handOver(path): a name')
  requireString(agent, 'handOver(agent): agent')
  requireString(task, 'handOver(task): task')

  const step = stepOf(agent, task)
  const known = path.slice(-LONGEST_PATH) as string[]
  const before = known.findLastIndex(
    (one, at) => one === step || handedOn(one, known[at + 1], step),
  )
  const whole = [...known, step]
  const next = Object.freeze(whole.slice(-LONGEST_PATH))
  const names = whole.map(nameOf)
  const name = nameOf(step)
  const edge = `${names.at(-2) ?? ''}>${name}:${taskOf(step)}`
  const decide = (verdict: Verdict) => Object.freeze({ verdict, path: next, edge })

  if (before >= 0) {
    const times = Math.max(2, known.filter((one) => one === step).length + 1)
    return decide(cycleVerdict('repeated', name, names.slice(before), times))
  }
  if (known.length > maxDepth) {
    return decide(cycleVerdict('deep', name, names, known.length))
  }
  return decide(cycleVerdict('none', name, [], 0))
}

/**
 * Returns the path that ends with an agent. One that a hand-over returned already does; one of bare names
 * has the agents above it, and may have its own.
 */
export function pathDownTo(agent: string | null, path: readonly string[]): readonly string[] {
  const last = path.at(-1)
  const isWhole = last && (agent === null || last === agent || last.includes('#'))
  return isWhole ? path : [...path, agent ?? 'agent']
}

/** An agent, and the name of the task that it was handed. */
export interface Handed {
  readonly agent: string
  readonly key: string
}

/**
 * Returns what a hand-over adds to a circle: the agent that gets the task, and the one that hands it
 * over. Only in a circle has the latter been handed this very task as well; a lead that gives every
 * tester the same task has not.
 */
export function circleEnds(path: readonly string[]): { to: Handed; from: Handed } {
  const key = taskOf(path.at(-1) ?? '')
  const handed = (step = ''): Handed => ({ agent: nameOf(step), key })
  return { to: handed(path.at(-1)), from: handed(path.at(-2)) }
}

/** Whether an agent of which only the name is known gave this very task to the next one. */
function handedOn(above: string, next: string | undefined, step: string): boolean {
  return above === nameOf(step) && next !== undefined && taskOf(next) === taskOf(step)
}

/**
 * Makes a step of a path: the agent's name, and a 64-bit hash of its task, ignoring case and
 * spacing.
 */
function stepOf(agent: string, task: string): string {
  const name = plainText(agent, LONGEST_NAME).replaceAll('#', '_')
  return `${name}#${hash64(task.trim().replace(/\s+/g, ' ').toLowerCase())}`
}

const nameOf = (step: string): string => step.split('#')[0] as string

const taskOf = (step: string): string => step.split('#')[1] ?? ''
