/**
 * Two option sets side by side on the same transcripts.
 *
 * @module
 */

import type { ScanFinding } from 'loophound'
import { dollars, placeOf, several, short } from '../js/report/figures.js'
import type { FolderReport, SessionReport } from '../js/report/folder-report.js'
import { Timeline } from '../js/report/timeline.js'
import { nameOf } from './labels.js'
import type { Result, Side } from './state.js'
import { Unreadable } from './unreadable.js'

interface Row {
  readonly name: string
  readonly of: (report: FolderReport) => string
}

const count = (value: number) => value.toLocaleString('en')

const ROWS: readonly Row[] = [
  { name: 'Preset', of: ({ options }) => options.preset ?? 'balanced' },
  {
    name: 'Changed options',
    of: ({ options }) =>
      Object.keys(options)
        .filter((name) => name !== 'preset')
        .join(', ') || 'none',
  },
  { name: 'Loops reported', of: ({ totals }) => count(totals.loops) },
  { name: 'First alarm', of: firstAlarm },
  { name: 'Most severe action', of: mostSevere },
  { name: 'Calls wasted', of: ({ totals }) => count(totals.waste.calls) },
  { name: 'Calls saved', of: ({ totals }) => count(totals.waste.avoidable) },
  {
    name: 'Tokens wasted',
    of: ({ totals: { waste } }) =>
      waste.tokens === null ? 'unknown' : short((waste.tokens.in ?? 0) + (waste.tokens.out ?? 0)),
  },
  {
    name: 'Money wasted',
    of: ({ totals: { waste } }) => (waste.cost === null ? 'unknown' : dollars(waste.cost)),
  },
]

function firstAlarm({ sessions }: FolderReport): string {
  const [first] = sessions.flatMap(({ loops }) => loops)
  if (!first) return 'none'
  return `${first.kind}, call ${first.call + 1}${first.agent && ` of ${first.agent}`}`
}

function mostSevere({ sessions }: FolderReport): string {
  const actions = sessions.flatMap(({ loops }) => loops.map(({ action }) => action))
  return (['stop', 'block', 'nudge'] as const).find((action) => actions.includes(action)) ?? 'none'
}

