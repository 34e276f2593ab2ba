/**
 * The command that a host runs for each event, with absolute paths: `npx` would take a second.
 *
 * @module
 */

import { realpathSync } from 'node:fs'
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { homeFolder } from '../folders.js'
import { HOSTS, type Host } from '../hook/dialect.js'
import { version } from '../options.js'
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

/** Returns the host that our command names; `null` if it names none. */
export function hostIn(command: string): Host | null {
  const [, name = ''] = /\s--host[\s=]['"]?([\w-]+)/.exec(command) ?? []
  return HOSTS.find((host) => host === name || host.split('-')[0] === name) ?? null
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
  return [process.execPath, nodeFile()].some((node) =>
    [realCliFile(), cliFile()].some((cli) => {
      const start = `${isPowerShell ? '& ' : ''}${paths(node)} ${paths(cli)} `
      return command.startsWith(start) && OWN_OPTIONS.test(command.slice(start.length))
    }),
  )
}

const realCliFile = (): string => fileURLToPath(new URL('./cli.js', import.meta.url))

/** This package's command: with pnpm, through the link to the folder of its version. */
function cliFile(): string {
  const links: string[] = []
  for (let folder = realCliFile(); folder !== dirname(folder); folder = dirname(folder)) {
    links.push(join(folder, 'node_modules', 'loophound', 'dist', 'cli.js'))
  }
  return lasting(realCliFile(), version(), links)
}

/** The Node that runs: with Homebrew or Nix, the link to the folder of its version. */
function nodeFile(): string {
  // fnm's link goes with the shell.
  const { PATH = '', FNM_MULTISHELL_PATH: passing = '\0' } = process.env
  const folders = PATH.split(delimiter).filter(
    (folder) => isAbsolute(folder) && !folder.startsWith(passing),
  )
  const links = folders.map((folder) => join(folder, basename(process.execPath)))
  return lasting(process.execPath, process.versions.node, links)
}

/**
 * Returns a path to a file that outlasts an update of what it belongs to: one without the version
 * in it, if there is such a link.
 */
function lasting(file: string, itsVersion: string, links: readonly string[]): string {
  if (!file.includes(itsVersion)) return file
  return links.find((link) => !link.includes(itsVersion) && leadsTo(link, file)) ?? file
}

function leadsTo(link: string, file: string): boolean {
  try {
    return realpathSync(link) === realpathSync(file)
  } catch {
    return false
  }
}

/** Returns the command for a host's shell. */
export function commandLine(
  host: Host,
  { windowsShell, refusesOnFailure }: HostSetup,
  options: readonly string[],
): string {
  const isPowerShell = process.platform === 'win32' && windowsShell === 'powershell'
  const quote = isPowerShell ? quoteForPowerShell : quoteForShell
  const words = [nodeFile(), cliFile(), 'hook', '--host', host, ...options]
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

/** Returns the absolute paths before `hook` in our command: the program, and the file it runs. */
export function pathsIn(command: string): readonly string[] {
  const words = wordsOf(command)
  const end = words.indexOf('hook')
  return words.slice(0, end < 0 ? 2 : end).filter((word) => ABSOLUTE.test(word))
}

/** Returns whether a command needs no search for its program. */
export function startsWithPath(command: string): boolean {
  return ABSOLUTE.test(wordsOf(command.replace(/^& /, ''))[0] ?? '')
}

const ABSOLUTE = /^([A-Za-z]:[\\/]|\/)/

/**
 * Returns the folder for state that our command names; `undefined` if it names none, or one that
 * only the shell knows.
 */
export function stateFolderIn(command: string): string | undefined {
  const words = wordsOf(command.replace('--state-dir=', '--state-dir '))
  const place = words.indexOf('--state-dir')
  const named = place < 0 ? '' : (words[place + 1] ?? '')
  const folder = named.replace(/^(~|\$HOME|\$\{HOME\})(?=\/)/, () => homeFolder())
  return ABSOLUTE.test(folder) ? folder : undefined
}

/** Returns the options of our command that `install` takes, but for one, to be passed to it again. */
export function optionsIn(command: string, except?: string): string {
  const words = wordsOf(command.replace(/--[\w-]+=/g, (option) => option.replace('=', ' ')))
  const kept = words.flatMap((word, at) => {
    if (word === '--observe') return word
    if (word === except || !['--preset', '--options', '--state-dir'].includes(word)) return []
    const value = words[at + 1] ?? ''
    return [word, /^[\w./-]+$/.test(value) ? value : quoteForShell(value)]
  })
  return kept.map((word) => ` ${word}`).join('')
}

/** Recognises the folders of `npx`, `pnpm dlx`, `yarn dlx` and `bunx`, which are emptied. */
export function isTemporary(file: string): boolean {
  return /[\\/](_npx|dlx|dlx-[^\\/]+|bunx-[^\\/]+)[\\/]/.test(file)
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
