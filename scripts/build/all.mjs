// Builds pkg/, ready to publish. A stage is skipped when neither what it reads nor what it wrote has
// changed. Contents are compared, not times: a checkout touches every file and changes none.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { build, inRoot } from '../support/files.mjs'
import { exclusively, run } from '../support/process.mjs'
import { buildPackage, LICENCES } from './package.mjs'
import { buildPlayground, PLAYGROUND } from './playground.mjs'
import { buildWasm } from './wasm.mjs'

const RECIPE = ['scripts/build', 'scripts/support/project.mjs', 'package.json', 'package-lock.json']

export async function buildAll() {
  const [rust, wasmOpt] = await Promise.all([
    run('rustc', ['--version']),
    run('wasm-opt', ['--version']),
  ])
  await exclusively(async () => {
    await stage({
      name: 'wasm',
      inputs: [
        ...['Cargo.toml', 'Cargo.lock', 'src'],
        ...['scripts/build/wasm.mjs', 'scripts/build/engine-text.mjs'],
      ],
      facts: `${rust} ${wasmOpt}`,
      outputs: ['build/wasm', 'build/core'],
      run: buildWasm,
    })
    await stage({
      name: 'package',
      inputs: [
        ...['js', 'build/core', 'pkg-template', 'README.md', 'tsconfig.json'],
        ...['Cargo.toml', 'Cargo.lock'],
        ...LICENCES,
        ...RECIPE,
      ],
      facts: rust,
      outputs: ['pkg'],
      run: buildPackage,
    })
  })
}

/** Builds the playground, which is not published, from the package in pkg/. */
export async function buildPage() {
  await exclusively(() =>
    stage({
      name: 'playground',
      inputs: ['playground', 'js/report', 'pkg', ...RECIPE],
      outputs: [PLAYGROUND],
      run: buildPlayground,
    }),
  )
}

async function stage({ name, inputs, facts = '', outputs, run }) {
  const stamp = path.join(build, `.${name}`)
  // A file that changes while the stage runs must make it run again, so the inputs are read before.
  const before = `${facts} ${digest(inputs)}`
  const digests = () => `${before} ${digest(outputs)}`
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digests()) return
  // An interrupted stage must not look finished.
  rmSync(stamp, { force: true })
  await run()
  writeFileSync(stamp, digests())
}

function digest(names) {
  const hash = createHash('sha256')
  for (const file of names.flatMap((name) => filesIn(inRoot(name))).sort()) {
    const content = readFileSync(file)
    hash.update(`${path.relative(inRoot(), file)}\n${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}

function filesIn(place) {
  if (!existsSync(place)) return []
  if (!statSync(place).isDirectory()) return [place]
  return readdirSync(place).flatMap((name) => filesIn(path.join(place, name)))
}
