/**
 * The totals of a scan, as a row of figures.
 *
 * @module
 */

import { dollars, duration, short } from './figures.js'
import type { FolderReport } from './folder-report.js'

/** The figures that matter most. Without a loop, only those that say so. */
export function Totals({ totals }: { totals: FolderReport['totals'] }) {
  const { waste, calls } = totals
  const tokens = (waste.tokens?.in ?? 0) + (waste.tokens?.out ?? 0)
  const facts = [
    ...(totals.sessions > 1
      ? [['sessions stuck', number(totals.stuck), `of ${number(totals.sessions)}`]]
      : []),
    ['loops', number(totals.loops)],
    ['calls wasted', number(waste.calls), `of ${number(calls)}`],
    ...(totals.loops > 0
      ? [
          ['avoidable calls', number(waste.avoidable)],
          ['time wasted', waste.ms === null ? 'unknown' : duration(waste.ms)],
          ['tokens wasted', waste.tokens === null ? 'unknown' : short(tokens)],
          ['money wasted', waste.cost === null ? 'unknown' : dollars(waste.cost)],
        ]
      : []),
  ]
  return (
    <dl class="facts">
      {facts.map(([name, value, rest]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {value}
            {rest && <small> {rest}</small>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function number(count: number): string {
  return count.toLocaleString('en')
}
