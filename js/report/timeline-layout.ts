/**
 * Lays out a timeline: a lane for each agent, a cell for each call, a bracket above the calls of a
 * loop, and a flag at each alarm. Any library can draw it.
 *
 * @module
 */

import type { CallReport, ScanFinding, ScanReport } from 'loophound'
import { several } from './figures.js'

/** Sizes in units of the drawing. */
export const CELL = { width: 14, height: 18 }
/** Cells of a row, on a screen of the usual width. */
const PER_ROW = 50
const ROW = { height: 46, cell: 20 }
/** How many cells are drawn for an agent. */
const MOST = 2000
/** How many tools have their own colour. */
const TONES = 6

/** What a timeline is drawn from. */
export type TimelineReport = Pick<ScanReport, 'byTool' | 'byAgent' | 'loops' | 'timeline'>

/** A whole timeline. */
export interface TimelineLayout {
  /** The tools by tone; the last entry is the label for all other tools, if there are any. */
  readonly legend: readonly string[]
  /** What else is drawn somewhere: errors, loops and each action. */
  readonly marks: readonly MarkSample[]
  readonly lanes: readonly Lane[]
}

/** A mark as a legend shows it, in a drawing of the size of a cell. */
export interface MarkSample {
  readonly name: 'error' | 'loop' | ScanFinding['action']
  readonly path: string
}

/** The calls of one agent. */
export interface Lane {
  readonly id: string
  readonly name: string
  /** What it shows, in words. */
  readonly label: string
  readonly width: number
  readonly height: number
  readonly cells: readonly Cell[]
  readonly brackets: readonly Bracket[]
  /** How many calls are not drawn. */
  readonly hidden: number
}

/** One call. */
export interface Cell {
  /** Its number among the agent's calls, from 0. */
  readonly index: number
  readonly call: CallReport
  readonly title: string
  readonly tone: number
  readonly isAnswered: boolean
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  /** The mark of an error, as a path. */
  readonly cross: string | null
  /** The mark of an alarm, as a path. */
  readonly flag: string | null
}

/** The part of a loop that is in one row. */
export interface Bracket {
  readonly loop: ScanFinding
  readonly path: string
}

/** Lays out the timeline of a report, with that many cells in a row. */
export function layOut(report: TimelineReport, wanted = PER_ROW): TimelineLayout {
  const perRow = wanted >= 1 ? Math.floor(wanted) : PER_ROW
  const { byTool, byAgent, loops, timeline } = report
  const tools = byTool.slice(0, TONES).map(({ tool }) => tool)
  const calls = timeline ?? []
  return {
    legend: byTool.length > TONES ? [...tools, 'others'] : tools,
    marks: marksIn(calls, loops),
    lanes: byAgent
      .filter((agent) => agent.calls > 0)
      .map(({ id, name }) =>
        lane(
          id,
          name ?? (id || 'main'),
          calls.filter(({ agent }) => agent === id),
          loops.filter(({ agent, from }) => agent === id && from >= 0),
          tools,
          perRow,
        ),
      ),
  }
}

function marksIn(calls: readonly CallReport[], loops: readonly ScanFinding[]): MarkSample[] {
  const isFlagged = (action: string) => calls.some((call) => call.action === action)
  return [
    ...(calls.some(({ ok }) => ok === false)
      ? [{ name: 'error', path: crossAt(0, 0) } as const]
      : []),
    ...(loops.some(({ from }) => from >= 0)
      ? [{ name: 'loop', path: `M1 12V6H${CELL.width - 1}V12` } as const]
      : []),
    ...(['nudge', 'block', 'stop'] as const)
      .filter(isFlagged)
      .map((name) => ({ name, path: flagAt(0, 5) })),
  ]
}

function lane(
  id: string,
  name: string,
  calls: readonly CallReport[],
  loops: readonly ScanFinding[],
  tools: readonly string[],
  perRow: number,
): Lane {
  const drawn = calls.slice(0, MOST)
  return {
    id,
    name,
    label: `Timeline of ${name}: ${several(calls.length, 'call')}, ${several(loops.length, 'loop')}`,
    width: Math.min(drawn.length, perRow) * CELL.width + 2,
    height: Math.ceil(drawn.length / perRow) * ROW.height,
    cells: drawn.map((call, index) => cell(call, index, tools, perRow)),
    brackets: loops.flatMap((loop) => brackets(loop, drawn.length, perRow)),
    hidden: calls.length - drawn.length,
  }
}

function cell(call: CallReport, index: number, tools: readonly string[], perRow: number): Cell {
  const x = (index % perRow) * CELL.width
  const y = Math.floor(index / perRow) * ROW.height
  const tone = tools.indexOf(call.tool)
  return {
    index,
    call,
    title: `${index + 1}: ${call.tool} ${call.args.slice(0, 80)}`,
    tone: tone < 0 ? TONES : tone,
    isAnswered: call.output !== null,
    x: x + 1,
    y: y + ROW.cell,
    width: CELL.width - 2,
    height: CELL.height,
    cross: call.ok === false ? crossAt(x, y + ROW.cell) : null,
    flag: call.action === null ? null : flagAt(x, y + 9),
  }
}

/** The mark of an error in a cell. */
function crossAt(x: number, y: number): string {
  return `M${x + 4} ${y + 6}l6 6m0-6l-6 6`
}

/** The mark of an alarm above a cell. */
function flagAt(x: number, y: number): string {
  return `M${x + CELL.width / 2 - 4} ${y}h8l-4 8z`
}

/** A bracket above the calls of a loop, one piece for each row. */
function brackets(loop: ScanFinding, length: number, perRow: number): Bracket[] {
  const pieces: Bracket[] = []
  const { from, to } = loop
  const last = Math.min(to, length - 1)
  for (let row = Math.floor(from / perRow); row <= Math.floor(last / perRow); row++) {
    const first = Math.max(from, row * perRow)
    const end = Math.min(last, row * perRow + perRow - 1)
    const left = (first % perRow) * CELL.width + 1
    const right = (end % perRow) * CELL.width + CELL.width - 1
    const top = row * ROW.height + 4
    const begin = first === from ? `M${left} ${top + 6}V${top}` : `M${left} ${top}`
    const close = end === to ? `H${right}V${top + 6}` : `H${right}`
    pieces.push({ loop, path: `${begin}${close}` })
  }
  return pieces
}
