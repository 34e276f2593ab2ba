// Figures in docs/reliability.md: each stands between two marks, and only the command that measured
// it writes there.
import { readFileSync, writeFileSync } from 'node:fs'
import { Failure } from '../support/failure.mjs'
import { inRoot } from '../support/paths.mjs'
import { write } from '../support/terminal.mjs'

const page = inRoot('docs/reliability.md')

/** Prints the lines, and with --write puts them on the page. */
export function publish(name, lines) {
  const text = `${lines.join('\n')}\n`
  write(`\n${text}`)
  if (!process.argv.includes('--write')) return
  const [before, after] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`]
  const content = readFileSync(page, 'utf8')
  const [start, end] = [content.indexOf(before), content.indexOf(after)]
  if (start < 0 || end < start) throw new Failure(`docs/reliability.md has no place for ${name}.`)
  const head = content.slice(0, start + before.length)
  writeFileSync(page, `${head}\n${text}\n${content.slice(end)}`)
  write('Written to docs/reliability.md.\n')
}

export const thousands = (number) => number.toLocaleString('en-US')

/** A word from the command line: `--only json`; `undefined` if absent. */
export function wordOption(name) {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? undefined : process.argv[at + 1]
}

/** A number from the command line: `--minutes 5`. */
export function numberOption(name, usual) {
  const at = process.argv.indexOf(`--${name}`)
  if (at < 0) return usual
  const value = Number(process.argv[at + 1])
  if (value > 0) return value
  throw new Failure(`--${name} wants a number greater than 0.`)
}
