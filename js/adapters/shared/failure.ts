/**
 * What a tool threw, as the text that tells one failure from another.
 *
 * @module
 */

/** Never throws, whatever was thrown. */
export function failureText(thrown: unknown): string {
  try {
    return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown)
  } catch {
    return 'something that cannot be shown'
  }
}
