/**
 * Where our hooks are: the files that `install` writes, and others that a host reads as well.
 *
 * @module
 */

import { resolve } from 'node:path'
import type { Host } from '../hook/dialect.js'
import { hooksInToml } from './codex-toml.js'
import { findHooks } from './edit.js'
import { type HostSetup, type Scope, SETUPS } from './hosts.js'
import { readSettings } from './settings-file.js'

/** A file that may have our hooks in it. */
export interface Place {
  readonly scope: Scope
  readonly file: string
}

const SCOPES: readonly Scope[] = ['user', 'project']

/** Returns the files of a host, or those of one scope; the first of a scope is the one to write. */
export function placesOf({ file, otherFile }: HostSetup, scopes = SCOPES): readonly Place[] {
  const places = scopes.flatMap((scope) =>
    [file(scope), otherFile?.(scope) ?? null].flatMap((name) =>
      name === null ? [] : { scope, file: resolve(name) },
    ),
  )
  // In the home folder, the project's file may be the same as the user's.
  return places.filter((place, index) => places.findIndex(isAt(place)) === index)
}

const isAt =
  ({ file }: Place) =>
  (other: Place) =>
    other.file === file

export const isToml = (file: string): boolean => file.endsWith('.toml')

/** Finds our hooks in a text, by event. */
export function hooksIn(text: string, file: string, setup: HostSetup): ReadonlyMap<string, string> {
  return isToml(file) ? hooksInToml(text) : findHooks(text, setup)
}

/** Returns the files that have our hooks in them, but for those that cannot be found or read. */
export function installedPlaces(setup: HostSetup, scopes = SCOPES): readonly Place[] {
  const places = scopes.flatMap((scope) => orNothing(() => placesOf(setup, [scope])) ?? [])
  return places.filter((place, index) => {
    if (places.findIndex(isAt(place)) !== index) return false
    const { file } = place
    const hooks = orNothing(() => hooksIn(readSettings(file).text ?? '', file, setup))
    return hooks !== null && hooks.size > 0
  })
}

/** Returns `null` where there is no home folder, or where a file cannot be read. */
function orNothing<T>(find: () => T): T | null {
  try {
    return find()
  } catch {
    return null
  }
}

/** Says how to take our hooks out of a file. */
export function removalOf(host: Host, { scope, file }: Place): string {
  if (isToml(file)) return `Remove it from ${file}`
  return `Take it out: loophound uninstall ${host}${optionOf(scope)}`
}

export const optionOf = (scope: Scope): string => (scope === 'project' ? ' --project' : '')

/** Returns the setting that disables the hooks of a host, and its file; `null` if there is none. */
export function switchedOff(
  host: Host,
): { readonly setting: string; readonly file: string } | null {
  const { files, read } = SETUPS[host].switches ?? {}
  const said = new Set<string>()
  for (const name of orNothing(() => files?.()) ?? []) {
    const switches = orNothing(() => read?.(readSettings(name).text ?? ''))
    for (const [setting, isOff] of switches ?? []) {
      if (isOff && !said.has(setting)) return { setting, file: resolve(name) }
      said.add(setting)
    }
  }
  return null
}
