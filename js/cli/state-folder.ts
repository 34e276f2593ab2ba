/**
 * Finds the folder for state, and checks that it is the user's own.
 *
 * @module
 */

import { statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { isAbsolute, join } from 'node:path'

/**
 * Returns the folder for state that should persist and need not be backed up. Never a place within
 * the current folder: a variable that is empty or contains a relative path is ignored.
 *
 * @throws Error when the user has no home folder.
 */
export function stateFolder(): string {
  const { XDG_STATE_HOME, LOCALAPPDATA, HOME, USERPROFILE } = process.env
  const isWindows = process.platform === 'win32'
  if (isPlace(XDG_STATE_HOME)) return join(XDG_STATE_HOME, 'loophound')
  if (isWindows && isPlace(LOCALAPPDATA)) return join(LOCALAPPDATA, 'loophound')
  const home = [isWindows ? USERPROFILE : HOME, homeOfAccount()].find(isPlace)
  if (home !== undefined) return join(home, '.local', 'state', 'loophound')
  throw new Error(
    'There is no home folder to keep state in: set HOME or XDG_STATE_HOME, or use --state-dir',
  )
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
 * Checks that nobody else can put files into a folder: state decides what the agent may do.
 *
 * @throws Error that says how to fix it. Windows handles permissions differently, and is trusted.
 */
export function requirePrivate(folder: string): void {
  if (!process.getuid) return
  const { uid, mode } = statSync(folder)
  if (uid !== process.getuid()) {
    throw new Error(
      `The state folder ${folder} belongs to another user (${uid}): name one of your own with --state-dir`,
    )
  }
  if (mode & 0o022) {
    throw new Error(
      `Others can write to the state folder ${folder}: run "chmod go-w '${folder}'", or name another with --state-dir`,
    )
  }
}
