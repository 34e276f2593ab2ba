/**
 * Removes what is left of old sessions.
 *
 * @module
 */

import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

const WEEK = 7 * 24 * 60 * 60 * 1000

/** What we write: state, drafts of it, locks, and what could not be read. */
const OURS = /^[0-9a-f]{32}\.json(\.lock(-break)?|\.\d+\.(tmp|unread))?$/

/** Never fails: what cannot be removed now can be removed later, or by somebody else. */
export function sweep(folder: string): void {
  try {
    for (const name of readdirSync(folder)) {
      const file = join(folder, name)
      if (OURS.test(name) && Date.now() - statSync(file).mtimeMs > WEEK)
        rmSync(file, { force: true })
    }
  } catch {
    // Another process swept at the same time.
  }
}
