/**
 * Finds transcripts: named files, folders, globs, and the places where agents keep theirs.
 *
 * @module
 */

import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { globSync, isDynamicPattern } from 'tinyglobby'
import { UsageError } from '../options.js'
import { printable } from '../terminal.js'
import { eventFolderOf } from './event-folder.js'

/** A file to scan. */
export interface Candidate {
  /** Its name, or that of a folder whose files are one transcript. */
  readonly file: string
  readonly size: number
  /** Whether it was named, not found in a folder: then it must be a transcript. */
  readonly isNamed: boolean
}

const NAMES = [
  '**/*.{jsonl,ndjson,json,traj,eval,jsonl.gz,json.gz,jsonl.zst}',
  // Other Markdown is no transcript.
  '**/*aider*.md',
]
const IGNORED = ['**/node_modules/**', '**/.git/**']

interface AgentPlace {
  /** Where it keeps its sessions. */
  readonly folder: () => string
  readonly patterns: readonly string[]
  /** What to do if there are none. */
  readonly advice?: string
}

const underHome = (variable: string, name: string) => process.env[variable] || inHome(name)
const inHome = (name: string) => path.join(process.env.HOME || homedir(), name)

/** The agents whose session folders are known. */
const PLACES: Readonly<Record<string, AgentPlace>> = {
  'claude-code': {
    folder: () => path.join(underHome('CLAUDE_CONFIG_DIR', '.claude'), 'projects'),
    patterns: ['**/*.jsonl'],
  },
  codex: {
    folder: () => underHome('CODEX_HOME', '.codex'),
    patterns: ['{sessions,archived_sessions}/**/rollout-*.{jsonl,jsonl.zst}'],
  },
  'gemini-cli': {
    folder: () => inHome('.gemini/tmp'),
    patterns: ['*/chats/**/*.{json,jsonl}'],
  },
  opencode: {
    folder: () => path.join(underHome('XDG_DATA_HOME', '.local/share'), 'opencode'),
    patterns: ['*.json', 'exports/**/*.json'],
    advice:
      'opencode keeps its sessions in a database: "opencode export <id> > session.json", then scan that.',
  },
  pi: { folder: () => inHome('.pi/agent/sessions'), patterns: ['**/*.jsonl'] },
}

/**
 * Lists the files to scan, each once.
 *
 * @param agents Agents whose own folders are searched as well.
 * @param since Files that were last changed before this time are left out, unless they are named.
 * @throws UsageError when nothing matches.
 */
export function findFiles(
  names: readonly string[],
  agents: readonly string[],
  since: number,
): Candidate[] {
  const found = new Map<string, Candidate>()
  const add = (name: string, isNamed: boolean) => {
    const { size, mtimeMs } = statSync(name)
    if (!isNamed && mtimeMs < since) return
    const folder = isNamed ? null : eventFolderOf(name)
    const file = folder ?? name
    const known = found.get(file)
    if (!known) found.set(file, { file, size, isNamed })
    else if (folder) found.set(file, { ...known, size: known.size + size })
  }
  for (const name of names) {
    if (name === '-') found.set(name, { file: name, size: 0, isNamed: true })
    else if (!existsSync(name)) for (const file of matching(name)) add(file, false)
    else if (!statSync(name).isDirectory()) add(name, true)
    else for (const file of within(name, NAMES)) add(file, false)
  }
  for (const agent of agents) for (const file of ofAgent(agent)) add(file, false)
  return [...found.values()]
}

function matching(pattern: string): string[] {
  const files = isDynamicPattern(pattern)
    ? globSync(pattern.replaceAll('\\', '/'), { dot: true, ignore: IGNORED, absolute: false })
    : []
  if (files.length > 0) return files.sort()
  throw new UsageError(`There is no file ${printable(pattern)}.`)
}

/** @throws UsageError when the folder cannot be read. Folders in it are passed over then. */
function within(folder: string, patterns: readonly string[]): string[] {
  try {
    accessSync(folder, constants.R_OK | constants.X_OK)
  } catch {
    throw new UsageError(`The folder ${printable(folder)} cannot be read: permission denied.`)
  }
  return globSync([...patterns], { cwd: folder, dot: true, ignore: IGNORED })
    .sort()
    .map((file) => path.join(folder, file))
}

function ofAgent(agent: string): string[] {
  const place = Object.hasOwn(PLACES, agent) ? PLACES[agent] : undefined
  if (!place) {
    throw new UsageError(
      `--agent must be one of ${Object.keys(PLACES).join(', ')}; got "${printable(agent)}".`,
    )
  }
  const folder = place.folder()
  const files = existsSync(folder) ? within(folder, place.patterns) : []
  if (files.length > 0) return files
  throw new UsageError(`There are no sessions of ${agent} in ${printable(folder)}.`, place.advice)
}
