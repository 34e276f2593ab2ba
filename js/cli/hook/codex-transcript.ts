/**
 * Finds the results that Codex does not report: after a failed patch, a missing file or a program that
 * cannot be started, no hook runs. They stand in the session's transcript before the next call.
 *
 * @module
 */

import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { type Fields, fieldsIn } from './dialect.js'

/** The end of the transcript that is searched, in bytes: more than the calls of a step take. */
const TAIL = 256 * 1024

/** A command that goes on: its result is reported when it ends. */
const STILL_RUNNING = /^Process running with session ID \d+$/m

/** Returns the outputs of these calls that the transcript has, by id. */
export function outputsIn(path: unknown, ids: readonly string[]): ReadonlyMap<string, unknown> {
  const outputs = new Map<string, unknown>()
  if (typeof path !== 'string' || path === '' || ids.length === 0) return outputs
  for (const line of endOf(path).split('\n')) {
    if (!ids.some((id) => line.includes(id))) continue
    const { type, call_id: id, output } = payloadOf(line)
    if (typeof id !== 'string' || !ids.includes(id)) continue
    if (typeof type !== 'string' || !type.endsWith('_output')) continue
    if (typeof output !== 'string' || !STILL_RUNNING.test(output)) outputs.set(id, output)
  }
  return outputs
}

function payloadOf(line: string): Fields {
  try {
    return fieldsIn((JSON.parse(line) ?? {}) as Fields, 'payload')
  } catch {
    // The first line is cut off, and the last may be half written.
    return {}
  }
}

/** Reads the end of a file; empty if that is not possible. Never blocks, as a pipe would. */
function endOf(path: string): string {
  const { O_RDONLY, O_NONBLOCK = 0 } = constants
  try {
    const handle = openSync(path, O_RDONLY | O_NONBLOCK)
    try {
      const info = fstatSync(handle)
      if (!info.isFile()) return ''
      const bytes = Buffer.alloc(Math.min(info.size, TAIL))
      const size = readSync(handle, bytes, 0, bytes.length, info.size - bytes.length)
      return bytes.toString('utf8', 0, size)
    } finally {
      closeSync(handle)
    }
  } catch {
    return ''
  }
}
