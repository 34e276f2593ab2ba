/**
 * What one option set says about the transcripts: the answer first, then the figures, the loops and
 * the calls, each with its reasons, and what the visitor thinks of it.
 *
 * @module
 */

import type { ScanFinding } from 'loophound'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { placeOf, several } from '../js/report/figures.js'
import type { FolderReport, SessionReport } from '../js/report/folder-report.js'
import { savedSentence } from '../js/report/saved.js'
import { SessionView } from '../js/report/session-view.js'
import { Sessions } from '../js/report/sessions.js'
import { Totals } from '../js/report/totals.js'
import { download } from './clipboard.js'
import type { CallPlace, Explained } from './judge.js'
import { labelLines, type Mark, nameOf } from './labels.js'
import type { Action } from './state.js'
import { Reasons, Unreadable } from './unreadable.js'
import { WhyCall } from './why.js'

export function SessionPane(props: {
  report: FolderReport
  chosen: string | null
  marks: readonly Mark[]
  explain: (place: CallPlace) => Promise<Explained | null>
  dispatch: (action: Action) => void
}) {
  const { report, chosen, marks, explain, dispatch } = props
  const { sessions, totals, failures } = report
  const index = indexOf(report, chosen)
  const session = sessions[index]
  const later = useLater(report)
  const details = useMemo(
    () =>
      later && (
        <Details
          report={later}
          chosen={chosen}
          marks={marks}
          explain={explain}
          dispatch={dispatch}
        />
      ),
    [later, chosen, marks, explain, dispatch],
  )
  if (!session) return <Unreadable report={report} />
  return (
    <>
      <h2 class="answer" aria-live="polite">
        {headline(report)}
      </h2>
      <p class="lead">{leadOf(session)}</p>
      {failures.length > 0 && <Failures failures={failures} />}
      <Totals totals={totals} />
      {sessions.length > 1 && (
        <Sessions
          sessions={sessions}
          chosen={index}
          choose={(next) => dispatch({ type: 'choose', file: sessions[next]?.file ?? '' })}
        />
      )}
      {details}
    </>
  )
}

function indexOf({ sessions }: FolderReport, chosen: string | null): number {
  return Math.max(
    0,
    sessions.findIndex(({ file }) => file === chosen),
  )
}

/** The session with its loops and calls, and what the visitor thinks of them. */
function Details(props: Parameters<typeof SessionPane>[0]) {
  const { report, chosen, marks, explain, dispatch } = props
  const session = report.sessions[indexOf(report, chosen)]
  if (!session) return null
  const question = JSON.stringify(report.options)
  return (
    <>
      <SessionView
        key={session.file}
        session={session}
        extras={{
          loop: (loop) => (
            <LoopExtras
              loop={loop}
              file={session.file}
              question={question}
              marks={marks}
              explain={explain}
              dispatch={dispatch}
            />
          ),
          call: ({ agent, index: call }) => (
            <WhyCall
              key={question}
              ask={() => explain({ file: session.file, agent, call })}
              hasText
            />
          ),
        }}
      />
      <Labels session={session} report={report} marks={marks} dispatch={dispatch} />
    </>
  )
}

/** The value that was painted last: the answer comes first, and what takes longer a frame later. */
function useLater<T>(value: T): T | null {
  const [painted, setPainted] = useState<T | null>(null)
  useEffect(() => setPainted(value), [value])
  return painted
}

function headline({ totals }: FolderReport): string {
  const { loops, sessions, stuck } = totals
  if (loops === 0) return 'No loop found'
  return sessions > 1
    ? `${stuck} of ${several(sessions, 'session')} stuck`
    : `Stuck in ${several(loops, 'loop')}`
}

/** The session in two sentences. */
function leadOf(session: SessionReport): string {
  const [first] = session.loops
  if (!first) {
    return session.calls > 0
      ? `The agent made ${several(session.calls, 'call')}, and none of them was part of a loop.`
      : 'There are no tool calls in it.'
  }
  const saved = savedSentence(session)
  const place = first.call < 0 ? 'at the start' : `at call ${first.call + 1}`
  const who = first.agent === '' ? '' : ` of ${first.agent}`
  const alarm = `The first alarm would have been a ${first.verdict.action} ${place}${who}.`
  return `${alarm} ${saved}`.trimEnd()
}

