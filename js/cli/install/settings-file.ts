/**
 * Reads and replaces a host's settings: as a whole or not at all, with a copy of what was there.
 *
 * @module
 */

import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import { UsageError } from '../options.js'
import { printable } from '../terminal.js'

/** Next to the file, with an ending that hosts that read every `.json` in a folder ignore. */
const BACKUP = '.before-loophound'

export interface SettingsFile {
  /** The path as the host names it. */
  readonly name: string
  /** Its real path: settings are often links into a folder of dotfiles. */
  readonly target: string
  /** `null` if there is none. */
  readonly text: string | null
}

/**
 * Reads a file.
 *
 * @throws UsageError when it exists and cannot be read.
 */
export function readSettings(file: string): SettingsFile {
  const name = resolve(file)
  try {
    if (!lstatSync(name, { throwIfNoEntry: false })) return { name, target: name, text: null }
    const target = realpathSync(name)
    if (!statSync(target).isFile()) throw new Error('it is not a file')
    return { name, target, text: decode(readFileSync(target)) }
  } catch (error) {
    throw new UsageError(
      printable(`${name} cannot be read: ${(error as Error).message}.`),
      'Mend or remove it, then try again.',
    )
  }
}

/** Other bytes than UTF-8 would be lost when the file is written. */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new Error('it is not written in UTF-8')
  }
}

/**
 * Replaces the file, or removes it.
 *
 * @param text `null` to remove it.
 * @returns The path of a copy of the old file; `null` if nothing of the user's was in it.
 * @throws UsageError when that is not possible.
 */
export function replaceSettings(file: SettingsFile, text: string | null): string | null {
  try {
    return replace(file, text)
  } catch (error) {
    throw new UsageError(
      printable(`${file.target} cannot be changed: ${(error as Error).message}.`),
      'Make it writable, or change it by hand: --print shows the file as it would be.',
    )
  }
}

function replace({ target, text: old }: SettingsFile, text: string | null): string | null {
  // A rename would replace it all the same.
  if (old !== null && !(statSync(target).mode & 0o222)) throw new Error('it is read-only')
  // What is removed has nothing in it but our hooks.
  const backup = old === null || text === null ? null : `${target}${BACKUP}`
  if (backup !== null) copyFileSync(target, backup)
  if (text === null) {
    rmSync(target, { force: true })
    return backup
  }
  mkdirSync(dirname(target), { recursive: true })
  const draft = `${target}.${randomBytes(6).toString('hex')}.tmp`
  try {
    writeFileSync(draft, text, { flag: 'wx', mode: 0o644 })
    if (old !== null) chmodSync(draft, statSync(target).mode & 0o777)
    renameSync(draft, target)
  } finally {
    rmSync(draft, { force: true })
  }
  return backup
}
