/**
 * `loophound scan`: reports where agents were stuck in loops, and what that cost.
 *
 * @module
 */

import { writeFileSync } from 'node:fs'
import type { PriceTable } from 'loophound'
import { PRICES, readTranscript } from 'loophound/transcripts'
import { several } from '../../report/figures.js'
import {
  byWaste,
  type Failure,
  type FolderReport,
  folderReport,
  LISTED,
  type SessionReport,
  withListedCalls,
} from '../../report/folder-report.js'
import {
  DETECTOR_OPTIONS,
  detectorOptions,
  readArguments,
  readJsonFile,
  UsageError,
  version,
} from '../options.js'
import { printable, printableLines, printError, write } from '../terminal.js'
import { CI_FORMATS } from './ci-formats.js'
import { type Candidate, findFiles } from './files.js'
import { htmlReport } from './html.js'
import { judgeAll } from './pool.js'
import { Progress } from './progress.js'
import type { JudgeSettings } from './session.js'
import { summary } from './summary.js'

/**
 * Runs the command.
 *
 * @throws UsageError for a mistake in the options, or when nothing can be read.
 */
export async function scanCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, {
    ...DETECTOR_OPTIONS,
    agent: { type: 'string', multiple: true },
    since: { type: 'string' },
    'min-wasted': { type: 'string' },
    prices: { type: 'string' },
    redact: { type: 'boolean' },
    html: { type: 'string' },
    json: { type: 'boolean' },
    jsonl: { type: 'boolean' },
    format: { type: 'string' },
  })
  const agents = values.agent ?? []
  if (positionals.length + agents.length === 0) {
    throw new UsageError(
      'Which transcript? None was named.',
      'Name files or folders, or an agent: loophound scan --agent claude-code',
    )
  }
  const settings = readSettings(values)
  const files = findFiles(positionals, agents, readSince(values.since))
  if (files.length === 0 && values.since !== undefined) {
    throw new UsageError(`No file was changed since ${printable(values.since)}.`)
  }
  const isSingle = files.length === 1
  const wanted = values.html === undefined ? 'none' : isSingle ? 'all' : 'stuck'
  const report = await judge(
    files,
    { ...settings, timeline: wanted },
    values.jsonl ? printLine : () => {},
  )
  if (values.html !== undefined) writeReport(values.html, report)
  const format = values.format === undefined ? undefined : CI_FORMATS.get(values.format)
  if (format) write(format(report))
  else if (values.jsonl) printLine({ totals: report.totals, failures: report.failures })
  else if (values.json) write(`${printableLines(JSON.stringify(report, null, 2))}\n`)
  else write(summary(report, settings.minWasted))
  return report.totals.loops > 0 ? 1 : report.failures.length > 0 ? 2 : 0
}

function printLine(value: object): void {
  write(`${printable(JSON.stringify(value))}\n`)
}

function writeReport(file: string, report: FolderReport): void {
  try {
    writeFileSync(file, htmlReport(report))
  } catch (error) {
    throw new UsageError(`--html ${printable(file)}: ${(error as Error).message}.`)
  }
}

function readSettings(values: {
  preset?: string | undefined
  options?: string | undefined
  format?: string | undefined
  prices?: string | undefined
  redact?: boolean | undefined
  'min-wasted'?: string | undefined
}): Omit<JudgeSettings, 'timeline'> {
  const minWasted = Number(values['min-wasted'] ?? 0)
  if (!Number.isInteger(minWasted) || minWasted < 0) {
    throw new UsageError('--min-wasted must be a number of calls, such as 5.')
  }
  return {
    options: detectorOptions(values),
    input: inputFormat(values.format),
    prices: values.prices === undefined ? undefined : readPrices(values.prices),
    redact: values.redact ?? false,
    minWasted,
  }
}

