/**
 * Who calls whom in the compiled engine, read from its text form.
 *
 * @module
 */

import { execFileSync } from 'node:child_process'
import os from 'node:os'
import path from 'node:path'

/** A function of the module. */
export interface Compiled {
  readonly name: string
  /** The functions it calls by name. */
  readonly calls: ReadonlySet<string>
  /** What stands before each `unreachable`: the function called there, or what else it is. */
  readonly dead: readonly string[]
}

export interface CallGraph {
  readonly functions: ReadonlyMap<string, Compiled>
  /** What JavaScript can call, and what can be called through a table: where every path begins. */
  readonly roots: readonly string[]
}

const root = path.resolve(import.meta.dirname, '../..')

/** The engine before wasm-opt, which drops the names and adds no calls. */
export const ENGINE = path.join(root, 'build/wasm/loophound_bg.wasm')

/** Compiles a file of Rust beside this one in the way the engine is; gives back the module's place. */
export function compile(source: string, folder: string): string {
  const module = path.join(folder, `${path.basename(source, '.rs')}.wasm`)
  const { RUSTFLAGS, ...env } = process.env
  execFileSync(
    'rustc',
    [
      ...['--edition', '2024', '--crate-type', 'cdylib', '--target', 'wasm32-unknown-unknown'],
      ...PROFILE.flatMap((option) => ['-C', option]),
      ...[path.join(import.meta.dirname, source), '-o', module],
    ],
    { env: { ...env, PATH: withCargo(env.PATH) }, stdio: 'pipe' },
  )
  return module
}

/** That of a release in Cargo.toml. */
const PROFILE = [
  ...['opt-level=z', 'lto=fat', 'codegen-units=1', 'panic=abort', 'strip=debuginfo'],
  // Readable names: for the engine, wasm-bindgen sees to that.
  'link-arg=--demangle',
]

/** Rust's own folder too, for shells that were opened before it was installed. */
function withCargo(inherited = ''): string {
  const home = process.env.CARGO_HOME ?? path.join(os.homedir(), '.cargo')
  return [inherited, path.join(home, 'bin')].join(path.delimiter)
}

export function readCallGraph(module: string): CallGraph {
  const disassembler = path.join(root, 'node_modules/binaryen/bin/wasm-dis')
  const text = execFileSync(process.execPath, [disassembler, module], {
    maxBuffer: 2 ** 28,
    encoding: 'utf8',
  })
  const functions = new Map<string, Compiled>()
  const roots: string[] = []
  let calls = new Set<string>()
  let dead: string[] = []
  // The latest expression at each depth, to see what an `unreachable` comes after.
  let latest: string[] = []
  for (const line of text.split('\n')) {
    const depth = line.search(/\S/)
    const expression = line.trim()
    if (depth === 1) {
      latest = []
      const started = named(/^\(func \$/, expression)
      if (started !== null) {
        calls = new Set()
        dead = []
        functions.set(started, { name: started, calls, dead })
      }
      if (/^\(export .* \(func \$/.test(expression)) {
        roots.push(...namesIn(expression.replace(/^.*\(func /, '')))
      }
      if (expression.startsWith('(elem ')) roots.push(...namesIn(expression))
    }
    const called = named(/^(?:\(local\.\S+ \$\d+ )?\((?:return_)?call \$/, expression)
    if (called !== null) calls.add(called)
    if (expression === '(unreachable)') dead.push(latest[depth] ?? 'nothing')
    if (expression.startsWith('(')) latest[depth] = called ?? expression
  }
  return { functions, roots: roots.filter((name) => functions.has(name)) }
}

/** The name that follows, without the compiler's hashes. */
function named(start: RegExp, expression: string): string | null {
  const found = start.exec(expression)
  return found ? (namesIn(expression.slice(found[0].length - 1))[0] ?? null) : null
}

function namesIn(expression: string): string[] {
  const found = expression.matchAll(/\$(?:"((?:[^"\\]|\\.)*)"|([^\s()]+))/g)
  return [...found].map(([, quoted, plain]) => quoted ?? plain ?? '')
}

/** Without the compiler's hashes, which differ from one version to the next. */
export function plainName(name: string): string {
  return name.replace(/\[[0-9a-f]{16}\]/g, '').replace(/::h[0-9a-f]{16}$/, '')
}

/** A shortest path from a root to a function that is wanted, past those that are closed; or `null`. */
export function findPath(
  { functions, roots }: CallGraph,
  isWanted: (name: string) => boolean,
  isClosed: (name: string) => boolean,
): string[] | null {
  const cameFrom = new Map<string, string | null>(roots.map((name) => [name, null]))
  for (const name of cameFrom.keys()) {
    if (isClosed(plainName(name))) continue
    if (isWanted(plainName(name))) {
      const path: string[] = []
      for (let at: string | null = name; at !== null; at = cameFrom.get(at) ?? null) {
        path.unshift(plainName(at))
      }
      return path
    }
    for (const called of functions.get(name)?.calls ?? []) {
      if (!cameFrom.has(called)) cameFrom.set(called, name)
    }
  }
  return null
}

/** The functions that call themselves, directly or by way of others. */
export function recursive({ functions }: CallGraph): string[] {
  const reaches = (from: string): boolean => {
    const seen = new Set(functions.get(from)?.calls)
    for (const name of seen) {
      if (name === from) return true
      for (const next of functions.get(name)?.calls ?? []) seen.add(next)
    }
    return false
  }
  return [...functions.keys()].filter(reaches).map(plainName)
}
