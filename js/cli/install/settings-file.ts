/**
 * Reads and replaces a host's settings: as a whole or not at all, with a copy of what was there.
 *
 * The copy is in the state folder. Settings may contain secrets, and beside them, in a project or
 * a folder of dotfiles, it would sooner or later be committed.
 *
 * @module
 */

import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  lchownSync,
  lstatSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { findStateFolder, makeFolder, requirePrivate } from '../folders.js'
import { UsageError } from '../options.js'
import { printable } from '../terminal.js'

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

/** Where the copy is, or why there is none. */
export type Backup = { readonly path: string } | { readonly problem: string }

/**
 * Replaces the file, or removes it.
 *
 * @param text `null` to remove it.
 * @param kept What to keep a copy of first, usually the text that was read; `null` for nothing.
 * @returns What became of the copy: without one, the file is replaced all the same.
 * @throws UsageError when it cannot be replaced, or when it is no longer what was read.
 */
export function replaceSettings(
  file: SettingsFile,
  text: string | null,
  kept: string | null,
): Backup | null {
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
    const backup = kept === null ? null : keepBackup(file, kept)
    replace(file, text)
    return backup
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
  makeFolderForOwner(dirname(target))
  if (old === null) writeWhole(target, text, 0o644, dirname(target))
  else writeWhole(target, text, statSync(target).mode & 0o777, target)
}

/**
 * Writes a file as a whole. Nobody can read more of it meanwhile than afterwards.
 *
 * @param model Whose owner it gets.
 */
function writeWhole(file: string, text: string, mode: number, model: string): void {
  const draft = `${file}.${randomBytes(6).toString('hex')}.tmp`
  try {
    writeFileSync(draft, text, { flag: 'wx', mode: mode & 0o644 })
    giveToOwner(draft, model)
    if (model === file) chmodSync(draft, mode)
    renameSync(draft, file)
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Creates a folder and those above it, for the owner of the one that was there. */
function makeFolderForOwner(folder: string, mode?: number): void {
  const created: string[] = []
  for (let place = folder; !existsSync(place); place = dirname(place)) created.unshift(place)
  makeFolder(folder, mode)
  for (const place of created) giveToOwner(place, dirname(place))
}

/** With sudo, a file would become root's, and the host could no longer read it. */
function giveToOwner(file: string, model: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(model)
  lchownSync(file, uid, gid)
}

/** Returns the copies of a file that there are, latest first. */
export function readBackups(file: SettingsFile): readonly string[] {
  return backupPaths(file).flatMap((path) => readBackup(path) ?? [])
}

/** Removes the copies of a file, and returns those that cannot be removed. */
export function removeBackups(file: SettingsFile): readonly string[] {
  return backupPaths(file).filter((path) => readBackup(path) !== null && !remove(path))
}

/** Keeps a copy where only its owner can read it. */
function keepBackup(file: SettingsFile, text: string): Backup {
  const beside = besideOf(file)
  try {
    const path = backupOf(file)
    if (path === undefined) throw new Error('There is no home folder: set HOME or XDG_STATE_HOME.')
    const folder = dirname(path)
    for (const place of [dirname(folder), folder]) {
      makeFolderForOwner(place, 0o700)
      requirePrivate(place, 'XDG_STATE_HOME')
    }
    writeWhole(path, text, 0o600, folder)
    if (readBackup(beside) !== null) remove(beside)
    return { path }
  } catch (error) {
    if (readBackup(beside) === text) return { path: beside }
    return { problem: (error as Error).message }
  }
}

const backupPaths = (file: SettingsFile): readonly string[] => [
  ...[backupOf(file) ?? []].flat(),
  besideOf(file),
]

/** Where the copy of a file is: its real path, hashed, and its name, for people to recognise. */
function backupOf({ target }: SettingsFile): string | undefined {
  const folder = findStateFolder()
  if (folder === undefined) return undefined
  const hash = createHash('sha256').update(target).digest('hex').slice(0, 16)
  // A link may lead to a file with any name.
  const name = basename(target)
    .replace(/[^\w.-]/g, '_')
    .slice(-64)
  return join(folder, 'settings', `${hash}-${name}`)
}

/** Where earlier versions had it. */
const besideOf = ({ target }: SettingsFile): string => `${target}.before-loophound`

/** Reads a copy; `null` if there is none that can be read. */
function readBackup(path: string): string | null {
  try {
    // A link or a pipe may have come with a project.
    return lstatSync(path).isFile() ? decode(readFileSync(path)) : null
  } catch {
    return null
  }
}

/** Returns whether a file is gone. */
function remove(path: string): boolean {
  try {
    rmSync(path, { force: true })
    return true
  } catch {
    return false
  }
}