/** The format of the transcripts, if that is what `--format` names. */
function inputFormat(name: string | undefined): JudgeSettings['input'] {
  if (name === undefined || CI_FORMATS.has(name)) return 'auto'
  const format = name as JudgeSettings['input']
  try {
    readTranscript([], format)
  } catch (error) {
    const formats = (error as Error).message.replace(/^options\.format must be one of /, '')
    throw new UsageError(
      printable(`--format must be ${[...CI_FORMATS.keys()].join(', ')} or one of ${formats}.`),
    )
  }
  return format
}

function readPrices(file: string): PriceTable {
  const what = 'a date and prices by model'
  const table = readJsonFile<PriceTable | null>('prices', file, what)
  const isPrice = (price: unknown) =>
    ['in', 'out'].every((key) => typeof (price as Record<string, unknown>)?.[key] === 'number')
  const models = Object.entries(table?.models ?? {})
  const wrong = models.find(([, price]) => !isPrice(price))
  if (table && typeof table.date === 'string' && models.length > 0 && !wrong) return table
  throw new UsageError(
    printable(`--prices ${file}: ${wrong ? `${wrong[0]} has no price` : 'there are no prices'}.`),
    'It must be like {"date": "2026-11-18", "models": {"some-model": {"in": 1.25, "out": 10}}}.',
  )
}

const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/** Reads a date or a time span, as milliseconds since 1970. */
function readSince(since: string | undefined): number {
  if (since === undefined) return Number.NEGATIVE_INFINITY
  const [, count, unit = ''] = /^(\d+)([hdw])$/.exec(since) ?? []
  const time = count ? Date.now() - Number(count) * (UNITS[unit] ?? 0) : Date.parse(since)
  if (!Number.isNaN(time)) return time
  throw new UsageError('--since must be a day or how long ago: 2026-11-01, 12h, 7d, 4w.')
}

/** Judges all files. One broken file among several does not end the scan. */
async function judge(
  files: readonly Candidate[],
  settings: JudgeSettings,
  tell: (session: SessionReport) => void,
): Promise<FolderReport> {
  let sessions: SessionReport[] = []
  const failures: Failure[] = []
  let others = 0
  let calls = 0
  const progress = new Progress(files)
  const onRead = (candidate: Candidate, bytes: number) => progress.read(candidate, bytes)
  for await (const { candidate, outcome } of judgeAll(files, settings, onRead)) {
    progress.done(candidate)
    if (outcome.state === 'read' && !candidate.isNamed && isEmpty(outcome.session)) others += 1
    else if (outcome.state === 'read') {
      sessions.push(outcome.session)
      tell(outcome.session)
      calls += outcome.session.timeline?.length ?? 0
      if (calls < 2 * LISTED.allCalls) continue
      // The calls of thousands of sessions would need much memory.
      sessions = withListedCalls(sessions.sort(byWaste))
      calls = LISTED.allCalls
    } else if (outcome.state === 'other' && !candidate.isNamed) others += 1
    else failures.push({ file: outcome.file, reason: outcome.reason })
  }
  progress.end()
  if (sessions.length === 0) throw nothingRead(failures, others)
  for (const { file, reason } of failures) printError(cannotRead(file, reason))
  const { options } = settings
  const prices = (settings.prices ?? PRICES).date
  return folderReport({ loophound: version(), options, prices }, sessions, failures, others)
}

/** Returns whether a file has nothing in it, such as an empty list. */
function isEmpty({ events, skipped }: SessionReport): boolean {
  return events === 0 && skipped.length === 0
}

function nothingRead([first, ...more]: readonly Failure[], others: number): UsageError {
  if (!first && others === 0) return new UsageError('There is no transcript to read.')
  if (!first) return new UsageError(`There is no transcript among ${several(others, 'file')}.`)
  const rest = more.length > 0 ? ` Nor can ${more.length} others.` : ''
  return new UsageError(`${cannotRead(first.file, first.reason)}${rest}`)
}

function cannotRead(file: string, reason: string): string {
  return `${file === '-' ? 'standard input' : printable(file)} cannot be read: ${reason}.`
}
