/**
 * Says why a file could not be read, and what can be.
 *
 * @module
 */

import type { FolderReport } from '../js/report/folder-report.js'
import { formats } from './options.js'

/** In place of an answer, when nothing could be read. */
export function Unreadable({ report }: { report: FolderReport }) {
  const known = formats().filter((name) => name !== 'auto')
  return (
    <>
      <h2 class="answer" aria-live="polite">
        This cannot be read as a transcript
      </h2>
      <Reasons failures={report.failures} />
      <p>
        These formats are read, as JSON or as one JSON value in each line:{' '}
        {known.toSorted().join(', ')}.
      </p>
    </>
  )
}

/** The files that could not be read, each with the reason. */
export function Reasons({ failures }: { failures: FolderReport['failures'] }) {
  return (
    <ul>
      {failures.map(({ file, reason }) => (
        <li key={file}>
          {file}: {reason.replace(/^transcript: /, '')}
        </li>
      ))}
    </ul>
  )
}
