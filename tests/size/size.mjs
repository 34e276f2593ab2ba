// Prints what the package weighs, and fails when it weighs more than
// budgets.json allows. A `limit` above the `goal` is what it may weigh until it
// gets there: it only ever goes down.
import { readFileSync } from 'node:fs'
import { kilobytes, measureSizes } from '../../scripts/build/sizes.mjs'

const read = (file) => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'))

const budgets = read('budgets.json')
const { dependencies, peerDependencies, optionalDependencies, peerDependenciesMeta } =
  read('../../pkg/package.json')
// An optional peer is not installed: it is there already, or the adapter is not used.
const required = Object.keys(peerDependencies).filter(
  (name) => !peerDependenciesMeta[name].optional,
)
const depended = [...Object.keys({ ...dependencies, ...optionalDependencies }), ...required]
const sizes = { ...(await measureSizes()), dependencies: depended.length }

const FIGURES = [
  ['wasmGzipped', 'core.wasm, gzipped', kilobytes],
  ['entry', 'index.js, minified and gzipped', kilobytes],
  ['adapter', 'largest adapter, minified, gzipped', kilobytes],
  ['tarball', 'tarball', kilobytes],
  ['dependencies', 'dependencies', String],
]

for (const [name, what, show] of FIGURES) {
  const { goal, limit } = budgets[name]
  const size = sizes[name]
  const mark = size > limit ? '✗' : size > goal ? '!' : '✓'
  if (size > limit) process.exitCode = 1
  const missed = size > goal ? `, missed by ${show(size - goal)}` : ''
  const allowed = `limit ${show(limit)}, goal ${show(goal)}${missed}`
  console.log(`  ${mark} ${what.padEnd(35)} ${show(size).padStart(9)}  (${allowed})`)
}
if (process.exitCode) console.error('\nThe package is larger than tests/size/budgets.json allows.')
