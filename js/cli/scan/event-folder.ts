/**
 * Folders in which OpenHands keeps a conversation, one event per file. Such a folder is one
 * transcript.
 *
 * @module
 */

import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const EVENT_FILE = /^event-\d+-.+\.json$/

/** Returns the folder that a file is an event of, or `null` if it is a transcript of its own. */
export function eventFolderOf(file: string): string | null {
  return EVENT_FILE.test(path.basename(file)) ? path.dirname(file) : null
}

/** Reads the events of a folder as JSON lines, in their order. */
export function readEventFolder(folder: string): string {
  const files = readdirSync(folder).filter((name) => EVENT_FILE.test(name))
  const numberOf = (name: string) => Number(/\d+/.exec(name)?.[0])
  files.sort((a, b) => numberOf(a) - numberOf(b))
  // JSON has line ends only between its parts, so an event may be put on one line.
  return files
    .map((name) => readFileSync(path.join(folder, name), 'utf8').replace(/[\r\n]+/g, ' '))
    .join('\n')
}
