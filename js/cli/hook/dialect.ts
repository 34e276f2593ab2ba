/**
 * What the hook knows about each host: how it is recognised, what its events mean, and how to
 * nudge, refuse and stop.
 *
 * @module
 */

import type {
  HookAbilities,
  HookAnswer,
  HookEvent,
  HookSteps,
} from '../../adapters/shared/hook-session.js'
import { UsageError } from '../options.js'
import { printable } from '../terminal.js'

export type { HookAbilities, HookAnswer, HookEvent, HookSteps }

/** The hosts, by the names that `--host` and `install` take. */
export const HOSTS = [
  'claude-code',
  'codex',
  'qwen-code',
  'gemini-cli',
  'copilot',
  'cursor',
] as const

export type Host = (typeof HOSTS)[number]

/**
 * Checks the name of a host, of which the first word is enough: `claude`, `qwen`, `gemini`.
 *
 * @throws UsageError if there is no host with that name.
 */
export function requireHost(name: string): Host {
  const host = HOSTS.find((known) => known === name || known.split('-')[0] === name)
  if (host) return host
  throw new UsageError(printable(`There is no host "${name}".`), `There are: ${HOSTS.join(', ')}.`)
}

/** A hook's input, of whatever shape. */
export type Fields = Readonly<Record<string, unknown>>

/** The format of one host's hooks. */
export interface Dialect {
  /** Returns whether an input is from this host. */
  recognizes(input: Fields): boolean
  /**
   * Returns the session, and the subagent in it if the input is from one.
   *
   * @throws TypeError when the input does not say.
   */
  session(input: Fields): HookSession
  /** Reads an input; no event if it is irrelevant to loops. */
  read(input: Fields, steps: Readonly<HookSteps>): readonly HookEvent[]
  /** Returns which answers the host accepts to an input. */
  abilities(input: Fields): HookAbilities
  /** Writes an answer to an input in the host's format. */
  write(input: Fields, answer: HookAnswer): Fields
  /** What is known about the host's steps before its first event. */
  readonly steps?: Readonly<HookSteps>
}

export interface HookSession {
  readonly sessionId: string
  readonly agentId: string | null
}

/**
 * Reads a text field.
 *
 * @throws TypeError when it is absent, empty or something else.
 */
export function requireText(input: Fields, field: string): string {
  const value = input[field]
  if (typeof value !== 'string' || value === '') {
    throw new TypeError(`the hook's input must have a text "${field}"`)
  }
  return value
}

/** Reads a text field; an empty text if it is absent or something else. */
export function textIn(input: Fields, field: string): string {
  const value = input[field]
  return typeof value === 'string' ? value : ''
}

/** Returns the value of a JSON text; anything else as it is. */
export function parseText(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

/** Reads a field that holds an object; an empty one if it is absent or something else. */
export function fieldsIn(input: Fields, field: string): Fields {
  const value = input[field]
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

/** Reads the session of hosts that name it as Claude Code does. */
export function claudeSession(input: Fields): HookSession {
  const sessionId = requireText(input, 'session_id')
  const { agent_id: agentId } = input
  if (agentId != null && typeof agentId !== 'string') {
    throw new TypeError(`"agent_id" in the hook's input must be a text`)
  }
  return { sessionId, agentId: agentId ?? null }
}
