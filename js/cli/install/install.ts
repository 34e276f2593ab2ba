/**
 * `loophound install` and `loophound uninstall`: add the hook to a host's settings, and remove it.
 *
 * @module
 */

import { rmdirSync } from 'node:fs'
import { dirname, resolve, sep } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { createPatch } from 'diff'
import { HOSTS, type Host, requireHost } from '../hook/dialect.js'
import { DETECTOR_OPTIONS, detectorOptions, readArguments, UsageError } from '../options.js'
import { bold, printable, printableLines, printError, red, write } from '../terminal.js'
import { commandLine } from './command-line.js'
import { problemsIn } from './doctor.js'
import { addHooks, findHooks, isMadeFrom, removeHooks } from './edit.js'
import { type HostSetup, type Scope, SETUPS } from './hosts.js'
import { installedPlaces, isToml, removalOf } from './places.js'
import {
  type Backup,
  readBackups,
  readSettings,
  removeBackups,
  replaceSettings,
  type SettingsFile,
} from './settings-file.js'

const SCOPES = {
  user: { type: 'boolean' },
  project: { type: 'boolean' },
  yes: { type: 'boolean', short: 'y' },
  print: { type: 'boolean' },
} as const

/**
 * Runs `loophound install`.
 *
 * @throws UsageError for a mistake in the options, or settings that cannot be changed.
 */
export async function installCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, {
    ...SCOPES,
    ...DETECTOR_OPTIONS,
    observe: { type: 'boolean' },
    'state-dir': { type: 'string' },
  })
  const host = onlyHost(positionals)
  // Checked now: a mistake would otherwise be reported with every event.
  detectorOptions(values)
  const options = ['preset', 'options', 'state-dir'] as const
  const passedOn = options.flatMap((name) => {
    const value = values[name]
    if (value === undefined) return []
    // Empty if a variable is not set: it would be the current folder.
    if (value === '') throw new UsageError(`--${name} is empty.`)
    // The host runs the command in another folder.
    return [`--${name}`, name === 'preset' ? value : resolve(value)]
  })
  if (values.observe) passedOn.push('--observe')
  const setup = SETUPS[host]
  const scope = scopeOf(values)
  const file = readSettings(setup.file(scope))
  const command = commandLine(host, setup, passedOn)
  const add = (given: string) => edited(file, () => addHooks(given, setup, command))
  if (values.print) {
    try {
      return print(add(file.text ?? ''))
    } catch (error) {
      // The hooks alone, to be added by hand.
      print(add(''))
      throw error
    }
  }
  const text = add(file.text ?? '')
  if (text === file.text) return done(`${setup.title} has the hook already: ${file.name}`)
  if (!(await agreed(file, text, setup, values.yes))) return 1
  // With the hook in it, the file is not what was there before it: an older copy is.
  const had = file.text === null ? 0 : findHooks(file.text, setup).size
  const [older = file.text] = had === 0 ? [] : readBackups(file)
  tellOfBackup(replaceSettings(file, text, older))
  done(`The hook is installed for ${setup.title}. ${setup.next}`)
  for (const { text, remedy } of problemsIn(host, scope)) printError(text, remedy)
  return done(
    `Check it with "loophound doctor ${host}"; take it out with "loophound uninstall ${host}".`,
  )
}

/**
 * Runs `loophound uninstall`.
 *
 * @throws UsageError for a mistake in the options, or settings that cannot be changed.
 */
export async function uninstallCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, SCOPES)
  const host = onlyHost(positionals)
  const setup = SETUPS[host]
  const scope = scopeOf(values)
  // Also where somebody put it by hand.
  const [place] = installedPlaces(setup, [scope]).filter(({ file }) => !isToml(file))
  const file = readSettings(place?.file ?? setup.file(scope))
  const given = file.text
  if (given === null || edited(file, () => findHooks(given, setup)).size === 0) {
    if (given !== null && values.print) return print(given)
    const reason = given === null ? `there is no ${file.name}` : file.name
    done(`${setup.title} has no hook of ours: ${reason}`)
    return tellOfOthers(host, scope)
  }
  const backup = readBackups(file).find((text) => isMadeFrom(text, given, setup))
  // What an edit cannot restore, such as a comma at the end of a list, the copy can.
  const rest = backup ?? edited(file, () => removeHooks(given, setup))
  // A link would lead nowhere.
  const text = rest === null && file.target !== file.name ? '{}\n' : rest
  if (values.print) return print(text ?? '')
  if (!(await agreed(file, text, setup, values.yes))) return 1
  // A file that is restored needs no copy, nor one that has nothing in it but our hooks; but what
  // was there before it is kept.
  const [older = null] = readBackups(file)
  const kept = text === null ? older : given
  tellOfBackup(replaceSettings(file, text, backup === undefined ? kept : null))
  for (const left of backup === undefined ? [] : removeBackups(file)) {
    printError(`The copy of it cannot be removed: ${left}`)
  }
  if (text === null && scope === 'project') removeEmptyFolders(dirname(file.name))
  done(`The hook is taken out of ${setup.title}.`)
  return tellOfOthers(host, scope)
}

