/**
 * The command that a host runs for each event, with absolute paths: `npx` would take a second.
 *
 * @module
 */

import { fileURLToPath } from 'node:url'
import { HOSTS, type Host } from '../hook/dialect.js'
import type { HostSetup } from './hosts.js'

/** The address of `loophound hook --serve`. */
const ADDRESS = /^http:\/\/(127\.0\.0\.1|localhost):\d+\/loophound$/

/** Returns whether a hook is sent over HTTP, to our server. */
export const isAddress = (hook: string): boolean => ADDRESS.test(hook)

/** Our command as written by hand, as the path of an installed package, and as written by us. */
const OURS = [
  ADDRESS,
  /(?<![\w-])loophound(@[\w.^~-]+|\.cmd)?['"]?\s+hook\b/,
  /[\\/]loophound[\\/][^'"]*\bcli\.js['"]?\s+hook\b/,
  new RegExp(`\\bcli\\.js['"]?\\s+hook --host (${HOSTS.join('|')})\\b`),
]

/** Recognises our command, and the address of our server. Other programs may have a `cli.js` with a command `hook`, too. */
export function isOurs(command: unknown): boolean {
  return typeof command === 'string' && OURS.some((pattern) => pattern.test(command))
}

/** What {@link commandLine} writes after the paths: nothing that runs another program. */
const OWN_OPTIONS =
  /^hook --host [\w-]+( --(observe|preset [\w-]+|(options|state-dir) ('([^']|'\\'')*'|[\w-]+)))*( \|\| echo '\{\}'|; exit 0)?$/

/**
 * Returns whether a command runs this package and nothing else, as {@link commandLine} writes it.
 */
export function isOwn(command: string): boolean {
  const isPowerShell = command.startsWith('& ')
  const paths = isPowerShell ? quoteForPowerShell : quoteForShell
  const start = `${isPowerShell ? '& ' : ''}${paths(process.execPath)} ${paths(cliFile())} `
  return command.startsWith(start) && OWN_OPTIONS.test(command.slice(start.length))
}

/** This package's command. */
export const cliFile = (): string => fileURLToPath(new URL('./cli.js', import.meta.url))

/** Returns the command for a host's shell. */
export function commandLine(
  host: Host,
  { windowsShell, refusesOnFailure }: HostSetup,
  options: readonly string[],
): string {
  const isPowerShell = process.platform === 'win32' && windowsShell === 'powershell'
  const quote = isPowerShell ? quoteForPowerShell : quoteForShell
  const words = [process.execPath, cliFile(), 'hook', '--host', host, ...options]
  const [program = '', ...rest] = words.map((word) => (/^[\w-]+$/.test(word) ? word : quote(word)))
  const line = [program, ...rest].join(' ')
  if (isPowerShell) return refusesOnFailure ? `& ${line}; exit 0` : `& ${line}`
  // If Node or this package is missing, the call must not be refused.
  return refusesOnFailure ? `${line} || echo '{}'` : line
}

function quoteForShell(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}

function quoteForPowerShell(word: string): string {
  return `'${word.replaceAll("'", "''")}'`
}

/** Returns the absolute paths in our command: the program, and the file it runs. */
export function pathsIn(command: string): readonly string[] {
  return wordsOf(command)
    .filter((word) => /^([A-Za-z]:[\\/]|\/)/.test(word))
    .slice(0, 2)
}

/** Returns the folder for state that our command names; `undefined` if it names none. */
export function stateFolderIn(command: string): string | undefined {
  const words = wordsOf(command)
  const place = words.indexOf('--state-dir')
  return place < 0 ? undefined : words[place + 1]
}

/** Splits a command as its shell does, as far as {@link commandLine} needs it. */
function wordsOf(command: string): readonly string[] {
  const words = command.match(/'(?:[^']|'\\''|'')*'|"[^"]*"|[^\s'"]+/g) ?? []
  return words.map((word) =>
    word
      .replace(/^['"]|['"]$/g, '')
      .replaceAll(`'\\''`, "'")
      .replaceAll("''", "'"),
  )
}
