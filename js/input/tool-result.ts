/**
 * Reads the result of a tool call.
 *
 * @module
 */

import { reading, requireObject, requireOptionalString, requireString, wrong } from './check.js'
import { type Fields, ID_FIELDS, idOf, listed, requireTime } from './tool-call.js'

/** A result, whatever its id is called. */
export interface PlainResult {
  readonly id: string
  readonly name: string | undefined
  readonly ok: boolean | undefined
  readonly output: unknown
  readonly at: number | undefined
}

/** Fields that hold nothing of what the tool returned. */
const KNOWN: readonly string[] = [...ID_FIELDS, 'name', 'toolName', 'at', 'ok', 'type', 'role']

/** What others call the output. A result with `ok` may have any other field besides. */
const OUTPUTS: readonly string[] = ['content', 'result', 'error', 'response', 'text']

/** What Anthropic and MCP call the opposite of `ok`. */
const ERROR_FIELDS = ['is_error', 'isError'] as const

/**
 * Reads a result.
 *
 * @param argument How the caller names it, for the error message.
 * @throws TypeError when it is no result, or when what the tool returned is somewhere else.
 */
export function readToolResult(result: unknown, argument: string): PlainResult {
  requireObject(result, argument)
  const {
    id = '',
    name,
    ok,
    output,
    at,
    problem,
  } = reading(argument, () => fieldsOf(result as Fields))
  requireString(id, `${argument}.id`)
  requireOptionalString(name, `${argument}.name`)
  if (ok !== undefined && typeof ok !== 'boolean')
    throw wrong(`${argument}.ok`, 'true or false', ok)
  requireTime(at, `${argument}.at`)
  if (problem) throw new TypeError(`${argument} ${problem}`)
  return { id, name, ok, output, at }
}

function fieldsOf(result: Fields) {
  const { name, toolName, ok, output, at, is_error, isError = is_error } = result
  const isEmpty = output === undefined && !('output' in result)
  return {
    id: idOf(result),
    name: name ?? toolName,
    ok: ok === undefined && typeof isError === 'boolean' ? !isError : ok,
    output,
    at,
    problem: isEmpty ? problemWith(result, ok !== undefined) : null,
  }
}

/** Says what an object has instead of an output; one without any is a result that is not known. */
function problemWith(result: Fields, hasOk: boolean): string | null {
  const others = Object.keys(result).filter((field) =>
    hasOk ? OUTPUTS.includes(field) && result[field] != null : !KNOWN.includes(field),
  )
  if (others.every((field) => (ERROR_FIELDS as readonly string[]).includes(field))) return null
  const missing = hasOk ? 'no output' : 'neither output nor ok'
  return `has ${missing}, but ${listed(others)}; put what the tool returned into output`
}
