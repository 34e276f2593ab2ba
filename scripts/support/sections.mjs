// Puts figures into a page of the documentation, between the two comments that name them.
import { readFileSync, writeFileSync } from 'node:fs'
import { Failure } from './failure.mjs'
import { inRoot } from './paths.mjs'
import { write } from './terminal.mjs'

/** The page's text with that section in place of the old one; nothing if it has no place for it. */
export function withSection(page, name, text) {
  const [start, end] = [`<!-- ${name}: written by a command -->`, `<!-- end of ${name} -->`]
  const [before, rest] = page.split(start)
  const after = rest?.split(end)[1]
  return after === undefined ? undefined : `${before}${start}\n\n${text}\n\n${end}${after}`
}

/** @param {Record<string, string>} sections The text of each, by its name. */
export function replaceSections(file, sections) {
  let page = readFileSync(inRoot(file), 'utf8')
  for (const [name, text] of Object.entries(sections)) {
    const next = withSection(page, name, text)
    if (next === undefined) {
      const comments = `<!-- ${name}: written by a command --> and <!-- end of ${name} -->`
      throw new Failure(`${file} has no place for ${name}.`, `Add ${comments}.`)
    }
    page = next
  }
  writeFileSync(inRoot(file), page)
  write(`${file} is written.\n`)
}
