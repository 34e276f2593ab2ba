// The public types, in one file per module system.
import { readFileSync, writeFileSync } from 'node:fs'
import { Failure } from '../support/failure.mjs'
import { inRoot } from '../support/paths.mjs'

// For users whose `lib` does not know Symbol.dispose yet.
const HEADER = '/// <reference lib="esnext.disposable" />\n'

export async function buildTypes(dist) {
  const { rollup } = await import('rollup')
  const { dts } = await import('rollup-plugin-dts')
  const bundle = await rollup({
    input: inRoot('js/index.ts'),
    plugins: [dts({ tsconfig: inRoot('tsconfig.json') })],
    external: ['#core-module'],
    onwarn(warning) {
      throw new Failure(`The types cannot be bundled: ${warning.message}`)
    },
  })
  await bundle.write({ file: `${dist}/index.d.ts`, format: 'es' })
  await bundle.close()
  const types = HEADER + readFileSync(`${dist}/index.d.ts`, 'utf8')
  if (/^\s*import\b/m.test(types)) {
    throw new Failure('The public types import something that is not published.', '', types)
  }
  writeFileSync(`${dist}/index.d.ts`, types)
  writeFileSync(`${dist}/index.d.cts`, types)
}
