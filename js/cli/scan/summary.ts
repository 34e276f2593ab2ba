/**
 * The summary on the terminal: stuck sessions first, a line for each loop, then the totals.
 *
 * @module
 */

import Table from 'cli-table3'
import type { ScanFinding } from 'loophound'
import { placeOf, several, spentWords } from '../../report/figures.js'
import type { FolderReport, SessionReport } from '../../report/folder-report.js'
import { bold, dim, printable, red, wrap, yellow } from '../terminal.js'

/** How many sessions and loops are listed; the rest is only counted. */
const MOST = { sessions: 30, loops: 20 }

/**
 * Formats a report. For a single session, it includes what the model would have read.
 *
 * @param minWasted Loops that wasted fewer calls were left out.
 */
export function summary(report: FolderReport, minWasted: number): string {
  const { sessions } = report
  const [only] = sessions
  if (sessions.length === 1 && only) return single(only, report, minWasted)
  const stuck = sessions.filter((session) => session.stuck)
  const listed = stuck.slice(0, MOST.sessions)
  const parts = listed.map((session) => `${headOf(session)}\n${loopLines(session)}\n`)
  const hidden = stuck.length - listed.length
  if (hidden > 0) parts.push(`${several(hidden, 'more stuck session')}; --json has all.\n`)
  if (stuck.length > 0) parts.push(`${toolTable(stuck)}\n`)
  return `${parts.join('\n')}${parts.length > 0 ? '\n' : ''}${conclusion(report, minWasted)}\n`
}

function single(session: SessionReport, report: FolderReport, minWasted: number): string {
  const loops = session.loops.slice(0, MOST.loops).map((loop) => {
    const text = loop.verdict.message ? `\n${dim(wrap(loop.verdict.message, '    '))}` : ''
    return `${loopLine(loop, session)}${text}\n`
  })
  const hidden = session.loops.length - loops.length
  if (hidden > 0) loops.push(`${several(hidden, 'more loop')}; --json has all.\n`)
  return `${headOf(session)}\n\n${loops.map((loop) => `${loop}\n`).join('')}${conclusion(report, minWasted)}\n`
}

function headOf(session: SessionReport): string {
  const { file, format, calls, agents, waste } = session
  const facts = [
    format,
    several(calls, 'call'),
    ...(agents > 1 ? [several(agents, 'agent')] : []),
    ...(waste.calls > 0 ? [`${waste.calls.toLocaleString('en')} wasted`] : []),
    ...spentWords(waste),
  ]
  const name = file === '-' ? 'standard input' : printable(file)
  return `${bold(name)}  ${dim(facts.join(', '))}`
}

function loopLines(session: SessionReport): string {
  const lines = session.loops.slice(0, MOST.loops).map((loop) => `  ${loopLine(loop, session)}`)
  const hidden = session.loops.length - lines.length
  return [...lines, ...(hidden > 0 ? [`  ${several(hidden, 'more loop')}`] : [])].join('\n')
}

function loopLine(loop: ScanFinding, session: SessionReport): string {
  const { kind, action, pattern, wasted, verdict, call, agent } = loop
  const colour = action === 'nudge' ? yellow : red
  const what = printable(pattern.join(' → ') || (verdict.details?.unit ?? ''))
  const whose = session.agents > 1 && agent !== '' ? ` of ${printable(agent)}` : ''
  const alarm = call < 0 ? verdict.action : `${verdict.action} at call ${call + 1}`
  const cost = wasted > 0 ? `${wasted.toLocaleString('en')} wasted, ${alarm}` : alarm
  const place = `${placeOf(loop)}${whose}`
  // As long as fits, with two spaces before it and two between its parts.
  const room = Math.max(20, 92 - place.length - kind.length - cost.length)
  return `${place}  ${colour(kind)}  ${clip(what, room)}  ${dim(cost)}`
}

function clip(text: string, most: number): string {
  const characters = [...text]
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`
}

/** Returns a table of the tools that wasted most, over all sessions. */
function toolTable(sessions: readonly SessionReport[]): string {
  const tools = new Map<string, { calls: number; errors: number; wasted: number }>()
  for (const { tool, calls, errors, wasted } of sessions.flatMap(({ byTool }) => byTool)) {
    const entry = tools.get(tool) ?? { calls: 0, errors: 0, wasted: 0 }
    tools.set(tool, {
      calls: entry.calls + calls,
      errors: entry.errors + errors,
      wasted: entry.wasted + wasted,
    })
  }
  const table = new Table({
    head: ['tool', 'calls', 'errors', 'wasted'],
    colAligns: ['left', 'right', 'right', 'right'],
    style: { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': 2 },
    chars: NO_LINES,
  })
  const rows = [...tools].filter(([, { wasted }]) => wasted > 0)
  rows.sort(([, a], [, b]) => b.wasted - a.wasted)
  for (const [tool, { calls, errors, wasted }] of rows.slice(0, 10)) {
    table.push([clip(printable(tool), 40), calls, errors, wasted])
  }
  return rows.length > 0 ? dim(table.toString()) : ''
}

const NO_LINES = Object.fromEntries(
  ['top', 'bottom', 'mid', 'left', 'right']
    .flatMap((side) => [side, `${side}-mid`, `${side}-left`, `${side}-right`, 'middle'])
    .concat(['top-mid', 'mid-mid'])
    .map((name) => [name, '']),
)

/** Records that should have been readable, and were left out. */
function brokenRecords(sessions: readonly SessionReport[]): number {
  const broken = /^(?:broken line|line longer than|unreadable message|not an object)/
  return sessions
    .flatMap(({ skipped }) => skipped)
    .reduce((sum, { reason, count }) => (broken.test(reason) ? sum + count : sum), 0)
}

function conclusion(report: FolderReport, minWasted: number): string {
  const { sessions, stuck, loops, loopsLeftOut, calls, waste, otherFiles, failedFiles } =
    report.totals
  const broken = brokenRecords(report.sessions)
  const unread = [
    ...(loops > 0 && loopsLeftOut > 0 ? [`${several(loopsLeftOut, 'smaller loop')} left out`] : []),
    ...(broken > 0 ? [`${several(broken, 'broken record')} left out`] : []),
    ...(failedFiles > 0 ? [`${several(failedFiles, 'file')} could not be read`] : []),
    ...(otherFiles > 0 ? [`no transcript: ${several(otherFiles, 'file')}`] : []),
  ]
  const rest = unread.length > 0 ? dim(`\n${unread.join(', ')}`) : ''
  const read = sessions > 1 ? ` in ${several(sessions, 'session')}` : ''
  if (loops === 0 && loopsLeftOut > 0) {
    const least = several(minWasted, 'call')
    return `No loop that wasted at least ${least} (${loopsLeftOut} left out)${read}, ${several(calls, 'call')}.${rest}`
  }
  if (loops === 0) return `No loop found${read}, ${several(calls, 'call')}.${rest}`
  const share = calls > 0 ? ` (${Math.round((100 * waste.calls) / calls)} %)` : ''
  const lost = [
    `${waste.calls.toLocaleString('en')} of ${several(calls, 'call')}${share}`,
    ...spentWords(waste),
  ]
  const where = sessions > 1 ? ` in ${stuck} of ${several(sessions, 'session')}` : ''
  const found = bold(`${several(loops, 'loop')} found${where}. Wasted: ${lost.join(', ')}.`)
  const saved = several(waste.avoidable, 'wasted call')
  return `${found}\n${saved} came after the first alarm.${rest}`
}
