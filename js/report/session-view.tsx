/**
 * One session: its loops, the timeline of its agents, and its calls.
 *
 * @module
 */

import type { CallReport, ScanFinding } from 'loophound'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { LEAVE_OUT_CACHE, placeOf, several, spentWords } from './figures.js'
import type { SessionReport } from './folder-report.js'
import { Timeline } from './timeline.js'

/** How many calls are listed at first. */
const PAGE = 200

/** A call with its number among those of its agent. */
export interface Numbered extends CallReport {
  readonly index: number
}

/** What a page shows in addition to the report. */
export interface Extras {
  /** Below a loop. */
  readonly loop?: (loop: ScanFinding) => ComponentChildren
  /** Below a call that is open. */
  readonly call?: (call: Numbered) => ComponentChildren
}

export function SessionView({ session, extras = {} }: { session: SessionReport; extras?: Extras }) {
  const { file, format, calls, results, errors, turns, agents, loops } = session
  const facts = [
    format,
    several(calls, 'call'),
    several(results, 'result'),
    several(errors, 'error'),
    several(turns, 'turn'),
    several(agents, 'agent'),
    ...spentWords(session),
  ]
  const numbered = number(session.timeline ?? [])
  return (
    <section class="session">
      <h2>{file === '-' ? 'Standard input' : file}</h2>
      <p>{facts.join(' · ')}</p>
      {session.tokens && LEAVE_OUT_CACHE.includes(format) && (
        <p class="note">
          Tokens leave out what was read from the cache
          {session.cost !== null && '; the money includes it'}.
        </p>
      )}
      {session.timeline && (
        <>
          <h3>Timeline</h3>
          <Timeline session={session} />
        </>
      )}
      {loops.length > 0 && <h3>Loops</h3>}
      {loops.map((loop) => (
        <Loop
          key={`${loop.agent} ${loop.event} ${loop.kind}`}
          loop={loop}
          isMain={loop.agent === ''}
          extra={extras.loop}
        />
      ))}
      {session.timeline ? (
        <Calls session={session} calls={numbered} extra={extras.call} />
      ) : (
        <p>The calls of this session are not part of this report.</p>
      )}
    </section>
  )
}

function number(timeline: readonly CallReport[]): Numbered[] {
  const counts = new Map<string, number>()
  return timeline.map((call) => {
    const index = counts.get(call.agent) ?? 0
    counts.set(call.agent, index + 1)
    return { ...call, index }
  })
}

function Loop(props: { loop: ScanFinding; isMain: boolean; extra: Extras['loop'] }) {
  const { loop, isMain, extra } = props
  const { kind, pattern, wasted, avoidable, verdict, call, action, agent } = loop
  const lost = [
    `${several(wasted, 'call')} wasted`,
    `${avoidable.toLocaleString('en')} after the first alarm`,
    ...spentWords(loop),
  ]
  const alarm = call < 0 ? 'at the start' : `at call ${call + 1}`
  return (
    <article class={`loop ${action}`} tabIndex={-1}>
      <h4>
        <span class="badge">{action}</span> {kind}, {placeOf(loop)}
        {!isMain && ` of ${agent}`}
      </h4>
      <ol class="pattern">
        {(pattern.length > 0 ? pattern : [verdict.details?.unit ?? '']).map((one, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a call may be in it twice, and it never changes
          <li key={index}>
            <code>{one}</code>
          </li>
        ))}
      </ol>
      <p>{lost.join(' · ')}</p>
      <details open>
        <summary>
          First alarm: {verdict.action} {alarm}. The model would have read:
        </summary>
        <blockquote>{verdict.message}</blockquote>
      </details>
      {extra?.(loop)}
    </article>
  )
}

function Calls(props: {
  session: SessionReport
  calls: readonly Numbered[]
  extra: Extras['call']
}) {
  const { session, calls, extra } = props
  const [tool, pickTool] = useState('')
  const [only, pickOnly] = useState('')
  const [words, search] = useState('')
  const [shown, show] = useState(PAGE)
  const isInLoop = ({ agent, index }: Numbered) =>
    session.loops.some(
      (loop) => loop.agent === agent && index >= loop.from && index <= loop.to && loop.from >= 0,
    )
  const sought = words.toLowerCase()
  const found = calls.filter(
    (call) =>
      (tool === '' || call.tool === tool) &&
      (only !== 'error' || call.ok === false) &&
      (only !== 'loop' || isInLoop(call)) &&
      (only !== 'alarm' || call.action !== null) &&
      (sought === '' ||
        `${call.tool} ${call.args} ${call.output ?? ''}`.toLowerCase().includes(sought)),
  )
  return (
    <>
      <h3>Calls</h3>
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <label>
          Tool{' '}
          <select value={tool} onChange={(event) => pickTool(event.currentTarget.value)}>
            <option value="">all</option>
            {session.byTool.map((one) => (
              <option key={one.tool} value={one.tool}>
                {one.tool} ({one.calls})
              </option>
            ))}
          </select>
        </label>
        <label>
          Only{' '}
          <select value={only} onChange={(event) => pickOnly(event.currentTarget.value)}>
            <option value="">all</option>
            <option value="error">errors</option>
            <option value="loop">in loops</option>
            <option value="alarm">with an alarm</option>
          </select>
        </label>
        <label>
          Search{' '}
          <input
            type="search"
            value={words}
            onInput={(event) => search(event.currentTarget.value)}
          />
        </label>
        <output>{several(found.length, 'call')}</output>
      </form>
      <div class="calls">
        {found.slice(0, shown).map((call) => (
          <Call
            key={`${call.agent} ${call.index}`}
            call={call}
            isInLoop={isInLoop(call)}
            extra={extra}
          />
        ))}
      </div>
      {shown < found.length && (
        <button type="button" onClick={() => show(shown + PAGE)}>
          Show {Math.min(PAGE, found.length - shown)} more
        </button>
      )}
    </>
  )
}

function Call(props: { call: Numbered; isInLoop: boolean; extra: Extras['call'] }) {
  const { call, isInLoop, extra } = props
  const [isOpen, open] = useState(false)
  const { index, agent, tool, args, output, ok, action, at } = call
  return (
    <details
      class={`call${isInLoop ? ' in-loop' : ''}`}
      id={`call-${agent}-${index}`}
      onToggle={(event) => open(event.currentTarget.open)}
    >
      <summary>
        <span class="number">
          {index + 1}
          {agent && ` ${agent}`}
        </span>{' '}
        <b>{tool}</b> <code>{args.slice(0, 120)}</code>
        {ok === false && <span class="badge error">error</span>}
        {action && <span class={`badge ${action}`}>{action}</span>}
      </summary>
      <p>
        {agent && `Agent ${agent} · `}turn {call.turn}
        {at !== null && ` · ${new Date(at).toISOString()}`}
      </p>
      <pre>{args}</pre>
      {output === null ? <p>No result.</p> : <pre>{output}</pre>}
      {isOpen && extra?.(call)}
    </details>
  )
}
