// Builds pkg/, ready to publish. Stages whose inputs did not change are skipped.

import { setup } from '../setup/all.mjs'
import { exclusively } from '../support/lock.mjs'
import { stage } from '../support/stage.mjs'
import { write } from '../support/terminal.mjs'
import { buildPackage, LICENCES } from './package.mjs'
import { reportSizes } from './sizes.mjs'
import { buildWasm } from './wasm.mjs'

const RECIPE = ['scripts/build', 'package.json', 'package-lock.json']

export async function buildAll() {
  const rust = await setup()
  await exclusively(async () => {
    await stage({
      name: 'wasm',
      inputs: [
        'Cargo.toml',
        'Cargo.lock',
        'src',
        'js/engine/unpack.ts',
        'js/engine/unpack.wat',
        ...RECIPE,
      ],
      facts: [rust.version],
      outputs: ['build/wasm', 'build/core'],
      run: buildWasm,
    })
    const built = await stage({
      name: 'package',
      inputs: [
        'js',
        'build/core',
        'pkg-template',
        'tsconfig.json',
        'Cargo.toml',
        ...LICENCES,
        ...RECIPE,
      ],
      outputs: ['pkg'],
      run: buildPackage,
    })
    if (!built) return
    write('Built pkg/:\n')
    await reportSizes()
  })
}
