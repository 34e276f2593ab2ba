// Compiles Workers and clients against the types that users have, as strictly as they may have set it.
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { inRoot, published, tools } from '../../scripts/support/files.mjs'
import { run } from '../../scripts/support/process.mjs'

/** Beside the installed packages, so that the compiler finds them. */
const folder = path.join(tools, 'swarm', 'types')

const STRICT = {
  strict: true,
  noEmit: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  target: 'ES2022',
  module: 'NodeNext',
  moduleResolution: 'NodeNext',
  skipLibCheck: true,
  paths: {
    loophound: [path.join(published, 'dist/index.d.ts')],
    'loophound/*': [path.join(published, 'dist/*.d.ts')],
  },
}

const NODE = { lib: ['ES2023', 'ESNext.Disposable'], types: ['node'] }
const WORKER = { lib: ['ES2023'], types: ['@cloudflare/workers-types'] }

async function compile(name, options) {
  const project = path.join(folder, `${name}.json`)
  const compilerOptions = { ...STRICT, ...options }
  writeFileSync(project, JSON.stringify({ compilerOptions, files: [`${name}.ts`] }))
  await run('tsc', ['--project', project])
}

export function typeChecks() {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  cpSync(inRoot('tests/swarm/types'), folder, { recursive: true })
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }\n')
  return {
    clients: () => compile('clients', NODE),
    'a Worker': () => compile('worker', WORKER),
  }
}