/** Removes the folders of a project that its settings leave empty, as `install` may have made them. */
function removeEmptyFolders(folder: string): void {
  const project = `${process.cwd()}${sep}`
  try {
    for (let place = folder; place.startsWith(project); place = dirname(place)) rmdirSync(place)
  } catch {
    // Something else is in it.
  }
}

/** Says where else the hook is; returns 1 if that is in the same scope. */
function tellOfOthers(host: Host, scope: Scope): number {
  const places = installedPlaces(SETUPS[host])
  for (const place of places) {
    printError(`It is still in ${place.file}.`, removalOf(host, place))
  }
  return places.some((place) => place.scope === scope) ? 1 : 0
}

function onlyHost(positionals: readonly string[]): Host {
  const [name, ...more] = positionals
  if (name === undefined) throw new UsageError('Which host?', `One of: ${HOSTS.join(', ')}.`)
  if (more.length > 0) throw new UsageError(printable(`One host at a time; got "${more[0]}" too.`))
  return requireHost(name)
}

function scopeOf({ user, project }: { user?: boolean; project?: boolean }): Scope {
  if (user && project) throw new UsageError('--user or --project, not both.')
  return project ? 'project' : 'user'
}

/** Makes the edit; errors name the file. */
function edited<T>({ name }: SettingsFile, edit: () => T): T {
  try {
    return edit()
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    throw new UsageError(printable(`${name}: ${error.message}`), error.advice)
  }
}

/** Shows the change, and asks whether to make it. */
async function agreed(
  file: SettingsFile,
  text: string | null,
  { title }: HostSetup,
  yes: boolean | undefined,
): Promise<boolean> {
  if (file.target !== file.name) {
    write(
      `${printable(`${file.name} is a link: the file behind it is changed, ${file.target}.`)}\n`,
    )
  }
  write(`${printable(file.target)}\n`)
  write(`${colored(createPatch(file.target, file.text ?? '', text ?? '', '', ''))}\n`)
  if (text === null) write('Nothing else is in the file: it is removed.\n')
  if (yes) return true
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw new UsageError(
      `Nobody can be asked whether to change the settings of ${title}.`,
      'Add --yes to make the change, or --print to see the file as it would be.',
    )
  }
  const answer = await ask('Make this change? [y/N] ')
  if (/^y(es)?$/i.test(answer.trim())) return true
  done('Nothing was changed.')
  return false
}

/** Asks on the terminal; an empty answer if it is closed, as with Ctrl+C or Ctrl+D. */
async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const closed = new Promise<string>((resolve) => {
    terminal.once('close', () => {
      write('\n')
      resolve('')
    })
  })
  try {
    return await Promise.race([terminal.question(question).catch(() => ''), closed])
  } finally {
    terminal.removeAllListeners('close')
    terminal.close()
  }
}

/** Returns the coloured lines of a patch, without the empty header. */
function colored(patch: string): string {
  const lines = printableLines(patch.trimEnd()).split('\n').slice(4)
  return lines
    .map((line) => (line.startsWith('+') ? bold(line) : line.startsWith('-') ? red(line) : line))
    .join('\n')
}

function tellOfBackup(backup: Backup | null): void {
  if (backup === null) return
  if ('path' in backup) done(`What was there before is in ${backup.path}`)
  else printError(`There is no copy of what was there before: ${backup.problem}`)
}

function print(text: string): number {
  write(text)
  return 0
}

function done(text: string): number {
  write(`${printable(text)}\n`)
  return 0
}
