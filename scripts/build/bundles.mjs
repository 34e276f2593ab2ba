// One bundled file per entry: with `sideEffects: false`, a bundler could drop
// parts of an entry that is spread over several files.
import { chmodSync } from 'node:fs'
import { inRoot } from '../support/paths.mjs'
import { ADAPTERS } from './adapters.mjs'

const ENTRIES = [
  { file: 'index.js', format: 'esm', conditions: [] },
  { file: 'index.cjs', format: 'cjs', conditions: [] },
  { file: 'workerd.js', format: 'esm', conditions: ['workerd'] },
  { file: 'edge-light.js', format: 'esm', conditions: ['edge-light'] },
]

/** Small, but with its names: a stack trace stays readable. */
const COMMON = {
  absWorkingDir: inRoot(),
  bundle: true,
  platform: 'neutral',
  target: 'es2022',
  charset: 'utf8',
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'none',
  logLevel: 'warning',
}

export async function buildBundles(dist) {
  // Imported late: it may have been installed a minute ago.
  const { build } = await import('esbuild')
  for (const { file, format, conditions } of ENTRIES) {
    await build({
      ...COMMON,
      entryPoints: ['js/index.ts'],
      outfile: `${dist}/${file}`,
      format,
      // Chooses js/engine/module.*.ts, by `imports` in package.json.
      conditions,
      external: ['./core.wasm', './core.wasm?module'],
    })
  }
  for (const { name } of ADAPTERS) await buildAdapter(build, name, dist)
  await buildCommand(build, dist)
}

/** The command imports the package by its name, as its users do. */
async function buildCommand(build, dist) {
  const outfile = `${dist}/cli.js`
  await build({
    ...COMMON,
    entryPoints: ['js/cli/main.ts'],
    outfile,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    tsconfigRaw: {},
  })
  chmodSync(outfile, 0o755)
}

/**
 * Everything that an adapter imports by name stays outside: the framework, and the package itself,
 * so that there is one engine, whichever entry the runtime's conditions choose.
 */
async function buildAdapter(build, name, dist) {
  for (const [format, ending] of [
    ['esm', 'js'],
    ['cjs', 'cjs'],
  ]) {
    await build({
      ...COMMON,
      entryPoints: [`js/adapters/${name}.ts`],
      outfile: `${dist}/${name}.${ending}`,
      format,
      packages: 'external',
      // Its `paths` lead to the source of the package.
      tsconfigRaw: {},
    })
  }
}
