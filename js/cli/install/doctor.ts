/**
 * `loophound doctor`: checks whether the hook is installed, runs, and sees calls and results.
 *
 * @module
 */

import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { makeFolder, requirePrivate, stateFolder } from '../folders.js'
import { HOSTS, type Host, requireHost } from '../hook/dialect.js'
import { readArguments, UsageError, version } from '../options.js'
import { type RecentSession, recentSessions } from '../session-file.js'
import { bold, dim, printable, red, write } from '../terminal.js'
import { isAddress, isOurs, isOwn, pathsIn, stateFolderIn } from './command-line.js'
import { findHooks, readConfig } from './edit.js'
import { type HostSetup, type Scope, SETUPS } from './hosts.js'
import { SAMPLES } from './samples.js'
import { readSettings } from './settings-file.js'

/** A finding: a fact, or a problem with its remedy. */
interface Finding {
  readonly text: string
  readonly remedy?: string
}

/** A file with our hooks in it. */
interface Installation {
  readonly scope: Scope
  readonly file: string
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
    for (const { text, remedy } of findings) {
      write(remedy === undefined ? `  ${printable(text)}\n` : `  ${red(printable(text))}\n`)
      if (remedy !== undefined) write(`    ${printable(remedy)}\n`)
      if (remedy !== undefined) problems++
    }
  }
  write(`\n${printable(`State is kept in ${folder}`)}\n`)
  if (reports.some(({ isInstalled }) => isInstalled)) return problems > 0 ? 1 : 0
  const host = name ?? '<host>'
  write(`${red('The hook is not installed.')} Install it with "loophound install ${host}".\n`)
  return 1
}

/** Returns what is wrong with the settings of a host that has just got the hook. */
export function problemsIn(host: Host, scope: Scope): readonly Finding[] {
  const { findings } = installation(host, SETUPS[host], scope)
  return findings.filter(({ remedy }) => remedy !== undefined)
}

/** @param isGiven Whether the folder for state was named: else the one in the settings counts. */
function examine(host: Host, folder: string, isGiven: boolean) {
  const setup = SETUPS[host]
  // In the home folder, the project's file may be the same as the user's.
  const isSame = resolve(setup.file('user')) === resolve(setup.file('project'))
  const scopes: readonly Scope[] = isSame ? ['user'] : ['user', 'project']
  const found = scopes.map((scope) => installation(host, setup, scope))
  const installed = found.filter(({ commands }) => commands.size > 0)
  const findings = found.flatMap((place) => place.findings)
  if (installed.length === 0) {
    if (findings.length === 0) findings.push({ text: dim('not installed') })
    return { title: setup.title, findings, isInstalled: false }
  }
  if (installed.length > 1) {
    findings.push({
      text: 'It is installed twice: each event starts two processes.',
      remedy: `loophound uninstall ${host} --project`,
    })
  }
  // A project's settings may name any folder.
  const commands = installed.flatMap(({ scope, commands: all }) =>
    [...all.values()].filter((command) => scope === 'user' || isOwn(command)),
  )
  const named = isGiven ? undefined : commands.map(stateFolderIn).find((place) => place)
  const state = named ?? folder
  const seen = recentSessions(state).filter((session) => session.host === host)
  findings.push(...trials(host, installed))
  if (state !== folder) findings.push({ text: `keeps its state in ${state}` })
  findings.push(...stateProblems(host, state), sightings(host, seen), { text: setup.next })
  return { title: setup.title, findings, isInstalled: true }
}

/** Examines one file. */
function installation(host: Host, setup: HostSetup, scope: Scope): Installation {
  const file = resolve(setup.file(scope))
  const again = `loophound install ${host}${scope === 'project' ? ' --project' : ''}`
  const none = { scope, file, commands: new Map<string, string>() }
  const findings: Finding[] = []
  try {
    const { text } = readSettings(file)
    if (text === null) return { ...none, findings }
    const commands = findHooks(text, setup)
    if (commands.size === 0) return { ...none, findings }
    findings.push({ text: `installed in ${file}` })
    const missing = setup.events.filter((event) => !commands.has(event))
    if (missing.length > 0) {
      findings.push({ text: `It is not told of ${missing.join(', ')}.`, remedy: again })
    }
    const off = setup.switchedOff?.(readConfig(text))
    if (off)
      findings.push({ text: `Hooks are switched off: ${off}`, remedy: `Remove it from ${file}` })
    if (setup.readsPlainJson && !isPlainJson(text)) {
      findings.push({
        text: `${setup.title} reads no comments and no comma at the end: it ignores the file.`,
        remedy: `Remove them from ${file}`,
      })
    }
    findings.push(...otherSettings(setup, scope, again))
    for (const command of new Set(commands.values())) findings.push(...pathProblems(command, again))
    return { scope, file, commands, findings }
  } catch (error) {
    if ((error as Error).name !== 'UsageError') throw error
    const { message, advice = '' } = error as UsageError
    return { ...none, findings: [{ text: `${file}: ${message}`, remedy: advice }] }
  }
}

function isPlainJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Looks into another file of a host that may have hooks in it, or disable them. */
function otherSettings({ others }: HostSetup, scope: Scope, again: string): readonly Finding[] {
  const { text = null, name = '' } = others ? readSettings(others.file(scope)) : {}
  if (!others || text === null) return []
  const lines = text.split(/\r?\n/)
  const findings: Finding[] = []
  const off = others.switchedOff(lines.join('\n'))
  if (off) {
    findings.push({ text: `Hooks are switched off: ${off}`, remedy: `Remove it from ${name}` })
  }
  if (lines.some((line) => !line.trimStart().startsWith('#') && isOurs(line))) {
    findings.push({
      text: `It is in ${name} as well: each event starts a process for each of them.`,
      remedy: `Remove it from ${name}, then run: ${again}`,
    })
  }
  return findings
}

/** Checks that the files of a command exist and are of this version. */
function pathProblems(command: string, again: string): readonly Finding[] {
  if (isAddress(command)) return []
  const [program, cli] = pathsIn(command)
  if (program === undefined || cli === undefined) {
    return [
      {
        text: `It is started with a search for the program: ${command}`,
        remedy: `For a faster start: ${again}`,
      },
    ]
  }
  const gone = [program, cli].filter((file) => !existsSync(file))
  if (gone.length > 0) return [{ text: `It is gone: ${gone.join(', ')}`, remedy: again }]
  const manifest = join(dirname(dirname(cli)), 'package.json')
  const other = existsSync(manifest)
    ? JSON.parse(readFileSync(manifest, 'utf8')).version
    : undefined
  if (other === version()) return []
  return [{ text: `It runs version ${other}; this is ${version()}.`, remedy: again }]
}

/** Tries the installed commands out. */
function trials(host: Host, installed: readonly Installation[]): readonly Finding[] {
  const scopes = new Map<string, Scope>()
  for (const { scope, commands } of installed) {
    for (const command of commands.values()) {
      if (scopes.get(command) !== 'user') scopes.set(command, scope)
    }
  }
  return [...scopes].map(([command, scope]) => {
    if (isAddress(command)) {
      return { text: `is sent to ${command}, while "loophound hook --serve" runs there` }
    }
    // The settings of a project come with its files, and may say anything.
    if (scope === 'user' || isOwn(command)) return trial(host, command)
    return { text: `not tried out, as this package did not write it: ${command}` }
  })
}

/** Runs an installed command on a call and its result, with separate state. */
function trial(host: Host, command: string): Finding {
  const folder = mkdtempSync(join(tmpdir(), 'loophound-doctor-'))
  try {
    const start = performance.now()
    const runs = SAMPLES[host].map((input) => run(command, host, folder, JSON.stringify(input)))
    const milliseconds = Math.round((performance.now() - start) / runs.length)
    const failed = runs.find(({ status, stdout }) => status !== 0 || stdout.trim() !== '{}')
    const remedy = `loophound install ${host}`
    if (failed) {
      const said = (failed.stderr || failed.stdout || '').trim()
      return { text: `The hook does not work (exit code ${failed.status}): ${said}`, remedy }
    }
    const [state] = recentSessions(join(folder, 'loophound'))
    // With --state-dir, the state is kept elsewhere.
    if (!command.includes('--state-dir') && !(state?.calls && state.results)) {
      return { text: 'The hook answers, but keeps no state.', remedy }
    }
    if (milliseconds > SLOW) {
      return { text: `It answers in ${milliseconds} ms: each event takes as long.`, remedy }
    }
    return { text: `answers a call and its result, in ${milliseconds} ms each` }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
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

/** Checks that state can be kept in a folder. */
function stateProblems(host: Host, folder: string): readonly Finding[] {
  try {
    makeFolder(folder, 0o700)
    requirePrivate(folder)
    rmSync(mkdtempSync(join(folder, 'doctor-')), { recursive: true })
    return []
  } catch (error) {
    return [
      {
        text: `State cannot be kept: ${(error as Error).message}`,
        remedy: `Mend that, or name another folder: loophound install ${host} --state-dir <path>`,
      },
    ]
  }
}

/** Reports what the latest sessions have shown. */
function sightings(host: Host, sessions: readonly RecentSession[]): Finding {
  const [latest] = sessions
  if (!latest) return { text: 'no session in the last 7 days' }
  const count = (field: 'calls' | 'results') =>
    sessions.reduce((sum, session) => sum + session[field], 0)
  const [calls, results] = [count('calls'), count('results')]
  const hours = Math.round((Date.now() - latest.at) / 3_600_000)
  const seen = `${sessions.length} sessions in the last 7 days, the latest ${hours} h ago`
  const text = `${seen}: ${calls} calls, ${results} reports of results`
  if (calls > 0 && results > 0) return { text }
  return {
    text: `${text}. Without ${calls > 0 ? 'results' : 'calls'}, loops are hardly found.`,
    remedy: `loophound install ${host}`,
  }
}
