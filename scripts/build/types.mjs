// The public types, for both module systems. CommonJS has them: an ES module may
// take them from there, but not the other way round. So they are published once,
// and a class is the same type to both.
import { writeFileSync } from 'node:fs'
import { rollup } from 'rollup'
import { dts } from 'rollup-plugin-dts'
import { Failure } from '../support/cli.mjs'
import { inRoot } from '../support/files.mjs'
import { ADAPTERS } from './adapters.mjs'

// For users whose `lib` does not know Symbol.dispose yet.
const HEADER = '/// <reference lib="esnext.disposable" />\n'

export async function buildTypes(dist) {
  const types = HEADER + (await bundleTypes('js/index.ts', ['#engine-module']))
  if (/^\s*import\b/m.test(types)) {
    throw new Failure('The public types import something that is not published.', '', types)
  }
  writeBoth(dist, 'index', types)
  for (const { name, peers } of ADAPTERS) {
    const outside = ['loophound', ...Object.keys(peers)]
    const text = await bundleTypes(`js/adapters/${name}.ts`, outside)
    for (const source of importedBy(text)) {
      if (outside.some((known) => source === known || source.startsWith(`${known}/`))) continue
      throw new Failure(`The types of ${name} import ${source}, which is none of its peers.`)
    }
    writeBoth(dist, name, text)
  }
}

async function bundleTypes(input, external) {
  const isOutside = (source) =>
    external.some((known) => source === known || source.startsWith(`${known}/`))
  const bundle = await rollup({
    input: inRoot(input),
    // Without `paths`, which lead to the source of the package.
    plugins: [dts({ tsconfig: inRoot('tsconfig.json'), compilerOptions: { paths: {} } })],
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
  writeFileSync(`${dist}/${name}.d.cts`, types)
  // A framework has types of its own for each system, and its classes differ.
  const shared = importedBy(types).every((source) => source === 'loophound')
  const modules = shared ? `export * from './${name}.cjs'\n` : types
  writeFileSync(`${dist}/${name}.d.ts`, modules)
}

const importedBy = (types) =>
  Array.from(
    types.matchAll(/^(?:import|export|\}) .*\bfrom ['"]([^'"]+)['"]/gm),
    ([, source]) => source,
  )
