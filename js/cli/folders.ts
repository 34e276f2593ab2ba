/**
 * Finds the user's folders, creates those that are missing, and checks that state is private.
 *
 * @module
 */

import { mkdirSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { UsageError } from './options.js'

/**
 * Returns the folder for state that should persist and need not be backed up. Never a place within
 * the current folder: a variable that is empty or contains a relative path is ignored.
 *
 * @throws UsageError when the user has no home folder.
 */
export function stateFolder(): string {
  const folder = findStateFolder()
  if (folder !== undefined) return folder
  throw new UsageError(
    'There is no home folder to keep state in: set HOME or XDG_STATE_HOME, or use --state-dir.',
  )
}

/** Does the same as {@link stateFolder}; `undefined` if the user has no home folder. */
export function findStateFolder(): string | undefined {
  const { XDG_STATE_HOME, LOCALAPPDATA } = process.env
  if (isPlace(XDG_STATE_HOME)) return join(XDG_STATE_HOME, 'loophound')
  if (process.platform === 'win32' && isPlace(LOCALAPPDATA)) return join(LOCALAPPDATA, 'loophound')
  const home = findHome()
  return home === undefined ? undefined : join(home, '.local', 'state', 'loophound')
}

/**
 * Returns the user's home folder: that of the account if the variable is empty or relative, so that
 * nothing is written into the current folder by mistake.
 *
 * @throws UsageError when there is none.
 */
export function homeFolder(): string {
  const home = findHome()
  if (home !== undefined) return home
  throw new UsageError('There is no home folder.', 'Set HOME to a folder, or use --project.')
}

function findHome(): string | undefined {
  const { HOME, USERPROFILE } = process.env
  return [process.platform === 'win32' ? USERPROFILE : HOME, homeOfAccount()].find(isPlace)
}

function isPlace(folder: string | undefined): folder is string {
  return folder !== undefined && isAbsolute(folder)
}

function homeOfAccount(): string | undefined {
  try {
    return userInfo().homedir
  } catch {
    // A container's user may have no account.
    return undefined
  }
}

/**
 * Creates a folder and those above it, unless they exist. Node's own `recursive` does not return
 * where the system answers that there is no such folder, as under /proc.
 *
 * @throws Error when that is not possible.
 */
export function makeFolder(folder: string, mode = 0o777): void {
  const isThere = () => statSync(folder, { throwIfNoEntry: false })?.isDirectory()
  if (isThere()) return
  const parent = dirname(folder)
  if (parent !== folder) makeFolder(parent, mode)
  try {
    mkdirSync(folder, { mode })
  } catch (error) {
    // Another process may have been faster.
    if (!isThere()) throw error
  }
}

/**
 * Checks that nobody else can put files into a folder: state decides what the agent may do.
 *
 * @param option What names another folder.
 * @throws UsageError that says how to fix it. Windows handles permissions differently, and is
 *   trusted.
 */
export function requirePrivate(folder: string, option = '--state-dir'): void {
  if (!process.getuid) return
  const { uid, mode } = statSync(folder)
  if (uid !== process.getuid()) {
    throw new UsageError(
      `The state folder ${folder} belongs to another user (${uid}): name one of your own with ${option}.`,
    )
  }
  if (mode & 0o022) {
    throw new UsageError(
      `Others can write to the state folder ${folder}: run "chmod go-w '${folder}'", or name another with ${option}.`,
    )
  }
}
