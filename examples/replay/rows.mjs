/**
 * The rows of a timeline: calls, words, verdicts.
 *
 * @module
 */

import { byLevel, column, dim, green, line, plural, red, shorten, WIDTH, wrap } from './screen.mjs'

const INDENT = '       '
const MARKS = { ok: green('✓'), failed: red('✗'), refused: red('⊘'), open: dim('·') }
const SIGNS = { notice: '●', warning: '▲', critical: '■' }
const DELIVERY = {
  nudge: 'injected into the conversation:',
  block: 'answered in place of the call:',
  stop: 'the session ends:',
}

/** Arguments that speak for themselves and need no name beside them. */
const PLAIN_KEYS = ['path', 'command', 'query', 'pattern']

/**
 * One call.
 *
 * @param {{ index: number, name: string, args?: unknown, bracket?: string }} call
 * @param {{ mark: keyof typeof MARKS, output?: string }} outcome
 * @param {number} nameWidth
 */
export function callRow(call, outcome, nameWidth) {
  const index = String(call.index).padStart(4)
  const name = column(call.name, nameWidth)
  const room = WIDTH - '   0 ┌✓ '.length - nameWidth - 1
  const args = shortArgs(call.args)
  const start = `${dim(index)} ${call.bracket ?? ' '}${MARKS[outcome.mark]} ${name} `
  // On a narrow screen the mark has to do for the result.
  if (room < 40) {
    line(start + shorten(args, room))
    return
  }
  const half = Math.floor(room * 0.55)
  const output = shorten(outcome.output ?? '', room - half - 2)
  line(`${start} ${column(args, half)} ${dim(output)}`)
}

/** What the model or a person said. */
export function wordsRow(sign, text) {
  line(`${INDENT}${dim(`${sign} ${shorten(text, WIDTH - INDENT.length - 2)}`)}`)
}

/** What the replay itself has to say. */
export function noteRow(text) {
  for (const part of wrap(text, WIDTH - INDENT.length)) line(INDENT + dim(part))
}

/** A verdict, and the text that goes with it. */
export function verdictRows(verdict) {
  const colour = (text) => byLevel(verdict.level, text)
  const head = [
    `${SIGNS[verdict.level]} ${verdict.action.toUpperCase()} ${verdict.level}`,
    verdict.kind,
    subjectOf(verdict),
    verdict.period > 1 ? `cycle of ${verdict.period}` : '',
    verdict.since >= 0 ? `since call ${verdict.since}` : '',
    verdict.wasted > 0 ? `${verdict.wasted} wasted` : '',
    verdict.details ? `${plural(verdict.details.wasted, 'character')} wasted` : '',
    verdict.status === 'LOOP_DETECTED' ? verdict.status : '',
  ]
  const title = head.filter(Boolean).join(' · ')
  for (const part of wrap(title, WIDTH - INDENT.length)) {
    line(INDENT + colour(part.replace(/ ·$/, '')))
  }
  line(`${INDENT}${colour('│')} ${dim(DELIVERY[verdict.action])}`)
  for (const part of wrap(verdict.message ?? '', WIDTH - INDENT.length - 4)) {
    line(`${INDENT}${colour('│')}   ${part}`)
  }
}

/** What is repeated, and how often. */
function subjectOf({ tool, details, count }) {
  if (tool !== null) return `${tool} ×${count}`
  return details ? `${details.channel} ×${count}` : plural(count, 'turn')
}

/** The last line of a timeline. */
export function summaryRow(calls, verdicts) {
  const counts = ['nudge', 'block', 'stop']
    .map((action) => [action, verdicts.filter((verdict) => verdict.action === action).length])
    .filter(([, count]) => count > 0)
    .map(([action, count]) => plural(count, action))
  line()
  if (counts.length === 0) line(`  ${green('✓')} ${plural(calls, 'call')}, nothing to say`)
  else line(`  ${red('→')} ${plural(calls, 'call')}: ${counts.join(', ')}`)
}

function shortArgs(args) {
  const value = parsed(args)
  if (value === undefined) return ''
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.entries(value)
    .map(([key, part]) => {
      const text = typeof part === 'string' ? part : JSON.stringify(part)
      return PLAIN_KEYS.includes(key) ? text : `${key}=${text}`
    })
    .join(', ')
}

function parsed(args) {
  if (typeof args !== 'string') return args
  try {
    return JSON.parse(args)
  } catch {
    return args
  }
}
