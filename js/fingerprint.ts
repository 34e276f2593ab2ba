/**
 * Readable fingerprints of calls.
 *
 * @module
 */

import { engineInstance } from './engine/engine.js'
import { requireString } from './input/check.js'
import { toText } from './input/json-text.js'

/**
 * Returns the structural fingerprint of a tool call: the tool's name and its primary arguments. Calls
 * that differ only in optional arguments have the same one. At most 200 characters, equal on every
 * machine.
 *
 * @example
 * ```ts
 * computeToolFingerprint('read_file', { path: 'a.ts', encoding: 'utf8' }) // 'read_file:{"path":"a.ts"}'
 * computeToolFingerprint('bash', { command: 'head -n 5 a.ts' })           // 'bash:file_read:a.ts'
 * ```
 */
export function computeToolFingerprint(name: string, args?: unknown): string {
  requireString(name, 'computeToolFingerprint(name): name')
  const text = args === undefined ? undefined : toText(args, 'computeToolFingerprint(args): args')
  return engineInstance().fingerprint(name, text)
}
