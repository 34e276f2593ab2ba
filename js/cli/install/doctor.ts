/**
 * `loophound doctor`: checks whether the hook is installed, runs, and sees calls and results.
 *
 * @module
 */

import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { makeFolder, requirePrivate, stateFolder } from '../folders.js'
import { HOSTS, type Host, requireHost } from '../hook/dialect.js'
import { readArguments, UsageError, version } from '../options.js'
import { type RecentSession, recentSessions, SessionFile } from '../session-file.js'
import { bold, dim, printable, red, write } from '../terminal.js'
import {
  isAddress,
  isOwn,
  isTemporary,
  optionsIn,
  pathsIn,
  startsWithPath,
  stateFolderIn,
} from './command-line.js'
import { type Scope, SETUPS } from './hosts.js'
import {
  hooksIn,
  installedPlaces,
  isToml,
  optionOf,
  type Place,
  placesOf,
  removalOf,
  switchedOff,
} from './places.js'
import { SAMPLES } from './samples.js'
import { readSettings } from './settings-file.js'

/** A finding: a fact, or a problem with its remedy. */
interface Finding {
  readonly text: string
  readonly remedy?: string
}

/** A file, and our hooks in it, by event. */
interface Installation {
  readonly place: Place
  readonly commands: ReadonlyMap<string, string>
  readonly findings: readonly Finding[]
}

/** In milliseconds. Hosts wait for the hook; even on a busy machine, more than this is a problem. */
const SLOW = 5_000

/**
 * Runs the command.
 *
 * @throws UsageError for a mistake in the options.
 */
export async function doctorCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, { 'state-dir': { type: 'string' } })
  const [name, ...more] = positionals
  if (more.length > 0) throw new UsageError(printable(`One host at a time; got "${more[0]}" too.`))
  const hosts = name === undefined ? HOSTS : [requireHost(name)]
  const given = values['state-dir']
  const folder = resolve(given ?? stateFolder())
  const reports = hosts.map((host) => examine(host, folder, given !== undefined))
  let problems = 0
  for (const { title, findings } of reports) {
    write(`${bold(title)}\n`)
    if (findings.length === 0) write(`  ${dim('not installed')}\n`)
    for (const { text, remedy } of findings) {
      write(remedy === undefined ? `  ${printable(text)}\n` : `  ${red(printable(text))}\n`)
      if (remedy !== undefined) write(`    ${printable(remedy)}\n`)
      if (remedy !== undefined) problems++
    }
  }
  if (reports.some(({ isInstalled }) => isInstalled)) return problems > 0 ? 1 : 0
  const host = name ?? '<host>'
  write(`\n${red('The hook is not installed.')} Install it with "loophound install ${host}".\n`)
  write(`${printable(`It would keep its state in ${folder}`)}\n`)
  return 1
}

/** Returns what is wrong with the settings of a host that has just got the hook. */
export function problemsIn(host: Host, scope: Scope): readonly Finding[] {
  const [place] = placesOf(SETUPS[host], [scope])
  if (!place) return []
  const places = [place, ...installedPlaces(SETUPS[host]).filter(({ file }) => file !== place.file)]
  const findings = [...installation(host, place).findings, ...problemsOfHost(host, places)]
  return findings.filter(({ remedy }) => remedy !== undefined)
}

/** @param isGiven Whether the folder for state was named: else the one in the settings counts. */
function examine(host: Host, folder: string, isGiven: boolean) {
  const setup = SETUPS[host]
  const found = placesOf(setup).map((place) => installation(host, place))
  const installed = found.filter(({ commands }) => commands.size > 0)
  const findings = found.flatMap((place) => place.findings)
  const { title } = setup
  const [first] = installed
  if (!first) return { title, findings, isInstalled: false }
  findings.push(
    ...problemsOfHost(
      host,
      installed.map(({ place }) => place),
    ),
  )
  // A project's settings may name any folder.
  const commands = installed.flatMap(({ place, commands: all }) =>
    [...all.values()].filter((command) => place.scope === 'user' || isOwn(command)),
  )
  const named = isGiven ? undefined : commands.map(stateFolderIn).find((place) => place)
  const state = named ?? folder
  const seen = recentSessions(state).filter((session) => session.host === host)
  const [command = ''] = first.commands.values()
  const again = installAgain(host, first.place.scope, command)
  const elsewhere = installAgain(host, first.place.scope, command, '--state-dir')
  findings.push(...trials(host, installed), stateIn(state, elsewhere), sightings(seen, again))
  const isFine = findings.every(({ remedy }) => remedy === undefined)
  if (isFine && seen.length === 0) findings.push({ text: setup.next })
  return { title, findings, isInstalled: true }
}

