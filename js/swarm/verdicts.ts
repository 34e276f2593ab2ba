/**
 * The verdicts of a shared swarm, and their texts.
 *
 * @module
 */

import type { Action, Verdict } from 'loophound'
import { cleanLine } from '../input/clean.js'
import { CONTINUE } from '../verdict.js'
import type { SwarmReportKind, SwarmState } from './types.js'

/** The reference implementation's text, to the letter. */
const CALLS_TEXT = `[System] GLOBAL DOOM LOOP: {totalCalls} calls to {tool} across
{workerCount} workers. The entire swarm is stuck on this approach.
1. Try a fundamentally different strategy
2. Do NOT retry the same tool/parameters
3. Consider whether the task goal itself needs re-evaluation`

const HANDED_ROUND = `This task was handed over to {tool} {totalCalls} times, and came back each time. Do not hand it over again: do it yourself, or report that it cannot be done.`

/** How much of a name and of a call is shown, in characters. */
const LONGEST_NAME = 256
const LONGEST_CALL = 200

const TEXTS: Readonly<Record<SwarmReportKind, string>> = {
  call: CALLS_TEXT,
  waste: `{workerCount} agents, possibly this one too, are stuck on this call of {tool}: {totalCalls} repeats brought nothing new. Do not repeat it. Use what is already known, or try another approach.`,
  verdict: `{workerCount} agents were stopped or warned {totalCalls} times about this call of {tool}. Do not repeat it. Use what is already known, or try another approach.`,
  error: `{tool} fails with an error that {workerCount} agents have met {totalCalls} times. Retrying will not help: the cause is shared, such as a credential, a limit or a missing program. Report it, or work without it.`,
  edge: HANDED_ROUND,
  cycle: HANDED_ROUND,
}

const HANDED_ROUND_SUMMARY = 'The same task was handed to {tool} {totalCalls} times, in a circle.'

/** What a person reads in a log. */
const SUMMARIES: Readonly<Record<SwarmReportKind, string>> = {
  call: '{totalCalls} calls of {tool} were made across {workerCount} workers.',
  waste:
    '{workerCount} workers repeated a call of {tool} {totalCalls} times and learned nothing new.',
  verdict: '{workerCount} workers got {totalCalls} verdicts about the same call of {tool}.',
  error: '{workerCount} workers met the same error of {tool} {totalCalls} times.',
  edge: HANDED_ROUND_SUMMARY,
  cycle: HANDED_ROUND_SUMMARY,
}

export interface GlobalLoop {
  readonly kind: SwarmReportKind
  readonly tool: string
  /** The repeated call, short and readable. */
  readonly call: string
  readonly state: SwarmState
  /** How many reports of this worker the store has not seen. */
  readonly waiting: number
  readonly action: Exclude<Action, 'continue'>
  readonly message?: string | undefined
}

/** Makes the verdict on a call that the whole swarm is stuck on. */
export function globalVerdict(loop: GlobalLoop): Verdict {
  const { kind, tool, state, action } = loop
  const count = state.total + loop.waiting
  const fill = (text: string) =>
    text
      .replaceAll('{totalCalls}', String(count))
      .replaceAll('{workerCount}', String(state.workers))
      .replaceAll('{tool}', () => nameFor(tool))
  return verdict({
    action,
    level: 'critical',
    kind: 'global',
    tool,
    count,
    pattern: Object.freeze([cleanLine(loop.call, LONGEST_CALL)]),
    wasted: Math.max(0, count - 1),
    message: fill(loop.message ?? TEXTS[kind]),
    summary: fill(SUMMARIES[kind]),
  })
}

/** Makes the verdict on a hand-over: refused because it is a cycle or too deep, or not refused. */
export function cycleVerdict(
  reason: 'repeated' | 'deep' | 'none',
  agent: string,
  path: readonly string[],
  count: number,
): Verdict {
  if (reason === 'none') return CONTINUE
  const to = nameFor(agent)
  const way = path.map(nameFor).join(' > ')
  const [said, summary] =
    reason === 'repeated'
      ? [
          `This task was already handed to ${to}, which is waiting for it`,
          `A task was handed back to ${to}, which had handed it over`,
        ]
      : [
          `This task was handed over ${count} times already`,
          `A task was handed over ${count} times`,
        ]
  return verdict({
    action: 'block',
    level: 'critical',
    kind: 'cycle',
    tool: agent,
    count,
    period: reason === 'repeated' ? path.length - 1 : 0,
    pattern: Object.freeze(path.map((name) => cleanLine(name, LONGEST_NAME))),
    wasted: count - 1,
    message: `${said}: ${way}. Do not hand it over again: do it yourself, or report what is missing.`,
    summary: `${summary}: ${way}.`,
  })
}

/** Makes a name safe for a message: one line, without what opens a tag or names a speaker. */
function nameFor(name: string): string {
  return cleanLine(name, LONGEST_NAME)
    .replace(/[<>[\]#`＜＞﹤﹥]/g, "'")
    .replace(/[:：]/g, ' -')
}

function verdict(facts: Partial<Verdict> & { summary: string }): Verdict {
  return Object.freeze({ ...CONTINUE, ...facts }) as Verdict
}
