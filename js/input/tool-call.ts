/**
 * Reads a tool call in any of the shapes that SDKs use.
 *
 * @module
 */

import { describe, reading, requireObject, requireString, wrong } from './check.js'

/** A tool call, whatever shape it came in. */
export interface PlainCall {
  readonly name: string
  readonly args: unknown
  readonly id: string
  readonly at: number | undefined
}

/** Where the arguments of a call can be, most common first. */
const ARGUMENTS = ['args', 'arguments', 'input'] as const

/** What SDKs call the id of a call. */
export const ID_FIELDS = [
  'call_id',
  'callId',
  'tool_call_id',
  'toolCallId',
  'tool_use_id',
  'toolUseId',
  'id',
] as const

/** Fields that say something about a call beside its name and arguments. */
const KNOWN: readonly string[] = [...ID_FIELDS, 'name', 'toolName', 'at']

/** Fields that SDKs add and that can be ignored. */
const HARMLESS: readonly string[] = ['type', 'index', 'status', 'namespace', 'dynamic', 'title']

/**
 * Reads a call.
 *
 * @param argument How the caller names it, for the error message.
 * @throws TypeError when it is not a call, or when it is not clear where its arguments are.
 */
export function readToolCall(call: unknown, argument: string): PlainCall {
  requireObject(call, argument)
  const fields = reading(argument, () => fieldsOf(call as Fields))
  const { at, problem } = fields
  if (problem && fields.name === undefined) throw new TypeError(`${argument}${problem}`)
  requireString(fields.name, `${argument}.${fields.nameField}`)
  const { id = '' } = fields
  requireString(id, `${argument}.id`)
  requireTime(at, `${argument}.at`)
  if (problem) throw new TypeError(`${argument}${problem}`)
  return { name: fields.name, args: fields.args, id, at }
}

export type Fields = Readonly<Record<string, unknown>>

interface CallFields {
  readonly name: unknown
  readonly nameField: string
  readonly args: unknown
  readonly id: unknown
  readonly at: unknown
  /** Why it is not clear what the arguments are; follows the name of the call. */
  readonly problem: string | null
}

/** Reads each property once, also those on the prototype chain. */
function fieldsOf(call: Fields): CallFields {
  const { function: called, name, toolName, at } = call
  const common = { id: idOf(call), at }
  if (name === undefined && describe(called) === 'an object') {
    const { name } = called as Fields
    const { args, problem } = argumentsOf(called as Fields)
    const outside = args === undefined ? ARGUMENTS.find((field) => call[field] !== undefined) : null
    return {
      ...common,
      name,
      nameField: 'function.name',
      args,
      problem: outside
        ? ` has ${outside} beside function; put the arguments into function.arguments`
        : problem && `.function${problem}`,
    }
  }
  return { ...common, name: name ?? toolName, nameField: 'name', ...argumentsOf(call) }
}

/** Returns the id of a call, or of the call that a result belongs to. */
export function idOf(fields: Fields): unknown {
  const { call_id, callId, tool_call_id, toolCallId, tool_use_id, toolUseId, id } = fields
  return call_id ?? callId ?? tool_call_id ?? toolCallId ?? tool_use_id ?? toolUseId ?? id
}

function argumentsOf(call: Fields): { args: unknown; problem: string | null } {
  const given = ARGUMENTS.filter((field) => call[field] !== undefined)
  const [first] = given
  return { args: first && call[first], problem: problemWith(call, given) }
}

function problemWith(call: Fields, given: readonly string[]): string | null {
  if (given.length > 1) return ` has both ${given.join(' and ')}; give one of them`
  if (given.length === 1 || ARGUMENTS.some((field) => field in call)) return null
  const others = Object.keys(call).filter(
    (field) => !KNOWN.includes(field) && !HARMLESS.includes(field),
  )
  if (others.length === 0) return null
  return ` has none of ${ARGUMENTS.join(', ')}, but ${listed(others)}; put the arguments into args`
}

/** Lists the first fields of an object, for an error message. */
export function listed(fields: readonly string[]): string {
  return fields.slice(0, 5).map(describe).join(', ')
}

/** Requires a time or `undefined`. */
export function requireTime(at: unknown, argument: string): asserts at is number | undefined {
  if (at === undefined || (typeof at === 'number' && Number.isFinite(at))) return
  throw wrong(argument, 'a time in milliseconds', at)
}
