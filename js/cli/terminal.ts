/**
 * Prints text for people: colour on a terminal only, lines no longer than it is wide.
 *
 * @module
 */

const hasColour = (stream: NodeJS.WriteStream): boolean =>
  Boolean(stream.isTTY) && process.env.NO_COLOR === undefined && process.env.TERM !== 'dumb'

const paint = (code: number) => (text: string) =>
  hasColour(process.stdout) ? `\u001b[${code}m${text}\u001b[0m` : text

export const bold = paint(1)
export const dim = paint(2)
export const red = paint(31)
export const yellow = paint(33)

export function write(text: string): void {
  process.stdout.write(text)
}

/** Prints an error, and what to do next. */
export function printError(message: string, advice?: string): void {
  const name = hasColour(process.stderr) ? '\u001b[31mloophound:\u001b[0m' : 'loophound:'
  process.stderr.write(`${name} ${message}\n${advice ? `${advice}\n` : ''}`)
}

/** Wraps text at spaces, so that it fits beside an indent. */
export function wrap(text: string, indent: string): string {
  const width = Math.max(40, Math.min(process.stdout.columns ?? 100, 100)) - indent.length
  const lines = text.split('\n').flatMap((line) => {
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
