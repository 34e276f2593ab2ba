/**
 * The timeline of a scan as a React component. It includes its colours and needs no style sheet.
 *
 * @module
 */

import type { CallReport, ScanReport } from 'loophound'
import { createElement, type KeyboardEvent, type ReactElement, useState } from 'react'
import { CELL, type Cell, type Lane, layOut, type MarkSample } from '../report/timeline-layout.js'

/** Properties of a {@link LoopTimeline}. */
export interface LoopTimelineProps {
  /** What `scan` reported, with `timeline: true`. */
  readonly report: ScanReport
  /**
   * Called with the call that was selected, by mouse or by keyboard, and its index among the calls
   * of its agent. Without it, the timeline is not interactive.
   */
  readonly onSelect?: (call: CallReport, index: number) => void
  /** How many calls are in a row; 50 if absent. Fewer fit a narrow page without shrinking. */
  readonly perRow?: number
  readonly className?: string
}

/**
 * Shows the calls of each agent as a row of cells, loops as brackets above their calls, and alarms
 * as flags. The colours are CSS variables, `--loophound-tone-0` to `-6`, `--loophound-nudge`,
 * `--loophound-block` and `--loophound-stop`, with defaults for light and dark pages.
 *
 * @example
 * ```tsx
 * <LoopTimeline report={scan(transcript, { timeline: true })} />
 * ```
 */
export function LoopTimeline(props: LoopTimelineProps): ReactElement {
  const { report, onSelect, perRow, className } = props
  const { legend, marks, lanes } = layOut(report, perRow)
  return createElement(
    'div',
    { className },
    createElement(
      'ul',
      { style: LEGEND },
      legend.map((tool, tone) =>
        createElement(
          'li',
          { key: tool },
          createElement(
            'svg',
            { viewBox: '0 0 12 12', width: 12, height: 12, 'aria-hidden': true },
            createElement('rect', { width: 12, height: 12, rx: 2, style: { fill: toneOf(tone) } }),
          ),
          ` ${tool}`,
        ),
      ),
      marks.map((mark) =>
        createElement('li', { key: `mark ${mark.name}` }, markView(mark), ` ${mark.name}`),
      ),
    ),
    lanes.map((lane) => createElement(LaneView, { key: lane.id, lane, onSelect })),
  )
}

const LEGEND = {
  display: 'flex',
  flexWrap: 'wrap',
  gap: '0.25rem 1rem',
  padding: 0,
  listStyle: 'none',
} as const

/** A light and a dark colour for each tone; the last is for all other tools. */
const TONES = [
  ['#4f7fc4', '#7aa7e8'],
  ['#c98a2b', '#e0aa55'],
  ['#3f9a72', '#63c299'],
  ['#9a63b8', '#c094da'],
  ['#3d9aa6', '#66c3cf'],
  ['#b85f86', '#dc8fb0'],
  ['#8b9098', '#8b9098'],
] as const

const ACTIONS = {
  nudge: ['#8a5a00', '#f0b549'],
  block: ['#b3370b', '#ff9a6b'],
  stop: ['#b3122b', '#ff8a96'],
} as const

const colour = (name: string, [light, dark]: readonly [string, string]) =>
  `var(--loophound-${name}, light-dark(${light}, ${dark}))`

const toneOf = (tone: number) => colour(`tone-${tone}`, TONES[tone] ?? TONES[6])

const actionOf = (action: keyof typeof ACTIONS) => colour(action, ACTIONS[action])

function markView({ name, path }: MarkSample): ReactElement {
  const { width, height } = CELL
  const isLine = name === 'error' || name === 'loop'
  const style = isLine
    ? { fill: 'none', stroke: 'currentColor', strokeWidth: 2 }
    : { fill: actionOf(name) }
  return createElement(
    'svg',
    { viewBox: `0 0 ${width} ${height}`, width, height, 'aria-hidden': true },
    createElement('path', { d: path, style }),
  )
}

function LaneView(props: { lane: Lane; onSelect: LoopTimelineProps['onSelect'] }): ReactElement {
  const { lane, onSelect } = props
  const { name, label, width, height, cells, brackets, hidden } = lane
  /** The cell that the tab key moves to. */
  const [current, setCurrent] = useState(0)

  const choose = ({ call, index }: Cell) => {
    setCurrent(index)
    onSelect?.(call, index)
  }
  const onKeyDown = (event: KeyboardEvent<SVGGElement>, cell: Cell) => {
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault()
      choose(cell)
      return
    }
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -cells.length, End: cells.length }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = Math.max(0, Math.min(cells.length - 1, cell.index + step))
    setCurrent(next)
    const all = event.currentTarget.parentElement?.querySelectorAll<SVGGElement>('[role=button]')
    all?.[next]?.focus()
  }
  const control = (cell: Cell) => ({
    role: 'button',
    tabIndex: cell.index === current ? 0 : -1,
    'aria-label': cell.title,
    style: { cursor: 'pointer' },
    onClick: () => choose(cell),
    onKeyDown: (event: KeyboardEvent<SVGGElement>) => onKeyDown(event, cell),
  })

  return createElement(
    'figure',
    { style: { margin: '0.5rem 0 1rem' } },
    createElement('figcaption', null, name),
    createElement(
      'svg',
      {
        viewBox: `0 0 ${width} ${height}`,
        width,
        role: onSelect ? 'group' : 'img',
        'aria-label': label,
        style: { display: 'block', maxWidth: '100%', height: 'auto' },
      },
      brackets.map(({ loop, path }) =>
        createElement(
          'path',
          { key: path, d: path, fill: 'none', strokeWidth: 2, style: stroke(loop.action) },
          createElement('title', null, loop.kind),
        ),
      ),
      cells.map((cell) =>
        createElement(
          'g',
          { key: cell.index, ...(onSelect && control(cell)) },
          createElement('title', null, cell.title),
          ...drawing(cell),
        ),
      ),
    ),
    hidden > 0 &&
      createElement('p', null, `The first ${cells.length.toLocaleString('en')} calls are drawn.`),
  )
}

const stroke = (action: keyof typeof ACTIONS) => ({ stroke: actionOf(action) })

function drawing({ call, tone, isAnswered, x, y, width, height, cross, flag }: Cell) {
  const fill = toneOf(tone)
  return [
    createElement('rect', {
      ...{ x, y, width, height, rx: 2, style: { fill, fillOpacity: isAnswered ? 1 : 0.35 } },
    }),
    cross && createElement('path', { d: cross, fill: 'none', stroke: '#16181b', strokeWidth: 2 }),
    flag &&
      call.action &&
      createElement('path', { d: flag, style: { fill: actionOf(call.action) } }),
  ]
}
