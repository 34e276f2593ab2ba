// Lays a fixture ready: its packages, the built package among them, a copy of
// the suite that finds these, and the examples of the documentation.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { inRoot, published } from '../support/files.mjs'
import { install, isRecent } from './install.mjs'
import { installed, running, suite } from './places.mjs'

export async function prepare(fixtures) {
  const needsNode = fixtures.some(({ node }) => !isRecent(node))
  await install([...(needsNode ? ['node'] : []), ...fixtures.map(({ name }) => name)])
  for (const fixture of fixtures) await layOut(fixture)
}

async function layOut({ name, examples }) {
  // Copied, not linked: from there, an adapter must find the framework that is installed here.
  const place = installed(name, 'node_modules/loophound')
  rmSync(place, { recursive: true, force: true })
  cpSync(published, place, { recursive: true })
  rmSync(running(name), { recursive: true, force: true })
  for (const part of ['scenario', 'drivers', `fixtures/${name}`]) {
    cpSync(`${suite}/${part}`, running(name, part), { recursive: true })
  }
  await layExamples(name, examples)
}

/** Each as TypeScript, to be checked, and as JavaScript, to be run. */
async function layExamples(name, examples) {
  const { transform } = await import('esbuild')
  const folder = running(name, 'examples')
  mkdirSync(folder)
  for (const example of examples) {
    const text = readFileSync(inRoot(`examples/adapters/${example}.ts`), 'utf8')
    const { code } = await transform(text, { loader: 'ts', format: 'esm', target: 'es2022' })
    writeFileSync(`${folder}/${example}.mjs`, code)
    writeFileSync(`${folder}/${example}.ts`, text)
  }
  // Settings for Claude Code are an example as well, and no program.
  cpSync(inRoot('examples/claude-code/settings.json'), `${folder}/claude-code-settings.json`)
  writeFileSync(`${folder}/tsconfig.json`, JSON.stringify({ compilerOptions: STRICT }))
}

/** As strictly as a user may have set it. */
const STRICT = {
  strict: true,
  noEmit: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  target: 'ES2022',
  lib: ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable', 'ESNext.Disposable'],
  module: 'NodeNext',
  moduleResolution: 'NodeNext',
  types: [],
  // Frameworks' own declarations need packages that are not installed.
  skipLibCheck: true,
}
