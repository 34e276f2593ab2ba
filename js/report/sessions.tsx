/**
 * The sessions of a report, as a table that can be sorted and selected from.
 *
 * @module
 */

import { useState } from 'preact/hooks'
import { dollars, duration, short } from './figures.js'
import type { SessionReport } from './folder-report.js'

/** How many sessions are listed at first, so that the chosen one is not far below. */
const FIRST = 12
/** How many more are listed at a time. */
const PAGE = 200

interface Column {
  readonly name: string
  readonly of: (session: SessionReport) => number | string
  readonly show?: (session: SessionReport) => string
}

const COLUMNS: readonly Column[] = [
  { name: 'Session', of: ({ file }) => file },
  { name: 'Calls', of: ({ calls }) => calls },
  { name: 'Loops', of: ({ loops }) => loops.length },
  { name: 'Wasted calls', of: ({ waste }) => waste.calls },
  {
    name: 'Wasted time',
    of: ({ waste }) => waste.ms ?? UNKNOWN,
    show: ({ waste }) => (waste.ms === null ? '–' : duration(waste.ms)),
  },
  {
    name: 'Wasted tokens',
    of: ({ waste }) => tokensOf(waste) ?? UNKNOWN,
    show: ({ waste }) => (waste.tokens === null ? '–' : short(tokensOf(waste) ?? 0)),
  },
  {
    name: 'Wasted money',
    of: ({ waste }) => waste.cost ?? UNKNOWN,
    show: ({ waste }) => (waste.cost === null ? '–' : dollars(waste.cost)),
  },
]

/** What is unknown comes after everything that is known. */
const UNKNOWN = -1

function tokensOf({ tokens }: SessionReport['waste']): number | null {
  return tokens && (tokens.in ?? 0) + (tokens.out ?? 0)
}

/** Returns the folder that all sessions are in, with its slash; empty if there is none. */
function folderOf(sessions: readonly SessionReport[]): string {
  const files = sessions.map(({ file }) => file)
  let folder = files[0] ?? ''
  for (const file of files) {
    while (!file.startsWith(folder)) folder = folder.slice(0, -1)
  }
  return folder.slice(0, Math.max(folder.lastIndexOf('/'), folder.lastIndexOf('\\')) + 1)
}

/** The sessions, sorted by any column; by waste at first. */
export function Sessions(props: {
  sessions: readonly SessionReport[]
  chosen: number
  choose: (index: number) => void
}) {
  const { sessions, chosen, choose } = props
  const [sorting, sort] = useState({ column: 3, isDown: true })
  const [shown, show] = useState(FIRST)
  const { of } = COLUMNS[sorting.column] ?? { of: () => 0 }
  const order = sessions.map((_, index) => index)
  order.sort((a, b) => {
    const [left, right] = [sessions[a], sessions[b]].map((one) => (one ? of(one) : 0))
    if (left === right || left === undefined || right === undefined) return a - b
    return left < right === sorting.isDown ? 1 : -1
  })
  const folder = folderOf(sessions)
  return (
    <section>
      <h2>Sessions</h2>
      {folder && (
        <p>
          In <code>{folder}</code>
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard */}
      <section class="wide" tabIndex={0} aria-label="Table of sessions">
        <table>
          <thead>
            <tr>
              {COLUMNS.map(({ name }, index) => {
                const isSorted = sorting.column === index
                const direction = sorting.isDown ? 'descending' : 'ascending'
                return (
                  <th key={name} scope="col" aria-sort={isSorted ? direction : 'none'}>
                    <button
                      type="button"
                      onClick={() =>
                        sort({ column: index, isDown: isSorted ? !sorting.isDown : index > 0 })
                      }
                    >
                      {name}
                      {isSorted && (sorting.isDown ? ' ▾' : ' ▴')}
                    </button>
                  </th>
                )
              })}
            </tr>
          </thead>
          <tbody>
            {order.slice(0, shown).map((index) => (
              <tr key={index} class={index === chosen ? 'chosen' : ''}>
                {COLUMNS.map(({ name, of, show }, column) => {
                  const session = sessions[index]
                  const text = session && (show?.(session) ?? String(of(session)))
                  return column > 0 ? (
                    <td key={name}>{text}</td>
                  ) : (
                    <th key={name} scope="row">
                      <button
                        type="button"
                        aria-pressed={index === chosen}
                        onClick={() => choose(index)}
                      >
                        {text?.slice(folder.length)}
                      </button>
                    </th>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {shown < sessions.length && (
        <button type="button" onClick={() => show(shown + PAGE)}>
          Show {Math.min(PAGE, sessions.length - shown)} more
        </button>
      )}
    </section>
  )
}
