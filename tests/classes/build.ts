/**
 * Short ways to write a session down: calls and results in the form of several hosts, and noise
 * (ids, durations, times) that differs from call to call and is the same in every run.
 *
 * @module
 */

import type { Action } from 'loophound'

export type Event =
  | { t: 'call'; name: string; args?: unknown; id?: string; at?: number }
  | { t: 'result'; name?: string; ok?: boolean; output?: unknown; id?: string; at?: number }
  | { t: 'text'; text: string }
  | { t: 'chunk'; text: string; channel?: 'text' | 'reasoning' | 'arguments' }
  | { t: 'user'; text?: string }
  | { t: 'turn' }
  | { t: 'compacted' }

/** Work that looks like a loop. It is never blocked or stopped. */
export interface Healthy {
  readonly title: string
  readonly events: readonly Event[]
  /** How many nudges an expert would forgive; none unless stated. A case with some is contested. */
  readonly nudges?: number
}

/** A loop. */
export interface Stuck {
  readonly title: string
  readonly events: readonly Event[]
  /** The number of calls, and turns of text alone, by which an alarm is due. */
  readonly alarmBy: number
  /** The hardest action that this class of evidence allows; `stop` unless stated. */
  readonly atMost?: Action
  /** How many nudges one loop may get, where its length puts that to the test. */
  readonly nudges?: number
  /** The number of calls by which a call must have been refused, where the class allows that. */
  readonly blockBy?: number
}

// Noise. Equal seeds give equal values.

