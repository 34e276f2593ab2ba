/**
 * Short names for texts that may hold secrets and are kept in files.
 *
 * @module
 */

/** Hashes a text twice to 32 bits: equal texts have equal names, and a name does not show its text. */
export function hashOf(text: string): string {
  let first = 0x811c9dc5
  let second = 0x1000193
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    first = Math.imul(first ^ unit, 0x01000193)
    second = Math.imul(second + unit, 0x5bd1e995) ^ (second >>> 15)
  }
  return (first >>> 0).toString(36) + (second >>> 0).toString(36)
}
