/**
 * How much one argument may hold.
 *
 * @module
 */

/** More values than this in one argument are refused. */
export const MAX_VALUES = 2_000_000

/** Deeper nesting than this is refused. */
export const MAX_DEPTH = 250_000

/** A longer text than this, in UTF-16 units, is refused. */
export const MAX_TEXT = 67_108_864

/** A value that is too much to write. Its message continues a sentence: "args holds more than …". */
export class OversizeError extends Error {}

/** The refusal of a value with too many parts. */
export function tooManyValues(): OversizeError {
  return new OversizeError(`holds more than ${MAX_VALUES} values`)
}

/** The refusal of a text that is too long. */
export function tooLong(): OversizeError {
  return new OversizeError(`is longer than ${MAX_TEXT} characters`)
}

/** The refusal of a value that may have no bottom. */
export function tooDeep(): OversizeError {
  return new OversizeError(`is nested more than ${MAX_DEPTH} levels deep`)
}
