// Prints how large the package is, against the budgets in tests/size/budgets.json, and what each
// crate and each module of ours adds to the engine. With --budgets, only the former.
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { build, transform } from 'esbuild'
import { ADAPTERS, PARTS } from './build/adapters.mjs'
import { buildAll } from './build/all.mjs'
import { COMPILED } from './build/wasm.mjs'
import { Failure, main, write } from './support/cli.mjs'
import { inRoot, published } from './support/files.mjs'
import { run } from './support/process.mjs'

const CODE_SECTION = 10
const DATA_SECTION = 11
const FUNCTION_NAMES = 1

/** Prints each size with its budget. Returns what is over budget. */
async function writeSizes() {
  const budgets = JSON.parse(readFileSync(inRoot('tests/size/budgets.json'), 'utf8'))
  const adapters = await Promise.all(ADAPTERS.map(({ name }) => minified(`${name}.js`)))
  const rows = [
    ['core.wasm', dist('core.wasm').length],
    ['core.wasm, gzipped', gzipped(dist('core.wasm')), budgets.wasmGzipped],
    ['index.js, minified and gzipped', await minified('index.js'), budgets.entry],
    ['an app with LoopDetector alone', await appSize('LoopDetector'), budgets.detectorApp],
    ['an app with LoopGuard alone', await appSize('LoopGuard'), budgets.guardApp],
    ['readers.js, minified and gzipped', await minified('readers.js'), budgets.readers],
    ['largest adapter, minified and gzipped', Math.max(...adapters), budgets.adapter],
    ...(await Promise.all(
      PARTS.map(async ({ name }) => [
        `${name}.js, minified and gzipped`,
        await minified(`${name}.js`),
      ]),
    )),
    ['tarball', await tarballSize()],
  ]
  for (const [what, size, budget] of rows) {
    const allowed = budget === undefined ? '' : `  (budget ${kilobytes(budget)})`
    write(`  ${what.padEnd(38)} ${kilobytes(size).padStart(9)}${allowed}\n`)
  }
  return rows.filter(([, size, budget]) => size > budget).map(([what]) => what)
}

const dist = (file) => readFileSync(inRoot('pkg/dist', file))

const gzipped = (content) => gzipSync(content, { level: 9 }).length

/** As a user's bundler leaves it. */
async function minified(file) {
  const { code } = await transform(dist(file).toString(), { minify: true, format: 'esm' })
  return gzipped(code)
}

/** The bundle of an app that imports one name, minified and gzipped. */
async function appSize(name) {
  const { outputFiles } = await build({
    stdin: { contents: `export { ${name} } from './index.js'`, resolveDir: inRoot('pkg/dist') },
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
  })
  return gzipped(outputFiles[0].contents)
}

async function tarballSize() {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error']
  const output = await run('npm', args, { cwd: published })
  return Number(/"size": (\d+)/.exec(output)?.[1])
}

const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`

function writeParts() {
  const { functions, data } = readFunctions(readFileSync(inRoot(COMPILED)))
  write('\nBytes by crate, before wasm-opt, which drops the names of functions:\n')
  writeTable([...sumBy(functions, crateOf), ['(data)', data]])
  const own = functions.filter(({ name }) => crateOf(name) === 'loophound')
  write('\nOur own, by module (inlined code counts where it was inlined):\n')
  writeTable(sumBy(own, moduleOf))
}

/** The first crate that the name of a function mentions: `<loophound::Config as core::…>`. */
const crateOf = (name) => /(\w+)(?:\[[0-9a-f]+\])?::/.exec(name)?.[1] ?? '(exports)'

/** `patterns::cycle` of `loophound::patterns::cycle::Cycle::on_call`. */
const moduleOf = (name) =>
  /loophound(?:\[[0-9a-f]+\])?::([a-z_]+(?:::[a-z_]+(?=::))?)/.exec(name)?.[1] ?? '(root)'

function sumBy(functions, group) {
  const sums = new Map()
  for (const { name, size } of functions) {
    const key = group(name)
    sums.set(key, (sums.get(key) ?? 0) + size)
  }
  return [...sums].sort(([, a], [, b]) => b - a)
}

function writeTable(rows) {
  for (const [name, size] of rows) write(`  ${name.padEnd(38)} ${String(size).padStart(9)}\n`)
}

/** The name and the size of each function of a WebAssembly module, and the size of its data. */
function readFunctions(bytes) {
  const module = new WebAssembly.Module(bytes)
  const imported = WebAssembly.Module.imports(module).filter(({ kind }) => kind === 'function')
  const names = readNames(new Reader(WebAssembly.Module.customSections(module, 'name')[0]))
  const functions = []
  let data = 0
  const reader = new Reader(bytes, 8)
  while (!reader.ended) {
    const id = reader.byte()
    const section = reader.part(reader.number())
    if (id === DATA_SECTION) data = section.length
    if (id !== CODE_SECTION) continue
    const count = section.number()
    for (let index = 0; index < count; index++) {
      const { length } = section.part(section.number())
      functions.push({ name: names.get(imported.length + index) ?? '?', size: length })
    }
  }
  return { functions, data }
}

function readNames(reader) {
  const names = new Map()
  while (!reader.ended) {
    const kind = reader.byte()
    const part = reader.part(reader.number())
    if (kind !== FUNCTION_NAMES) continue
    for (let count = part.number(); count > 0; count--) {
      names.set(part.number(), part.part(part.number()).text)
    }
  }
  return names
}

/** Reads WebAssembly's binary format. */
class Reader {
  constructor(bytes, at = 0) {
    this.bytes = new Uint8Array(bytes)
    this.at = at
  }

  get length() {
    return this.bytes.length
  }

  get ended() {
    return this.at >= this.length
  }

  get text() {
    return new TextDecoder().decode(this.bytes)
  }

  byte() {
    return this.bytes[this.at++]
  }

  /** An unsigned LEB128 number. */
  number() {
    const byte = this.byte()
    return byte < 128 ? byte : byte - 128 + 128 * this.number()
  }

  /** The next `length` bytes, as a reader of their own. */
  part(length) {
    this.at += length
    return new Reader(this.bytes.slice(this.at - length, this.at))
  }
}

await main(async () => {
  await buildAll()
  const over = await writeSizes()
  if (!process.argv.includes('--budgets')) writeParts()
  if (over.length > 0) throw new Failure(`Over the budget in tests/size/budgets.json: ${over}.`)
})