function Failures({ failures }: { failures: FolderReport['failures'] }) {
  return (
    <details>
      <summary>{several(failures.length, 'file')} could not be read</summary>
      <Reasons failures={failures} />
    </details>
  )
}

function LoopExtras(props: {
  loop: ScanFinding
  file: string
  question: string
  marks: readonly Mark[]
  explain: (place: CallPlace) => Promise<Explained | null>
  dispatch: (action: Action) => void
}) {
  const { loop, file, question, marks, explain, dispatch } = props
  const [isOpen, open] = useState(false)
  const name = nameOf(loop)
  const title = `${loop.kind}, ${placeOf(loop)}${loop.agent && ` of ${loop.agent}`}`
  const mark = marks.find((one) => one.type === 'wrong' && one.file === file && one.loop === name)
  return (
    <>
      {loop.call >= 0 && (
        <details onToggle={(event) => open(event.currentTarget.open)}>
          <summary>Why it spoke, and how close the other patterns were</summary>
          {isOpen && (
            <WhyCall
              key={question}
              ask={() => explain({ file, agent: loop.agent, call: loop.call })}
            />
          )}
        </details>
      )}
      <p>
        <button
          type="button"
          aria-pressed={mark !== undefined}
          onClick={() =>
            dispatch(
              mark
                ? { type: 'unmark', mark }
                : { type: 'mark', mark: { type: 'wrong', file, loop: name, title } },
            )
          }
        >
          This alarm is wrong
        </button>
      </p>
    </>
  )
}

/** Labels: what was missed, and all marks as lines to save. */
function Labels(props: {
  session: SessionReport
  report: FolderReport
  marks: readonly Mark[]
  dispatch: (action: Action) => void
}) {
  const { session, report, marks, dispatch } = props
  const { file, byAgent } = session
  const agents = byAgent.filter(({ calls }) => calls > 0)
  const [agent, setAgent] = useState('')
  const [from, setFrom] = useState(1)
  const [to, setTo] = useState(1)
  const [reason, setReason] = useState('')
  const most = agents.find(({ id }) => id === agent)?.calls ?? session.calls
  const isValid = from >= 1 && from <= to && to <= most
  const lines = labelLines(report.sessions, marks)
  const number = (label: string, value: number, set: (value: number) => void) => (
    <label>
      {label}{' '}
      <input
        type="number"
        min={1}
        max={most}
        value={value}
        onInput={(event) => set(event.currentTarget.valueAsNumber)}
      />
    </label>
  )
  return (
    <section class="labels">
      <h3>Was that right?</h3>
      <p>
        Mark an alarm as wrong above, or say here where a loop was missed. Both become lines for the
        labels that loophound is measured by. Attach them to an issue.
      </p>
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isValid) return
          const span = { agent, from: from - 1, to: to - 1, reason }
          dispatch({ type: 'mark', mark: { type: 'missed', file, ...span } })
        }}
      >
        {agents.length > 1 && (
          <label>
            Agent{' '}
            <select value={agent} onChange={(event) => setAgent(event.currentTarget.value)}>
              {agents.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name ?? (id || 'main')}
                </option>
              ))}
            </select>
          </label>
        )}
        {number('First repeat', from, setFrom)}
        {number('Last call', to, setTo)}
        <label>
          Why <input value={reason} onInput={(event) => setReason(event.currentTarget.value)} />
        </label>
        <button type="submit" disabled={!isValid}>
          A loop was missed
        </button>
      </form>
      {lines !== '' && (
        <>
          <pre>{lines}</pre>
          <p class="buttons">
            <button type="button" onClick={() => download('labels.jsonl', lines)}>
              Save labels.jsonl
            </button>
            {marks.map((mark, index) => (
              <button
                // biome-ignore lint/suspicious/noArrayIndexKey: marks have no other name
                key={index}
                type="button"
                onClick={() => dispatch({ type: 'unmark', mark })}
              >
                {mark.type === 'wrong'
                  ? `Undo “wrong”: ${mark.title}`
                  : `Undo “missed”: calls ${mark.from + 1}–${mark.to + 1}`}
              </button>
            ))}
          </p>
        </>
      )}
    </section>
  )
}