/** Mix a seed into 32 bits. */
function mix(seed: string | number): number {
  let hash = 2166136261
  for (const character of String(seed)) {
    hash = Math.imul(hash ^ character.charCodeAt(0), 16777619)
  }
  hash = Math.imul(hash ^ (hash >>> 15), 2246822507)
  hash = Math.imul(hash ^ (hash >>> 13), 3266489909)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** A whole number from `from` up to, but not including, `to`. */
export const num = (seed: string | number, from: number, to: number) =>
  from + (mix(`n${seed}`) % (to - from))

/** Seconds with two decimals, such as `3.42`. */
export const secs = (seed: string | number, from = 1, to = 9) =>
  (num(`s${seed}`, from * 100, to * 100) / 100).toFixed(2)

/** Characters taken from an alphabet. */
export const chars = (seed: string | number, length: number, alphabet: string) =>
  Array.from({ length }, (_, i) => alphabet[mix(`${seed}/${i}`) % alphabet.length]).join('')

export const hex = (seed: string | number, length = 8) => chars(seed, length, '0123456789abcdef')
export const token = (seed: string | number, length = 22) =>
  chars(seed, length, 'ABCDEFGHJKMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz0123456789')
export const uuid = (seed: string | number) =>
  hex(seed, 32)
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-4$3-a$4-$5')
    .slice(0, 36)

/** A time of day on one day, `step` seconds after the one before. */
export const stamp = (index: number, step = 37) =>
  new Date(
    Date.UTC(2026, 9, 12, 8, 3, 11) + index * step * 1000 + num(`ms${index}`, 0, 999),
  ).toISOString()

export const pick = <T>(seed: string | number, list: readonly T[]): T =>
  list[mix(`p${seed}`) % list.length] as T

/** The list in another order for each seed. */
export const shuffled = <T>(seed: string | number, list: readonly T[]): T[] =>
  list
    .map((item, i) => ({ item, key: mix(`${seed}:${i}`) }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item)

/** Lines of made-up source code, each different. */
export const code = (seed: string | number, lines: number) =>
  Array.from({ length: lines }, (_, i) => {
    const at = `${seed}${i}`
    const verb = pick(`v${at}`, ['load', 'parse', 'merge', 'render', 'check', 'store', 'send'])
    const noun = pick(`w${at}`, ['Order', 'Invoice', 'Session', 'Token', 'Region', 'Batch', 'User'])
    return `${i + 1}\t  const ${noun.toLowerCase()}${hex(at, 3)} = ${verb}${noun}(${hex(`a${at}`, 4)})`
  }).join('\n')

// Sequences.

/** What `make` returns for 0, 1, 2, …, one after the other. */
export const times = (count: number, make: (index: number) => readonly Event[]): Event[] =>
  Array.from({ length: count }, (_, index) => make(index)).flat()

/** What `make` returns for each item, one after the other. */
export const each = <T>(
  list: readonly T[],
  make: (item: T, index: number) => readonly Event[],
): Event[] => list.flatMap(make)

/** Parallel calls of one turn: all calls first, then their results in the same order. */
export const batch = (...steps: readonly (readonly Event[])[]): Event[] => [
  ...steps.flat().filter(({ t }) => t === 'call'),
  ...steps.flat().filter(({ t }) => t === 'result'),
]

/** The same calls and results, each with the time at which it happened; `step` is in seconds. */
export const spaced = (events: readonly Event[], step: number): Event[] => {
  let at = Date.UTC(2026, 9, 12, 8, 0, 0)
  return events.map((event) => {
    if (event.t !== 'call' && event.t !== 'result') return event
    if (event.t === 'call') at += step * 1000
    return { ...event, at: event.t === 'call' ? at : at + 400 }
  })
}

// Events.

/** A call and its result, without ids. Leave `ok` out where the host does not tell. */
export const use = (name: string, args: unknown, output: unknown, ok?: boolean): Event[] => [
  { t: 'call', name, args },
  { t: 'result', ...(ok === undefined ? {} : { ok }), output },
]

let calls = 0

/** A call and its result, joined by an id. */
export const useId = (name: string, args: unknown, output: unknown, ok?: boolean): Event[] => {
  calls += 1
  const id = `toolu_01${token(`id${calls}`)}`
  return [
    { t: 'call', name, args, id },
    { t: 'result', id, name, ...(ok === undefined ? {} : { ok }), output },
  ]
}

export const text = (words: string): Event[] => [{ t: 'text', text: words }]
export const user = (words: string): Event[] => [{ t: 'user', text: words }]
export const compacted = (): Event[] => [{ t: 'compacted' }]

/** Words that stream in, cut into chunks of about `size` characters. */
export const stream = (
  words: string,
  size = 24,
  channel: 'text' | 'reasoning' | 'arguments' = 'text',
): Event[] =>
  (words.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? []).map((part) => ({
    t: 'chunk',
    text: part,
    channel,
  }))

// Shells of several hosts: a command, what it printed, and its exit code.

/** Claude Code: ids, a flag, and the exit code in front of the output if it is not zero. */
export const claude = (command: string, output: string, exit = 0): Event[] =>
  useId(
    'Bash',
    { command, description: command.slice(0, 30) },
    exit ? `Exit code ${exit}\n${output}` : output,
    exit === 0,
  )

let chunks = 0

/** Codex: a chunk id, the wall time and the exit code in front of the output. */
export const codex = (cmd: string, output: string, exit = 0): Event[] => {
  chunks += 1
  const head = [
    `Chunk ID: ${hex(`chunk${chunks}`, 6)}`,
    `Wall time: ${num(`wall${chunks}`, 0, 9)}.${num(`wall4${chunks}`, 1000, 9999)} seconds`,
    `Process exited with code ${exit}`,
    `Original token count: ${Math.ceil(output.length / 4)}`,
    'Output:',
  ]
  return useId(
    'exec_command',
    { cmd, workdir: '/home/dev/app', yield_time_ms: 10000 },
    `${head.join('\n')}\n${output}`,
    exit === 0,
  )
}

let groups = 0

/** Gemini CLI: labelled lines, a process group, and no flag. */
export const gemini = (command: string, output: string, exit = 0): Event[] => {
  groups += 1
  return use(
    'run_shell_command',
    { command, description: 'Run it.' },
    [
      `Command: ${command}`,
      'Directory: (root)',
      `Output: ${output || '(empty)'}`,
      'Error: (none)',
      `Exit Code: ${exit}`,
      'Signal: 0',
      'Background PIDs: (none)',
      `Process Group PGID: ${num(`pgid${groups}`, 1000, 65000)}`,
    ].join('\n'),
  )
}

/** OpenHands: the exit code in a trailer, and no flag. */
export const openhands = (command: string, output: string, exit = 0): Event[] =>
  use(
    'execute_bash',
    { command, is_input: 'false' },
    `${output}\n[The command completed with exit code ${exit}.]`,
  )

let shells = 0

/** Copilot CLI: a shell id in a trailer. */
export const copilot = (command: string, output: string, exit = 0): Event[] => {
  shells += 1
  return useId(
    'bash',
    { command, description: 'Run it' },
    `${output}\n<shellId: ${shells} completed with exit code ${exit}>`,
    exit === 0,
  )
}

/** opencode: the output alone, and a flag that only says whether the tool itself worked. */
export const opencode = (command: string, output: string): Event[] =>
  use('bash', { command, description: 'Runs it' }, output, true)

/** A plain shell tool: the output alone, neither flag nor exit code. */
export const shell = (command: string, output: string): Event[] =>
  use('terminal', { command }, output)

// File tools.

export const read = (file_path: string, output: string, range: object = {}): Event[] =>
  useId('Read', { file_path, ...range }, output, true)

export const edit = (file_path: string, old_string: string, new_string: string): Event[] =>
  useId(
    'Edit',
    { file_path, old_string, new_string },
    `The file ${file_path} has been updated successfully.`,
    true,
  )

/** An edit that Claude Code refuses because its old string is not in the file. */
export const badEdit = (file_path: string, old_string: string, new_string: string): Event[] =>
  useId(
    'Edit',
    { file_path, old_string, new_string },
    `<tool_use_error>String to replace not found in file.\nString: ${old_string}</tool_use_error>`,
    false,
  )

/** Work before a loop begins: `count` calls, no two of them alike. */
export const work = (count: number): Event[] =>
  times(count, (i) =>
    i % 3 === 2
      ? edit(`/repo/area${i % 7}/file${i}.ts`, `before ${i}`, `after ${hex(`work${i}`, 6)}`)
      : read(`/repo/area${i % 7}/file${i}.ts`, code(`work${i}`, 6)),
  )
