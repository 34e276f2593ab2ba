// Where things are, and figures that commands write into pages of the documentation.
// Uses Node alone, as `npm run setup` runs before any package is installed.
import { readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Failure, write } from './cli.mjs'

export const root = fileURLToPath(new URL('../..', import.meta.url))

export const inRoot = (...parts) => path.join(root, ...parts)

// Git ignores these. Each can be deleted: the next command makes it again.
export const tools = inRoot('.tools')
export const build = inRoot('build')
export const published = inRoot('pkg')

/**
 * The environment for other programs. Our own tools come first on the PATH; cargo's folder comes
 * last, for shells that were opened before Rust was installed.
 */
export function environment(extra = {}) {
  const cargo = process.env.CARGO_HOME ?? path.join(os.homedir(), '.cargo')
  const PATH = [
    path.join(tools, 'bin'),
    inRoot('node_modules/.bin'),
    process.env.PATH,
    path.join(cargo, 'bin'),
  ].join(path.delimiter)
  // Some test runners print colours even where nobody sees them.
  const plain = process.stdout.isTTY || process.env.FORCE_COLOR ? {} : { NO_COLOR: '1' }
  return { ...process.env, ...plain, PATH, ...extra }
}

/**
 * Puts texts into a page of the documentation, each between the two comments that name it.
 *
 * @param {string} file
 * @param {Record<string, string>} sections The texts, by name.
 */
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
  write(`Wrote ${file}.\n`)
}

/** Prints figures, and puts them into a page if that is wanted. */
export function writeFigures(file, name, isWanted, lines) {
  const text = lines.join('\n')
  write(`\n${text}\n`)
  if (isWanted) replaceSections(file, { [name]: text })
}

/** The page with that section replaced; undefined if it has no such section. */
export function withSection(page, name, text) {
  const [start, end] = [`<!-- ${name}: written by a command -->`, `<!-- end of ${name} -->`]
  const [before, rest] = page.split(start)
  const after = rest?.split(end)[1]
  return after === undefined ? undefined : `${before}${start}\n\n${text}\n\n${end}${after}`
}
