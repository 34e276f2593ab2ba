/**
 * Prints text for people: colours only on a terminal, lines no longer than its width, and no
 * control sequences from foreign text.
 *
 * @module
 */

import { createColors } from 'picocolors'

const hasColour = (stream: NodeJS.WriteStream): boolean =>
  Boolean(stream.isTTY) && process.env.NO_COLOR === undefined && process.env.TERM !== 'dumb'

export const { bold, dim, red, yellow } = createColors(hasColour(process.stdout))

/**
 * Control characters, including those of the upper half (Cc); lone surrogates (Cs); line and
 * paragraph separators (Zl, Zp); and formatting characters (Cf): direction overrides, zero-width
 * characters, tags. The joiners stay: scripts and emoji need them.
 */
const UNSAFE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/**
 * Makes foreign text safe to print, as one line: control characters are escaped as in JSON,
 * `\u001b`. All text from a transcript, an option, a file name or an error passes through here.
 * JSON on one line keeps its meaning.
 */
export function printable(text: string): string {
  return text.replace(UNSAFE, (character) =>
    Array.from(
      { length: character.length },
      (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
    ).join(''),
  )
}

/** Does the same as {@link printable} for several lines, which may be indented with tabs. */
export function printableLines(text: string): string {
  return text.replace(/[^\n\t]+/g, printable)
}

/** Writes to standard output. Foreign text must be made {@link printable} first. */
export function write(text: string): void {
  process.stdout.write(text)
}

/** Prints an error, and what to do next. Both may contain foreign text, and the error several lines. */
export function printError(message: string, advice?: string): void {
  const name = createColors(hasColour(process.stderr)).red('loophound:')
  const lines = [`${name} ${printableLines(message)}`, ...(advice ? [printable(advice)] : [])]
  process.stderr.write(`${lines.join('\n')}\n`)
}

/** Wraps foreign text at spaces, so that it fits beside an indent, and makes it {@link printable}. */
export function wrap(text: string, indent: string): string {
  const width = Math.max(40, Math.min(process.stdout.columns ?? 100, 100)) - indent.length
  const lines = printableLines(text)
    .split('\n')
    .flatMap((line) => {
      const parts: string[] = []
      let rest = line
      while (rest.length > width) {
        const space = rest.lastIndexOf(' ', width)
        const at = space > width / 2 ? space : width
        parts.push(rest.slice(0, at).trimEnd())
        rest = rest.slice(at).trimStart()
      }
      return [...parts, rest]
    })
  return lines.map((line) => `${indent}${line}`.trimEnd()).join('\n')
}
