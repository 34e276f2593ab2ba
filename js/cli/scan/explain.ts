/**
 * `loophound explain`: shows what each call counted as, and how close each pattern was.
 *
 * @module
 */

import { readFileSync } from 'node:fs'
import { type AgentTranscript, type Explanation, LoopDetector } from 'loophound'
import { readTranscript, replay, unpackTranscript } from 'loophound/transcripts'
import { DETECTOR_OPTIONS, detectorOptions, readArguments, UsageError } from '../options.js'
import { bold, dim, printable, red, wrap, write, yellow } from '../terminal.js'
import { zstd } from './blocks.js'

/** The explanations of a call: when it was made, and when its result came. */
interface Explained {
  readonly atCall: Explanation
  atResult?: Explanation
}

/**
 * Runs the command.
 *
 * @throws UsageError for a mistake in the options, or a transcript that cannot be read.
 */
export async function explainCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, {
    ...DETECTOR_OPTIONS,
    agent: { type: 'string' },
    format: { type: 'string' },
  })
  const [file, number, ...more] = positionals
  if (file === undefined) throw new UsageError('Which transcript? None was named.')
  if (more.length > 0) throw new UsageError('One transcript and one call at a time.')
  const agent = await readAgent(file, values.agent ?? '', values.format)
  const calls = explainAll(agent, { observe: true, ...detectorOptions(values) })
  if (number === undefined) {
    write(
      calls.map((call, index) => `${lineOf(call, index)}\n`).join('') || 'There are no calls.\n',
    )
    return 0
  }
  const call = calls[Number(number) - 1]
  if (!call) {
    throw new UsageError(`There is no call ${printable(number)}; there are ${calls.length}.`)
  }
  write(allOf(call, Number(number) - 1))
  return 0
}

async function readAgent(
  file: string,
  id: string,
  format: string | undefined,
): Promise<AgentTranscript> {
  const name = file === '-' ? 'standard input' : printable(file)
  try {
    const bytes = readFileSync(file === '-' ? 0 : file)
    const data = await unpackTranscript(bytes, { zstd })
    const { agents } = readTranscript(data, (format ?? 'auto') as 'auto')
    const agent = agents.find((one) => one.id === id)
    if (agent) return agent
    const known = agents.map((one) => printable(one.id) || '""').join(', ')
    throw new UsageError(`There is no agent "${printable(id)}" in ${name}.`, `There are: ${known}.`)
  } catch (error) {
    if (error instanceof UsageError) throw error
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new UsageError(`There is no file ${name}.`)
    if (code === 'EISDIR') throw new UsageError(`${name} is a folder. Name one transcript in it.`)
    throw new UsageError(`${name} cannot be read: ${message}.`)
  }
}

function explainAll(
  { events }: AgentTranscript,
  options: ConstructorParameters<typeof LoopDetector>[0],
): Explained[] {
  const detector = new LoopDetector(options)
  const calls: Explained[] = []
  try {
    for (const { kind, call } of replay(detector, events)) {
      if (kind === 'calls') {
        const atCall = detector.explain()
        // The calls of a batch are judged together.
        while (calls.length <= call) calls.push({ atCall })
      } else if (kind === 'result') {
        const last = calls[call]
        if (last) last.atResult = detector.explain()
      }
    }
  } finally {
    detector.free()
  }
  return calls
}

const paint = (action: string) =>
  action === 'continue' ? dim(action) : action === 'nudge' ? yellow(action) : red(action)

/** Returns one line: the call, its result, the closest pattern, and the verdict. */
function lineOf({ atCall, atResult }: Explained, index: number): string {
  const result = atResult?.result
  const came = result ? `${result.failed ? 'failed' : result.evidence}` : 'no result'
  const same = result && result.sameResults > 1 ? `, same ${result.sameResults} times` : ''
  const close = closest(atResult ?? atCall)
  const said = [atCall, atResult].find((at) => at && at.verdict.action !== 'continue')
  const pattern = close ? `${close.kind} ${progress(close)}` : 'no pattern'
  const label = printable(atCall.call?.label ?? '')
  const shown = [...label].length > 60 ? `${[...label].slice(0, 59).join('')}…` : label
  const number = String(index + 1).padStart(4)
  return `${number}  ${shown}  ${dim(`${came}${same}; ${pattern};`)} ${paint((said ?? atCall).verdict.action)}`
}

type Pattern = Explanation['patterns'][number]

function closest({ patterns }: Explanation): Pattern | undefined {
  return patterns.filter(({ count }) => count > 0).sort(byCloseness)[0]
}

/** Compares patterns: the one that is closest to being a loop comes first. */
function byCloseness(a: Pattern, b: Pattern): number {
  const share = ({ count, threshold }: Pattern) => count / Math.max(1, threshold)
  return Number(b.active) - Number(a.active) || share(b) - share(a)
}

/** Returns the closest pattern of each kind: some kinds have several thresholds. */
function closestOfKinds(patterns: readonly Pattern[]): Pattern[] {
  const kinds = new Set(patterns.map(({ kind }) => kind))
  return Array.from(kinds, (kind) =>
    patterns.filter((one) => one.kind === kind).sort(byCloseness),
  ).flatMap((ofKind) => ofKind.slice(0, 1))
}

/** How close a pattern is to being a loop. */
function progress({ count, threshold }: Explanation['patterns'][number]): string {
  return threshold >= Number.MAX_SAFE_INTEGER ? `${count}, no limit` : `${count} of ${threshold}`
}

function allOf({ atCall, atResult }: Explained, index: number): string {
  const { call, verdict, loops } = atCall
  const result = atResult?.result
  const rows: [string, string][] = [
    ['identity', `${call?.identity ?? '–'}, in turn ${call?.turn ?? '–'}`],
    ['effect', call?.effect ?? '–'],
    ['result', result ? `${result.failed ? 'failed' : 'worked'}, ${result.evidence}` : 'none'],
    ...(result
      ? ([
          ['same result', `${result.sameResults} times in a row`],
          ['nothing new', `for ${result.unchangedRepeats} of these`],
          ['waiting', result.waiting ? 'yes' : 'no'],
        ] as [string, string][])
      : []),
    ['answer', paint(verdict.action)],
  ]
  const lines = rows.map(([name, value]) => `  ${name.padEnd(14)}${value}`)
  const patterns = closestOfKinds(atCall.patterns).map((pattern) =>
    `  ${pattern.kind.padEnd(18)}${progress(pattern).padEnd(12)}${pattern.active ? red('a loop') : ''}`.trimEnd(),
  )
  const found = loops.map(
    ({ kind, evidence, atMost, action }) =>
      `  ${kind}: evidence "${evidence}" allows ${atMost} at most; decided: ${paint(action)}`,
  )
  return [
    bold(`Call ${index + 1}: ${printable(call?.label ?? '')}`),
    ...lines,
    '',
    bold('Patterns'),
    ...patterns,
    ...(found.length > 0 ? ['', bold('Loops'), ...found] : []),
    ...(verdict.message
      ? ['', bold('The model would have read'), wrap(verdict.message, '  ')]
      : []),
    '',
  ].join('\n')
}
