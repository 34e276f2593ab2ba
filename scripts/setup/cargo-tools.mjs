// wasm-pack and wasm-bindgen, compiled into .tools unless the right version is
// already on the PATH. Tools this small run well without optimisation, and
// compile several times faster.
import { rmSync } from 'node:fs'
import path from 'node:path'
import { tools } from '../support/paths.mjs'
import { capture } from '../support/process.mjs'
import { runInstaller } from './installer.mjs'
import { wasmBindgen, wasmPack } from './versions.mjs'

// Shared, so that the crates both tools use are compiled once.
const target = path.join(tools, 'target')

export const cargoTools = () => [
  tool('wasm-pack', wasmPack(), ['wasm-pack']),
  tool('wasm-bindgen', wasmBindgen(), ['wasm-bindgen-cli', '--bin', 'wasm-bindgen']),
]

/** What is left of compiling. Kept after a failure: the next attempt goes on from there. */
export const cleanUp = () => rmSync(target, { recursive: true, force: true })

export const tool = (program, version, crate) => ({
  name: `${program} ${version}`,
  why: 'compiled from source; into .tools',
  about: '75 s',

  async isMissing() {
    const found = await capture(program, ['--version'])
    return found?.output.trim().split(' ')[1] !== version
  },

  install(context) {
    const where = ['--root', tools, '--target-dir', target]
    const args = ['install', ...crate, '--version', version, '--locked', '--debug', ...where]
    return runInstaller(['cargo', args], {
      ...context,
      env: {
        CARGO_PROFILE_DEV_DEBUG: '0',
        CARGO_INCREMENTAL: '0',
        // Registries at times ask to wait.
        CARGO_NET_RETRY: '10',
        // cargo counts its crates for terminals only, unless told to.
        CARGO_TERM_PROGRESS_WHEN: 'always',
        CARGO_TERM_PROGRESS_WIDTH: '100',
      },
      progress: cratesCompiled,
    })
  },
})

/** "Building [====>    ] 57/290: syn" → "57 of 290 crates". */
function cratesCompiled(output) {
  const counts = [...output.matchAll(/Building \[[^\]]*\] (\d+)\/(\d+)/g)].at(-1)
  if (counts) return `${counts[1]} of ${counts[2]} crates`
  return /Download|Updating/.test(output) ? 'downloading' : undefined
}
