/**
 * Reads and replaces a host's settings: as a whole or not at all, with a copy of what was there.
 *
 * @module
 */

import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  lstatSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import { makeFolder } from '../folders.js'
import { UsageError } from '../options.js'
import { printable } from '../terminal.js'

/** Beside the file, with an ending that hosts that read every `.json` in a folder ignore. */
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

/** Returns where the copy of a file is that {@link replaceSettings} makes. */
export const backupOf = ({ target }: SettingsFile): string => `${target}${BACKUP}`

/** Reads the copy; `null` if there is none that can be read. */
export function readBackup(file: SettingsFile): string | null {
  try {
    return decode(readFileSync(backupOf(file)))
  } catch {
    return null
  }
}

/**
 * Replaces the file, or removes it.
 *
 * @param text `null` to remove it.
 * @param backup Whether to make a copy of it first, to remove the copy afterwards, or neither.
 * @throws UsageError when that is not possible, or when it is no longer what was read.
 */
export function replaceSettings(
  file: SettingsFile,
  text: string | null,
  backup: 'make' | 'remove' | null,
): void {
  const now = readSettings(file.name)
  if (now.text !== file.text || now.target !== file.target) {
    throw new UsageError(
      printable(`${file.name} was changed in the meantime, so it is left as it is.`),
      'Run this again.',
    )
  }
  try {
    // A rename would replace it all the same.
    if (file.text !== null && !(statSync(file.target).mode & 0o222)) {
      throw new Error('it is read-only')
    }
    if (backup === 'make') {
      copyFileSync(file.target, backupOf(file))
      giveToOwner(backupOf(file), file.target)
    }
    replace(file, text)
    if (backup === 'remove') rmSync(backupOf(file), { force: true })
  } catch (error) {
    throw new UsageError(
      printable(`${file.target} cannot be changed: ${(error as Error).message}.`),
      'Make it writable, or change it by hand: --print shows the file as it would be.',
    )
  }
}

function replace({ target, text: old }: SettingsFile, text: string | null): void {
  if (text === null) {
    rmSync(target, { force: true })
    return
  }
  makeFolder(dirname(target))
  const draft = `${target}.${randomBytes(6).toString('hex')}.tmp`
  try {
    writeFileSync(draft, text, { flag: 'wx', mode: 0o644 })
    giveToOwner(draft, old === null ? dirname(target) : target)
    if (old !== null) chmodSync(draft, statSync(target).mode & 0o777)
    renameSync(draft, target)
  } finally {
    rmSync(draft, { force: true })
  }
}

/** With sudo, a file would become root's, and the host could no longer read it. */
function giveToOwner(file: string, model: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(model)
  chownSync(file, uid, gid)
}
