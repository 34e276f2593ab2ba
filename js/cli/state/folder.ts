/**
 * Where state is kept.
 *
 * @module
 */

import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

/** Where programs keep what should outlive them and need not be backed up. */
export function stateFolder(): string {
  const { XDG_STATE_HOME, LOCALAPPDATA } = process.env
  // The specification says that a relative path is to be ignored.
  if (XDG_STATE_HOME && isAbsolute(XDG_STATE_HOME)) return join(XDG_STATE_HOME, 'loophound')
  if (process.platform === 'win32' && LOCALAPPDATA) return join(LOCALAPPDATA, 'loophound')
  return join(homedir(), '.local', 'state', 'loophound')
}