/** Finds what is wrong with a host's settings as a whole. */
function problemsOfHost(host: Host, [, ...more]: readonly Place[]): readonly Finding[] {
  const findings: Finding[] = []
  const off = switchedOff(host)
  if (off) {
    const text = `Hooks are switched off: ${off.setting}`
    findings.push({ text, remedy: `Remove it from ${off.file}` })
  }
  for (const place of more) {
    findings.push({
      text: `It is in ${place.file} as well: each event starts a process for each of them.`,
      remedy: removalOf(host, place),
    })
  }
  return findings
}

/** Examines one file. */
function installation(host: Host, place: Place): Installation {
  const { file, scope } = place
  const setup = SETUPS[host]
  const isWritten = file === resolve(setup.file(scope))
  const findings: Finding[] = []
  try {
    const { text } = readSettings(file)
    const commands = text === null ? new Map<string, string>() : hooksIn(text, file, setup)
    const [first] = commands.values()
    if (text === null || first === undefined) return { place, commands, findings }
    const install = installAgain(host, scope, first)
    const again = isWritten ? install : `${removalOf(host, place)}, then: ${install}`
    findings.push({ text: `installed in ${file}` })
    const missing = setup.events.filter((event) => !commands.has(event))
    if (missing.length > 0) {
      findings.push({ text: `It is not told of ${missing.join(', ')}.`, remedy: again })
    }
    if (setup.readsPlainJson && !isToml(file) && !isPlainJson(text)) {
      findings.push({
        text: `${setup.title} reads no comments, no comma at the end and no byte order mark: it ignores the file.`,
        remedy: `Remove them from ${file}`,
      })
    }
    for (const command of new Set(commands.values())) findings.push(...pathProblems(command, again))
    return { place, commands, findings }
  } catch (error) {
    if ((error as Error).name !== 'UsageError') throw error
    const { message, advice = '' } = error as UsageError
    const text = message.includes(file) ? message : `${file}: ${message}`
    return { place, commands: new Map(), findings: [{ text, remedy: advice }] }
  }
}

/** Returns the line that installs the hook anew, with the options that it has, but for one. */
function installAgain(host: Host, scope: Scope, command: string, except?: string): string {
  return `loophound install ${host}${optionOf(scope)}${optionsIn(command, except)}`
}

function isPlainJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Checks that the files of a command exist and are of this version. */
function pathProblems(command: string, again: string): readonly Finding[] {
  if (isAddress(command)) return []
  const paths = pathsIn(command)
  const cli = paths.at(-1)
  if (cli === undefined || !startsWithPath(command)) {
    return [
      {
        text: `It is started with a search for the program: ${command}`,
        remedy: `For a faster start: ${again}`,
      },
    ]
  }
  const gone = paths.filter((file) => !existsSync(file))
  if (gone.length > 0) return [{ text: `It is gone: ${gone.join(', ')}`, remedy: again }]
  if (isTemporary(cli)) {
    return [
      {
        text: `It runs from a folder that is emptied now and then: ${cli}`,
        remedy: `Install it for good: npm install --global loophound, then ${again}`,
      },
    ]
  }
  const other = versionOf(cli)
  if (other === null || other === version()) return []
  return [{ text: `It runs version ${other}; this is ${version()}.`, remedy: again }]
}

/** Returns the version of the package that a command is from; `null` if it is another's. */
function versionOf(cli: string): string | null {
  try {
    const manifest = join(dirname(dirname(realpathSync(cli))), 'package.json')
    const { name, version: found } = JSON.parse(readFileSync(manifest, 'utf8'))
    return name === 'loophound' ? found : null
  } catch {
    return null
  }
}

