// The figures in docs/adapters/README.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { Failure } from '../support/failure.mjs'
import { inRoot } from '../support/paths.mjs'
import { write } from '../support/terminal.mjs'

const PAGE = 'docs/adapters/README.md'
const PLACE = /(<!-- figures -->\n)[\s\S]*?(<!-- end of figures -->)/

export function writeFigures(figures) {
  const page = readFileSync(inRoot(PAGE), 'utf8')
  if (!PLACE.test(page)) throw new Failure(`${PAGE} has no place for the figures.`)
  const rows = figures.map(
    ({ title, bare, guarded }) =>
      `| ${title} | ${bare} | ${guarded} | ${(guarded / bare).toFixed(2)} |`,
  )
  const table = ['| framework | bare | guarded | ratio |', '|---|---:|---:|---:|', ...rows].join(
    '\n',
  )
  writeFileSync(inRoot(PAGE), page.replace(PLACE, `$1\n${table}\n\n$2`))
  write(`${PAGE} is written.\n`)
}
