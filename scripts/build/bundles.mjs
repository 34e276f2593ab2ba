// One bundled file per entry: with `sideEffects: false`, a bundler could drop
// parts of an entry that is spread over several files.
import { inRoot } from '../support/paths.mjs'

const ENTRIES = [
  { file: 'index.js', format: 'esm', conditions: [] },
  { file: 'index.cjs', format: 'cjs', conditions: [] },
  { file: 'workerd.js', format: 'esm', conditions: ['workerd'] },
  { file: 'edge-light.js', format: 'esm', conditions: ['edge-light'] },
]

export async function buildBundles(dist) {
  // Imported late: it may have been installed a minute ago.
  const { build } = await import('esbuild')
  for (const { file, format, conditions } of ENTRIES) {
    await build({
      absWorkingDir: inRoot(),
      entryPoints: ['js/index.ts'],
      outfile: `${dist}/${file}`,
      bundle: true,
      format,
      // Chooses js/core/module.*.ts, by `imports` in package.json.
      conditions,
      platform: 'neutral',
      target: 'es2022',
      charset: 'utf8',
      // Small, but with its names: a stack trace stays readable.
      minifyWhitespace: true,
      minifySyntax: true,
      legalComments: 'none',
      external: ['./core.wasm', './core.wasm?module'],
      logLevel: 'warning',
    })
  }
}
