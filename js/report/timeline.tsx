/**
 * Draws a timeline: a cell for each call, in rows for each agent; loops are brackets above their
 * calls, and alarms are flags.
 *
 * @module
 */

import type { SessionReport } from './folder-report.js'
import { CELL, type Lane, layOut, type MarkSample } from './timeline-layout.js'

/** Cells of a row where there is little room. */
const NARROW_ROW = 20

export function Timeline({ session }: { session: SessionReport }) {
  const isNarrow = matchMedia('(max-width: 30rem)').matches
  const { legend, marks, lanes } = layOut(session, isNarrow ? NARROW_ROW : undefined)
  return (
    <>
      <ul class="legend">
        {legend.map((tool, tone) => (
          <li key={tool}>
            <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
              <rect class={`tone-${tone}`} width="12" height="12" rx="2" />
            </svg>{' '}
            {tool}
          </li>
        ))}
        {marks.map((mark) => (
          <li key={mark.name}>
            <MarkView mark={mark} /> {mark.name}
          </li>
        ))}
      </ul>
      {lanes.map((lane) => (
        <LaneView key={lane.id} lane={lane} />
      ))}
    </>
  )
}

function MarkView({ mark: { name, path } }: { mark: MarkSample }) {
  const { width, height } = CELL
  const kind = { error: 'cross', loop: 'bracket' }[name as string] ?? `flag ${name}`
  return (
    <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} aria-hidden="true">
      <path class={kind} d={path} />
    </svg>
  )
}

function LaneView({ lane }: { lane: Lane }) {
  const { name, label, width, height, cells, brackets, hidden } = lane
  return (
    <figure>
      <figcaption>{name}</figcaption>
      <svg
        class="lane"
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        role="img"
        aria-label={label}
      >
        {brackets.map(({ loop, path }) => (
          <path key={path} class={`bracket ${loop.action}`} d={path}>
            <title>{loop.kind}</title>
          </path>
        ))}
        {cells.map(({ index, call, title, tone, isAnswered, x, y, width, height, cross, flag }) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: a shortcut; the list of calls is for keyboards
          <g key={index} onClick={() => open(call.agent, index)}>
            <title>{title}</title>
            <rect
              class={`tone-${tone}${isAnswered ? '' : ' unanswered'}`}
              x={x}
              y={y}
              width={width}
              height={height}
              rx="2"
            />
            {cross && <path class="cross" d={cross} />}
            {flag && <path class={`flag ${call.action}`} d={flag} />}
          </g>
        ))}
      </svg>
      {hidden > 0 && <p>The first {cells.length.toLocaleString('en')} calls are drawn.</p>}
    </figure>
  )
}

/** Opens a call in the list below. */
function open(agent: string, index: number): void {
  const call = document.getElementById(`call-${agent}-${index}`)
  if (call instanceof HTMLDetailsElement) {
    call.open = true
    call.querySelector('summary')?.focus()
  }
}