/** Tries the installed commands out. */
function trials(host: Host, installed: readonly Installation[]): readonly Finding[] {
  const scopes = new Map<string, Scope>()
  for (const { place, commands } of installed) {
    for (const command of commands.values()) {
      if (scopes.get(command) !== 'user') scopes.set(command, place.scope)
    }
  }
  return [...scopes].map(([command, scope]) => {
    if (isAddress(command)) {
      return { text: `is sent to ${command}, while "loophound hook --serve" runs there` }
    }
    // The settings of a project come with its files, and may say anything.
    if (scope === 'user' || isOwn(command)) return trial(host, scope, command)
    return { text: `not tried out, as this package did not write it: ${command}` }
  })
}

/** Runs an installed command on a call and its result, in a session of its own. */
function trial(host: Host, scope: Scope, command: string): Finding {
  const folder = mkdtempSync(join(tmpdir(), 'loophound-doctor-'))
  const session = `loophound-doctor-${randomBytes(8).toString('hex')}`
  const named = stateFolderIn(command)
  const state = new SessionFile(named ?? join(folder, 'loophound'), [host, session, null])
  try {
    const start = performance.now()
    const inputs = SAMPLES[host](session)
    const runs = inputs.map((input) => run(command, host, folder, JSON.stringify(input)))
    const milliseconds = Math.round((performance.now() - start) / runs.length)
    const failed = runs.find(({ status, stdout }) => status !== 0 || stdout.trim() !== '{}')
    const remedy = installAgain(host, scope, command)
    if (failed) {
      const said = reasonIn(failed.stderr || failed.stdout || '')
      return { text: `The hook does not work (exit code ${failed.status}): ${said}`, remedy }
    }
    const kept = state.read()
    // A folder may be one that only the shell knows.
    const isKnown = named !== undefined || !command.includes('--state-dir')
    if (isKnown && !(kept?.calls && kept.results)) {
      const said = reasonIn(runs.map(({ stderr }) => stderr).join('\n'))
      return { text: `The hook answers, but keeps no state. ${said}`.trim(), remedy }
    }
    if (milliseconds > SLOW) {
      return { text: `It answers in ${milliseconds} ms: each event takes as long.`, remedy }
    }
    return { text: `answers a call and its result, in ${milliseconds} ms each` }
  } finally {
    state.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns the line that says what went wrong: Node and npm print many. */
function reasonIn(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return (lines.find((line) => /error/i.test(line)) ?? lines[0] ?? '').trim().slice(0, 300)
}

function run(command: string, host: Host, folder: string, input: string) {
  const env = { ...process.env, XDG_STATE_HOME: folder }
  const isPowerShell = process.platform === 'win32' && SETUPS[host].windowsShell === 'powershell'
  const [shell, ...args] = isPowerShell ? ['powershell', '-NoProfile', '-Command'] : ['sh', '-c']
  return spawnSync(shell ?? '', [...args, command], {
    input,
    env,
    encoding: 'utf8',
    timeout: 30_000,
  })
}

/** Says where state is kept, or why it cannot be. */
function stateIn(folder: string, elsewhere: string): Finding {
  try {
    makeFolder(folder, 0o700)
    requirePrivate(folder)
    rmSync(mkdtempSync(join(folder, 'doctor-')), { recursive: true })
    return { text: `keeps its state in ${folder}` }
  } catch (error) {
    return {
      text: `State cannot be kept: ${(error as Error).message}`,
      remedy: `Mend that, or name another folder: ${elsewhere} --state-dir <path>`,
    }
  }
}

/** Reports what the latest sessions have shown. */
function sightings(sessions: readonly RecentSession[], again: string): Finding {
  const [latest] = sessions
  if (!latest) return { text: 'no session in the last 7 days' }
  const count = (field: 'calls' | 'results') =>
    sessions.reduce((sum, session) => sum + session[field], 0)
  const [calls, results] = [count('calls'), count('results')]
  const seen = `${counted(sessions.length, 'session')} in the last 7 days, the latest ${ago(latest.at)}`
  const text = `${seen}: ${counted(calls, 'call')}, ${counted(results, 'report')} of results`
  if (calls > 0 && results > 0) return { text }
  return {
    text: `${text}. Without ${calls > 0 ? 'results' : 'calls'}, loops are hardly found.`,
    remedy: again,
  }
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

function ago(at: number): string {
  const minutes = Math.max(0, Math.round((Date.now() - at) / 60_000))
  return minutes < 90 ? `${minutes} min ago` : `${Math.round(minutes / 60)} h ago`
}
