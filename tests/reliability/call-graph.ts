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
  /** Its parameters and results. */
  readonly signature: string
  /** The functions it calls by name. */
  readonly calls: ReadonlySet<string>
  /** The signatures of what it calls through the table. */
  readonly indirectCalls: ReadonlySet<string>
  /** What stands before each `unreachable`: the function called there, or what else it is. */
  readonly dead: readonly string[]
}

export interface CallGraph {
  readonly functions: ReadonlyMap<string, Compiled>
  /** What JavaScript can call: the name of each export, and its function. */
  readonly exports: ReadonlyMap<string, string>
  /** What can be called through the table. */
  readonly table: readonly string[]
}

const root = path.resolve(import.meta.dirname, '../..')

/**
 * Compiles the engine with panics that can be found, before wasm-opt, which drops the names and
 * adds no calls. Gives back the module's place.
 */
export async function compileEngine(): Promise<string> {
  // Plain JavaScript without types: named by a variable, so that the compiler does not look for any.
  const script = path.join(root, 'scripts/build/wasm.mjs')
  const { compileWithPanics } = (await import(script)) as {
    compileWithPanics: () => Promise<string>
  }
  return compileWithPanics()
}

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
  const exports = new Map<string, string>()
  const types = new Map<string, string>()
  const table: string[] = []
  let calls = new Set<string>()
  let indirectCalls = new Set<string>()
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
        indirectCalls = new Set()
        dead = []
        const signature = signatureIn(expression)
        functions.set(started, { name: started, signature, calls, indirectCalls, dead })
      }
      const type = named(/^\(type \$/, expression)
      if (type !== null) types.set(type, signatureIn(expression))
      const [, exported, of] = /^\(export "(.*)" \(func (\$.*)\)\)$/.exec(expression) ?? []
      if (exported && of) exports.set(exported, namesIn(of)[0] ?? '')
      // Before them stand the names of the segment and of the table, and a place in it.
      if (expression.startsWith('(elem ')) {
        table.push(...namesIn(expression.split(/\(i32\.const \d+\)/)[1] ?? ''))
      }
    }
    const called = named(/^(?:\(local\.\S+ \$\d+ )?\((?:return_)?call \$/, expression)
    if (called !== null) calls.add(called)
    const [, type] = /\(call_indirect .*\(type \$(\S+)\)/.exec(expression) ?? []
    if (type) indirectCalls.add(types.get(type) ?? '')
    if (expression === '(unreachable)') dead.push(latest[depth] ?? 'nothing')
    if (expression.startsWith('(')) latest[depth] = called ?? expression
  }
  return { functions, exports, table: table.filter((name) => functions.has(name)) }
}

/** The parameters and results of a function or a type, without the names of the former. */
function signatureIn(expression: string): string {
  const parts = expression.matchAll(/\((param|result)((?: [^()]+)+)\)/g)
  const types: Record<string, string[]> = { param: [], result: [] }
  for (const [, kind = '', list = ''] of parts) {
    types[kind]?.push(...list.split(' ').filter((type) => type && !type.startsWith('$')))
  }
  return `${types.param} -> ${types.result}`
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

/** Which ways are followed. */
export interface Ways {
  /** Whether a function is left out, with what it calls. */
  isClosed?(name: string): boolean
  /** Whether a call through the table may mean a function that has the right signature. */
  isMeant?(name: string, caller: string): boolean
}

/** All functions that some of them lead to, each with the one it was reached from. */
export function reachable(
  { functions, table }: CallGraph,
  from: Iterable<string>,
  { isClosed = () => false, isMeant = () => true }: Ways = {},
): Map<string, string | null> {
  const bySignature = new Map<string, string[]>()
  for (const name of table) {
    const signature = functions.get(name)?.signature ?? ''
    bySignature.set(signature, [...(bySignature.get(signature) ?? []), name])
  }
  const cameFrom = new Map<string, string | null>([...from].map((name) => [name, null]))
  // The map grows while it is walked through.
  for (const name of cameFrom.keys()) {
    if (isClosed(plainName(name))) continue
    const { calls = [], indirectCalls = [] } = functions.get(name) ?? {}
    const indirect = [...indirectCalls]
      .flatMap((signature) => bySignature.get(signature) ?? [])
      .filter((called) => isMeant(plainName(called), plainName(name)))
    for (const called of [...calls, ...indirect]) {
      if (!cameFrom.has(called)) cameFrom.set(called, name)
    }
  }
  return cameFrom
}

/** A shortest path from one of the functions to the one of that name; or `null`. */
export function findPath(
  graph: CallGraph,
  from: Iterable<string>,
  to: string,
  ways?: Ways,
): string[] | null {
  const cameFrom = reachable(graph, from, ways)
  const found = [...cameFrom.keys()].find((name) => plainName(name) === to)
  if (found === undefined) return null
  const path: string[] = []
  for (let at: string | null = found; at !== null; at = cameFrom.get(at) ?? null) {
    path.unshift(plainName(at))
  }
  return path
}
