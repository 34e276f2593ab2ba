// Which versions are wanted. Each is written down in one place only, and this
// file reads it there.
import { readFileSync } from 'node:fs'
import { Failure } from '../support/failure.mjs'
import { inRoot } from '../support/paths.mjs'

const manifest = () => readFileSync(inRoot('Cargo.toml'), 'utf8')

/** The oldest Rust that compiles the crate. */
export const oldestRust = () => field(/^rust-version = "([^"]+)"/m, 'rust-version')

/** The tool must be of exactly the crate's version, or it refuses the crate's output. */
export const wasmBindgen = () => field(/^wasm-bindgen = .*"=([^"]+)"/m, 'wasm-bindgen')

export const wasmPack = () => '0.15.1'

export const oldestNode = () =>
  JSON.parse(readFileSync(inRoot('package.json'), 'utf8')).engines.node.replace('>=', '')

/** Whether dotted version `a` is at least `b`. */
export function isAtLeast(a, b) {
  const [left, right] = [a, b].map((version) =>
    version.split('.').map((part) => parseInt(part, 10)),
  )
  for (let i = 0; i < 3; i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0)
    if (difference !== 0) return difference > 0
  }
  return true
}

function field(pattern, name) {
  const found = pattern.exec(manifest())
  if (!found) throw new Failure(`Cargo.toml does not say which ${name} it wants.`)
  return found[1]
}
