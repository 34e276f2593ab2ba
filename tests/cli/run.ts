/**
 * Runs the built command, as npm would.
 *
 * @module
 */

import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll } from 'vitest'
import { inRoot } from '../docs/pages.js'

export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A folder that is gone when the tests are over. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'loophound-cli-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/**
 * Runs `loophound` with these arguments and this on standard input.
 *
 * @param more The environment; the current folder; code that is run first, to break something; and
 * options of Node.
 */
export function loophound(
  args: readonly string[],
  input = '',
  more: {
    env?: Readonly<Record<string, string>>
    cwd?: string
    before?: string
    node?: readonly string[]
  } = {},
): Promise<Outcome> {
  const { env, cwd, before, node = [] } = more
  const first =
    before === undefined ? [] : ['--import', `data:text/javascript,${encodeURIComponent(before)}`]
  const child = spawn(process.execPath, [...node, ...first, inRoot('pkg/dist/cli.js'), ...args], {
    env: { PATH: process.env.PATH, HOME: tmpdir(), ...env },
    cwd,
  })
  const said = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text) => {
      said[stream] += text
    })
  }
  // A command that ends early does not read what it is given.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, ...said }))
  })
}

/** A hook's input, of a recording or made up. */
export type Event = Readonly<Record<string, unknown>>

export function recording(name: string): Event[] {
  const text = readFileSync(inRoot(`tests/cli/recordings/${name}.jsonl`), 'utf8')
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

/** A call of one tool, in a session. */
export const call = (session: string, id: string, args: unknown = {}): Event => ({
  session_id: session,
  transcript_path: '/home/user/.claude/projects/x.jsonl',
  cwd: '/home/user/project',
  permission_mode: 'default',
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: args,
  tool_use_id: id,
})

/** The state files of a folder, and what else there is. */
export function stateIn(folder: string): { states: string[]; others: string[] } {
  const names = readdirSync(folder)
  const isState = (name: string) => name.endsWith('.json')
  return { states: names.filter(isState), others: names.filter((name) => !isState(name)) }
}
