/**
 * What a tool answered, without what differs from call to call by nature.
 *
 * @module
 */

/** How long it took, as the built-in tools say it. */
const DURATION = /^(total)?duration(ms|seconds)?$/i

type Fields = Readonly<Record<string, unknown>>

/** Content blocks as their text, a shell's output as text; anything else as it is. */
export function outputOf(response: unknown): unknown {
  if (typeof response !== 'object' || response === null) return response
  if (Array.isArray(response)) return textOfBlocks(response) ?? response
  const { stdout, stderr, content, ...rest } = response as Fields
  if (typeof stdout === 'string') {
    return typeof stderr === 'string' && stderr !== '' ? `${stdout}\n${stderr}` : stdout
  }
  if (Array.isArray(content)) return textOfBlocks(content) ?? response
  if (!Object.keys(rest).some((key) => DURATION.test(key))) return response
  return Object.fromEntries(Object.entries(response).filter(([key]) => !DURATION.test(key)))
}

function textOfBlocks(blocks: readonly unknown[]): string | null {
  const texts = blocks.map((block) => (block as Fields | null)?.text)
  return texts.every((text) => typeof text === 'string') ? texts.join('\n') : null
}
