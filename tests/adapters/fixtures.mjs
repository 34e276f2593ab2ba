// The fixtures: one folder in fixtures/ is one major version of one framework. Its packages are pinned
// by its lock file and installed into .tools/adapters, where a copy of the suite runs.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { transform } from 'esbuild'
import { installPinned, LOCK_FILE, QUIETLY } from '../../scripts/setup/packages.mjs'
import { Failure } from '../../scripts/support/cli.mjs'
import { inRoot, published, tools } from '../../scripts/support/files.mjs'
import { run } from '../../scripts/support/process.mjs'

const suite = inRoot('tests/adapters')

/** Returns where package.json and lock file are: a fixture's, or those of the Node that some need. */
const declared = (name) => path.join(suite, name === 'node' ? name : `fixtures/${name}`)

/** Returns where its packages are installed. */
const installed = (name, ...parts) => path.join(tools, 'adapters', name, ...parts)

/** Returns the copy of the suite that runs there, where it finds these packages. */
export const copyOf = (name, ...parts) => installed(name, 'suite', ...parts)

/**
 * @typedef {{ name: string, adapter: string, node: number, examples: string[], types: string[], title: string }} Fixture
 */

/**
 * Returns all fixtures, or those whose names begin with one of the words, which commas separate.
 *
 * @param mayBeNone Whether something else was selected, so that no fixture has to be.
 * @returns {Fixture[]}
 */
export function selectFixtures(words, mayBeNone = false) {
  const wanted = words.split(',').filter(Boolean)
  const names = readdirSync(path.join(suite, 'fixtures')).sort()
  const selected = names.filter(
    (name) => wanted.length === 0 || wanted.some((word) => name.startsWith(word)),
  )
  if (selected.length > 0 || mayBeNone) return selected.map(readFixture)
  throw new Failure('No fixture matches --only.', `The fixtures are ${names.join(', ')}.`)
}

function readFixture(name) {
  const manifest = JSON.parse(readFileSync(path.join(declared(name), 'package.json'), 'utf8'))
  const { adapter, framework, node = 20, examples = [adapter], types = [] } = manifest.loophound
  const title = `${framework} ${manifest.dependencies[framework]}`
  return { name, adapter, node, examples, types, title }
}

/** Installs the packages of the fixtures, and copies the suite and the built package beside them. */
export async function prepare(fixtures) {
  const names = fixtures.map(({ name }) => name)
  const needsNode = fixtures.some(({ node }) => !isRecent(node))
  await installPinned(
    (needsNode ? ['node', ...names] : names).map((name) => ({
      name,
      why: `into .tools/adapters/${name}`,
      about: '10 s',
      from: declared(name),
      to: installed(name),
      lock: `npm run test:adapters -- --lock ${name}`,
    })),
  )
  for (const fixture of fixtures) await copySuite(fixture)
}

/** Writes a fixture's lock file, after its package.json was changed. */
export async function writeLock(name) {
  rmSync(path.join(declared(name), LOCK_FILE), { force: true })
  const options = ['--package-lock-only', '--omit-lockfile-registry-resolved', ...QUIETLY]
  await run('npm', ['install', ...options], { cwd: declared(name) })
}

/** Returns a Node of at least that major version: this process's own, or a pinned one. */
export function nodeFor(major) {
  if (isRecent(major)) return process.execPath
  const name = `node${major}-${process.platform}-${process.arch}`
  const found = installed('node', 'node_modules', name, 'bin/node')
  if (existsSync(found)) return found
  throw new Failure(
    `Node ${major} is not installed: ${name} is missing.`,
    `Add it to tests/adapters/node/package.json, or use Node ${major}.`,
  )
}

const isRecent = (major) => Number(process.versions.node.split('.')[0]) >= major

async function copySuite({ name, examples, types }) {
  // Copied, not linked: from there, an adapter must find the framework that is installed here.
  const place = installed(name, 'node_modules/loophound')
  rmSync(place, { recursive: true, force: true })
  cpSync(published, place, { recursive: true })
  rmSync(copyOf(name), { recursive: true, force: true })
  for (const part of ['scenario', 'drivers', `fixtures/${name}`]) {
    cpSync(`${suite}/${part}`, copyOf(name, part), { recursive: true })
  }
  cpSync(inRoot('tests/support/injections.mjs'), installed(name, 'support/injections.mjs'))
  await copyExamples(copyOf(name, 'examples'), examples, types)
}

/** Copies the examples of the documentation: as TypeScript to check, and as JavaScript to run. */
async function copyExamples(folder, examples, types) {
  mkdirSync(folder)
  for (const example of examples) {
    const text = readFileSync(inRoot(`examples/adapters/${example}.ts`), 'utf8')
    const { code } = await transform(text, { loader: 'ts', format: 'esm', target: 'es2022' })
    writeFileSync(`${folder}/${example}.mjs`, code)
    writeFileSync(`${folder}/${example}.ts`, text)
  }
  cpSync(inRoot('examples/claude-code/settings.json'), `${folder}/claude-code-settings.json`)
  writeFileSync(
    `${folder}/tsconfig.json`,
    JSON.stringify({ compilerOptions: { ...STRICT, types } }),
  )
}

/** As strict as a user may have set it. */
const STRICT = {
  strict: true,
  noEmit: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  target: 'ES2022',
  lib: ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable', 'ESNext.Disposable'],
  module: 'NodeNext',
  moduleResolution: 'NodeNext',
  // Frameworks' own declarations need packages that are not installed.
  skipLibCheck: true,
}
