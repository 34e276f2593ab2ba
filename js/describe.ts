/**
 * Words for error messages: what was given instead of what was expected.
 *
 * @module
 */

const LONGEST_QUOTE = 40

/** Names a value in a few words, whatever it is; never throws. */
export function describe(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(
        value.length > LONGEST_QUOTE ? `${value.slice(0, LONGEST_QUOTE)}…` : value,
      )
    case 'bigint':
      return 'a bigint'
    case 'symbol':
      return 'a symbol'
    case 'function':
      return 'a function'
    case 'object':
      return describeObject(value)
    default:
      return String(value)
  }
}

/** The message of whatever was thrown; never throws itself. */
export function reasonOf(thrown: unknown): string {
  try {
    // An error's message may be anything as well, until it is made a text here.
    return String(thrown instanceof Error ? thrown.message : thrown)
  } catch {
    return 'something that cannot be shown'
  }
}

function describeObject(value: object | null): string {
  if (value === null) return 'null'
  try {
    if (Array.isArray(value)) return 'an array'
    const tag = Object.prototype.toString.call(value).slice('[object '.length, -1)
    if (tag === 'Object') return 'an object'
    return /^[AEIOU]/.test(tag) ? `an ${tag}` : `a ${tag}`
  } catch {
    // A revoked proxy, or one whose traps throw.
    return 'an object that cannot be looked at'
  }
}
