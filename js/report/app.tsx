/**
 * A whole report: the totals, the sessions to choose from, and the selected one.
 *
 * @module
 */

import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { several } from './figures.js'
import type { FolderReport } from './folder-report.js'
import { savedSentence } from './saved.js'
import { SessionView } from './session-view.js'
import { Sessions } from './sessions.js'
import { useShortcuts } from './shortcuts.js'
import { Totals } from './totals.js'

export function App({ report }: { report: FolderReport }) {
  const { sessions, totals, options, loophound, prices, failures } = report
  const { preset, ...own } = options
  const [chosen, choose] = useState(0)
  const session = sessions[chosen]
  const details = useRef<HTMLDivElement>(null)
  const shown = useRef(chosen)
  // The table may be long: whoever chooses a session is taken to it.
  useLayoutEffect(() => {
    if (shown.current === chosen) return
    shown.current = chosen
    details.current?.focus()
    details.current?.scrollIntoView()
  }, [chosen])
  useShortcuts()
  return (
    <>
      <header>
        <h1>{totals.loops > 0 ? 'Agents were stuck in loops' : 'No loop found'}</h1>
        <Totals totals={totals} />
        {totals.waste.avoidable > 0 && <p>{savedSentence(totals)}</p>}
      </header>
      <main>
        {sessions.length > 1 && <Sessions sessions={sessions} chosen={chosen} choose={choose} />}
        <div ref={details} tabIndex={-1}>
          {session && <SessionView key={chosen} session={session} />}
        </div>
      </main>
      <footer>
        {failures.length > 0 && (
          <details>
            <summary>{several(failures.length, 'file')} could not be read</summary>
            <ul>
              {failures.map(({ file, reason }) => (
                <li key={file}>
                  {file}: {reason}
                </li>
              ))}
            </ul>
          </details>
        )}
        <p>
          loophound {loophound}, preset {preset ?? 'balanced'}
          {Object.keys(own).length > 0 && (
            <>
              {' '}
              with <code>{JSON.stringify(own)}</code>
            </>
          )}
          {prices && `, prices of ${prices}`}. Keys: <kbd>j</kbd> <kbd>k</kbd> next and previous
          call, <kbd>n</kbd> <kbd>p</kbd> next and previous loop, <kbd>/</kbd> search.
        </p>
      </footer>
    </>
  )
}
