// The public types, for both module systems. CommonJS has them: an ES module may
// take them from there, but not the other way round. So they are published once,
// and a class is the same type to both.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { rollup } from 'rollup'
import { dts } from 'rollup-plugin-dts'
import { Failure } from '../support/cli.mjs'
import { inRoot } from '../support/files.mjs'
import { SUBPATHS } from './adapters.mjs'

// For users whose `lib` does not know Symbol.dispose yet.
const HEADER = '/// <reference lib="esnext.disposable" />\n'

/** Modules that are bundled into other entries as well name the package instead of a path. */
const OWN_NAME = { loophound: [inRoot('js/index.ts')] }

export async function buildTypes(dist) {
  const types = HEADER + (await bundleTypes('js/index.ts', ['#engine-module'], OWN_NAME))
  if (/^\s*import\b/m.test(types)) {
    throw new Failure('The public types import something that is not published.', '', types)
  }
  writeBoth(dist, 'index', types)
  for (const { name, source: input, peers } of SUBPATHS) {
    const outside = ['loophound', ...Object.keys(peers)]
    const text = await bundleTypes(input, outside)
    for (const source of importedBy(text)) {
      if (outside.some((known) => source === known || source.startsWith(`${known}/`))) continue
      throw new Failure(`The types of ${name} import ${source}, which is none of its peers.`)
    }
    writeBoth(dist, name, text)
  }
}

/** @param paths Names that lead to the source; an entry beside the main one has none. */
async function bundleTypes(input, external, paths = {}) {
  const isOutside = (source) =>
    external.some((known) => source === known || source.startsWith(`${known}/`))
  const bundle = await rollup({
    input: inRoot(input),
    plugins: [dts({ tsconfig: inRoot('tsconfig.json'), compilerOptions: { paths } })],
    external: isOutside,
    onwarn(warning) {
      throw new Failure(`The types cannot be bundled: ${warning.message}`)
    },
  })
  const { output } = await bundle.generate({ format: 'es' })
  await bundle.close()
  return output[0].code
}

function writeBoth(dist, name, types) {
  mkdirSync(path.dirname(`${dist}/${name}`), { recursive: true })
  writeFileSync(`${dist}/${name}.d.cts`, types)
  // A framework has types of its own for each system, and its classes differ.
  const shared = importedBy(types).every((source) => source === 'loophound')
  const modules = shared ? `export * from './${path.basename(name)}.cjs'\n` : types
  writeFileSync(`${dist}/${name}.d.ts`, modules)
}

const importedBy = (types) =>
  Array.from(
    types.matchAll(/^(?:import|export|\}) .*\bfrom ['"]([^'"]+)['"]/gm),
    ([, source]) => source,
  )
