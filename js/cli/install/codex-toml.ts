/**
 * Reads what concerns hooks in Codex's `config.toml`, line by line: it is never written.
 *
 * @module
 */

import { isOurs } from './command-line.js'

/** Finds our hooks, by event. */
export function hooksInToml(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const { table, line } of linesOf(text)) {
    const event = /^hooks\.(\w+)/.exec(table)?.[1] ?? /^(\w+)\s*=\s*\[/.exec(line)?.[1]
    const written = /\bcommand\s*=\s*("(?:[^"\\]|\\.)*"|'[^']*')/.exec(line)?.[1]
    const command = written && stringIn(written)
    if (event && isOurs(command)) found.set(event, command as string)
  }
  return found
}

/** Returns whether hooks are switched off or on, if that is said; `codex_hooks` is an old name. */
export function featuresInToml(text: string): ReadonlyMap<string, boolean> {
  const found = new Map<string, boolean>()
  for (const { table, line } of linesOf(text)) {
    const setting = table === 'features' ? `features.${line}` : line
    if (table !== '' && table !== 'features') continue
    const [, value] =
      /^features\s*(?:\.\s*|=\s*\{(?:[^}#]*,)?\s*)"?(?:codex_)?hooks"?\s*=\s*(true|false)\b/.exec(
        setting,
      ) ?? []
    if (value) found.set('hooks = false', value === 'false')
  }
  return found
}

/** The lines that say something, and the table that each is in. */
function* linesOf(text: string): Generator<{ readonly table: string; readonly line: string }> {
  let table = ''
  for (const line of text.split(/\r?\n/).map((written) => written.trim())) {
    const header = /^\[\[?\s*([^\]]*?)\s*\]/.exec(line)
    if (header) table = header[1] ?? ''
    else if (line !== '' && !line.startsWith('#')) yield { table, line }
  }
}

/** Returns a string's value: one in double quotes has escapes, most of them those of JSON. */
function stringIn(written: string): string {
  if (written.startsWith("'")) return written.slice(1, -1)
  try {
    return JSON.parse(written)
  } catch {
    return written.slice(1, -1)
  }
}
