// Figures for docs/reliability.md.
import { replaceSections } from '../support/sections.mjs'
import { write } from '../support/terminal.mjs'

/** Prints the lines, and puts them on the page if that is wanted. */
export function publish(name, isWanted, lines) {
  const text = lines.join('\n')
  write(`\n${text}\n`)
  if (isWanted) replaceSections('docs/reliability.md', { [name]: text })
}

export const thousands = (number) => number.toLocaleString('en-US')
