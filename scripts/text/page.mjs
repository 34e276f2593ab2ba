// Puts figures into docs/text.md, between the two comments that name them.
import { readFileSync, writeFileSync } from 'node:fs'
import { Failure } from '../support/failure.mjs'
import { inRoot } from '../support/paths.mjs'
import { write } from '../support/terminal.mjs'

const PAGE = 'docs/text.md'

export function replaceSection(name, text) {
  const page = readFileSync(inRoot(PAGE), 'utf8')
  const [start, end] = [`<!-- ${name}: written by a command -->`, `<!-- end of ${name} -->`]
  const [before, rest] = page.split(start)
  const after = rest?.split(end)[1]
  if (after === undefined)
    throw new Failure(`${PAGE} has no place for ${name}.`, `Add ${start} and ${end}.`)
  writeFileSync(inRoot(PAGE), `${before}${start}\n\n${text}\n\n${end}${after}`)
  write(`${PAGE} is written.\n`)
}
