// What Cargo.toml says about the project: the only place for its version and its addresses.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Failure } from './cli.mjs'
import { inRoot } from './files.mjs'

const manifest = readFileSync(inRoot('Cargo.toml'), 'utf8')

export const project = {
  version: field('version'),
  /** Where the source is. */
  repository: field('repository'),
  /** Where the documentation is. */
  homepage: field('homepage'),
  /** Where to report problems. */
  bugs: field('bugs'),
}

/** The first field of that name is the crate's own. */
function field(name) {
  const value = new RegExp(`^${name} = "([^"]+)"`, 'm').exec(manifest)?.[1]
  if (value === undefined) throw new Failure(`Cargo.toml has no field ${name}.`)
  return value
}

/** The path that the site is served under: "/" or "/loophound/". */
export const siteBase = new URL('.', `${project.homepage}/`).pathname

/** Whether the maintainer has still to fill in an address: `.invalid` belongs to nobody. */
export const isPlaceholder = (address) => new URL(address).hostname.endsWith('.invalid')

/**
 * The absolute address of a file of the repository: of its page, or of the picture itself.
 *
 * @param {string} file Its path, seen from the root.
 */
export function fileAddress(file) {
  const view = /^\.(png|svg|jpe?g|gif|webp)$/i.test(path.extname(file)) ? 'raw' : 'blob'
  return `${project.repository}/${view}/main/${file}`
}