export function ComparePane(props: {
  results: readonly [Result, Result]
  edit: (side: Side) => void
}) {
  const [a, b] = props.results
  if (!a.report || !b.report) return <p role="status">{a.error ?? b.error ?? 'Comparing…'}</p>
  const reports = [a.report, b.report] as const
  if (reports.every(({ sessions }) => sessions.length === 0))
    return <Unreadable report={a.report} />
  const groups = groupsOf(reports)
  return (
    <>
      <h2 class="answer" aria-live="polite">
        {verdictOn(groups)}
      </h2>
      <p class="lead">
        Both judge the same transcript. Change A or B in the options, and watch what it costs in
        alarms and what it saves in calls.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard */}
      <section class="wide" tabIndex={0} aria-label="Table of the comparison">
        <table class="compare">
          <thead>
            <tr>
              <td />
              {reports.map((_, side) => (
                <th key={side === 0 ? 'A' : 'B'} scope="col">
                  <button type="button" onClick={() => props.edit(side as Side)}>
                    Options {side === 0 ? 'A' : 'B'}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {ROWS.map(({ name, of }) => {
              const [left, right] = [of(reports[0]), of(reports[1])]
              return (
                <tr key={name} class={left === right ? '' : 'differs'}>
                  <th scope="row">{name}</th>
                  <td>{left}</td>
                  <td>{right}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </section>
      <Timelines reports={reports} />
      {groups.length > 0 && (
        <>
          <h3>Loops</h3>
          <section class="wide" aria-label="Loops that A and B find">
            <table class="compare differences">
              <thead>
                <tr>
                  <td />
                  <th scope="col">A</th>
                  <th scope="col">B</th>
                </tr>
              </thead>
              <tbody>
                {groups.map(({ name, found }) => (
                  <tr key={name}>
                    <th scope="row">{name}</th>
                    {found.map((loops, side) => (
                      <td key={side === 0 ? 'A' : 'B'}>
                        {loops.length === 0 && 'not found'}
                        {loops.map((loop) => (
                          <div key={nameOf(loop)}>
                            {loop.kind} <span class={`badge ${loop.action}`}>{loop.action}</span>
                          </div>
                        ))}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        </>
      )}
    </>
  )
}

/** The same calls twice, with the loops and alarms of each side. */
function Timelines({ reports }: { reports: readonly [FolderReport, FolderReport] }) {
  const [a, b] = reports
  const left = a.sessions.find(({ timeline }) => timeline)
  const right = b.sessions.find(({ timeline, file }) => timeline && file === left?.file)
  if (!left || !right) return null
  const side = (name: string, { options }: FolderReport, session: SessionReport) => (
    <section class="side" aria-label={`Timeline of ${name}`}>
      <h4>
        {name}, {options.preset ?? 'balanced'}
      </h4>
      <Timeline session={session} />
    </section>
  )
  return (
    <>
      <h3>Timelines</h3>
      {side('A', a, left)}
      {side('B', b, right)}
    </>
  )
}

/** Counts places: one side may report a loop twice that the other reports once. */
export function verdictOn(groups: readonly Pick<Group, 'found'>[]): string {
  const missedBy = (side: Side) => groups.filter(({ found }) => found[side].length === 0).length
  const [onlyB, onlyA] = [missedBy(0), missedBy(1)]
  if (groups.length === 0) return 'Neither finds a loop'
  if (onlyA === 0 && onlyB === 0) return 'A and B find the same loops'
  if (onlyA > 0 && onlyB > 0) {
    return `A finds ${several(onlyA, 'loop')} that B misses, and misses ${onlyB} that B finds`
  }
  const [more, many] = onlyB > 0 ? ['B', onlyB] : ['A', onlyA]
  return `${more} finds ${many} more ${many === 1 ? 'loop' : 'loops'}`
}

/** What both sides find in one place. */
interface Group {
  readonly name: string
  readonly found: readonly [ScanFinding[], ScanFinding[]]
}

/** Puts loops about the same calls together, whatever they are called. */
function groupsOf(reports: readonly [FolderReport, FolderReport]): Group[] {
  const all = reports.flatMap(({ sessions }, side) =>
    sessions.flatMap(({ file, loops }) => loops.map((loop) => ({ side, file, loop }))),
  )
  const isAlone = reports.every(({ sessions }) => sessions.length === 1)
  const lanes = new Map<string, typeof all>()
  for (const one of all) {
    const key = JSON.stringify([one.file, one.loop.agent, one.loop.from < 0])
    lanes.set(key, [...(lanes.get(key) ?? []), one])
  }
  return [...lanes.values()].flatMap((lane) => {
    const groups: { file: string; whole: ScanFinding; found: Group['found'] }[] = []
    for (const { side, file, loop } of lane.sort((x, y) => startOf(x.loop) - startOf(y.loop))) {
      const last = groups.at(-1)
      const group =
        last && startOf(loop) <= endOf(last.whole)
          ? last
          : { file, whole: loop, found: [[], []] as Group['found'] }
      if (group !== last) groups.push(group)
      group.whole = { ...group.whole, to: Math.max(group.whole.to, loop.to) }
      group.found[side as Side].push(loop)
    }
    return groups.map(({ file, whole, found }) => {
      const who = whole.agent && ` of ${whole.agent}`
      return { name: `${placeOf(whole)}${who}${isAlone ? '' : `, ${file}`}`, found }
    })
  })
}

/** Loops of text have no calls; they come after one. */
const startOf = ({ from, call }: ScanFinding) => (from < 0 ? call : from)
const endOf = ({ from, to, call }: ScanFinding) => (from < 0 ? call : to)
