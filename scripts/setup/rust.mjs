// Installs the parts of Rust and the cargo programs that commands need. Uses Node alone, as
// `npm run setup` runs before any package is installed.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { Failure, write } from '../support/cli.mjs'
import { environment, inRoot, root, tools } from '../support/files.mjs'

const TARGETS = ['wasm32-unknown-unknown', 'wasm32v1-none']
/** Each with a file that it brings, below the compiler's folder. */
const COMPONENTS = [
  { name: 'rustfmt', file: `bin/${executable('rustfmt')}` },
  { name: 'clippy', file: `bin/${executable('cargo-clippy')}` },
  { name: 'rust-src', file: 'lib/rustlib/src/rust/library/Cargo.lock' },
]

/** The oldest compiler that knows the settings in scripts/build/wasm.mjs. The crate needs less. */
const OLDEST_RUST = '1.95'

/** Whether a dotted version is older than another. */
export const isOlder = (version, than) => version.localeCompare(than, 'en', { numeric: true }) < 0

/** Installs what building and testing need. */
export function installRust() {
  const { sysroot } = requireRust()
  const targets = TARGETS.filter((name) => !existsSync(path.join(sysroot, 'lib/rustlib', name)))
  if (targets.length > 0) rustup('target', 'add', ...targets)
  const components = COMPONENTS.filter(({ file }) => !existsSync(path.join(sysroot, file)))
  if (components.length > 0) rustup('component', 'add', ...components.map(({ name }) => name))
  installCargoTools([
    { program: 'wasm-pack', version: '0.15.1', crate: ['wasm-pack'] },
    {
      program: 'wasm-bindgen',
      // It refuses the output of any other version of the crate.
      version: fromManifest('src/wasm/Cargo.toml', /^wasm-bindgen = "=([^"]+)"/m),
      crate: ['wasm-bindgen-cli', '--bin', 'wasm-bindgen'],
    },
  ])
}

/** Installs what `npm run fuzz` needs. */
export const installCargoFuzz = () =>
  installCargoTools([{ program: 'cargo-fuzz', version: '0.13.2', crate: ['cargo-fuzz'] }])

/**
 * Installs what `npm run coverage` needs. Returns where it is: the programs that read the counters
 * of instrumented tests must be those of the compiler.
 */
export function installCoverageTools() {
  const { sysroot, host } = requireRust()
  const folder = path.join(sysroot, 'lib/rustlib', host, 'bin')
  const [profdata, cov] = ['llvm-profdata', 'llvm-cov'].map((name) =>
    path.join(folder, executable(name)),
  )
  if (![profdata, cov].every((file) => existsSync(file))) rustup('component', 'add', 'llvm-tools')
  return { profdata, cov }
}

/** Installs what `npm run miri` needs: a nightly Rust beside the one in use. */
export function installMiri() {
  if (output('cargo', '+nightly', 'miri', '--version') !== undefined) return
  const parts = ['--profile', 'minimal', '--component', 'miri,rust-src']
  rustup('toolchain', 'install', 'nightly', ...parts)
}

/** Runs an installer, with its own output and progress on the screen. */
export function install(what, command, args, { env = {}, shell = false } = {}) {
  write(`Installing ${what}.\n`)
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    env: environment(env),
    stdio: 'inherit',
    shell,
  })
  if (error) throw new Failure(`${command} does not start: ${error.message}`)
  if (status === 0) return
  throw new Failure(
    `Not installed: ${what}.`,
    'The reason is above. Running the same command again keeps what is already there.',
  )
}

/** Checks that Rust is there and new enough. Returns its folder and the platform it runs on. */
function requireRust() {
  const version = output('rustc', '--version', '--verbose')
  const sysroot = output('rustc', '--print', 'sysroot')
  if (!version || !sysroot || !output('cargo', '--version')) {
    throw new Failure(
      'Rust is needed, and rustc or cargo does not start.',
      'Install it as https://rustup.rs says, or try `rustup default stable`.',
    )
  }
  const [found] = /\d\S*/.exec(version) ?? ['0']
  if (isOlder(found, OLDEST_RUST)) {
    throw new Failure(
      `Rust ${OLDEST_RUST} or newer is needed; this is ${found}.`,
      'Try `rustup update`.',
    )
  }
  return { sysroot, host: /^host: (\S+)/m.exec(version)?.[1] ?? '' }
}

function rustup(...args) {
  if (!output('rustup', '--version')) {
    throw new Failure(
      `This Rust was not installed by rustup. \`rustup ${args.join(' ')}\` is needed.`,
      'Install the same with the package manager that Rust came from, or install Rust as https://rustup.rs says.',
    )
  }
  install(`${args.slice(2).join(' ')} (rustup)`, 'rustup', args)
}

/** Compiles programs into .tools, unless the right versions are already on the PATH. */
function installCargoTools(programs) {
  const missing = programs.filter(
    ({ program, version }) => output(program, '--version')?.split(' ')[1] !== version,
  )
  if (missing.length === 0) return
  // Shared, so that the crates that several programs use are compiled once.
  const target = path.join(tools, 'target')
  for (const { program, version, crate } of missing) {
    install(
      `${program} ${version} into .tools, compiled from source: a minute or two`,
      'cargo',
      // Without optimisation: it compiles several times faster, and the programs run for seconds.
      [
        ...['install', ...crate, '--version', version, '--locked', '--debug'],
        ...['--root', tools, '--target-dir', target],
      ],
      { env: { CARGO_PROFILE_DEV_DEBUG: '0', CARGO_INCREMENTAL: '0', CARGO_NET_RETRY: '10' } },
    )
  }
  rmSync(target, { recursive: true, force: true })
}

/** What a program prints; undefined if it fails or does not exist. */
function output(command, ...args) {
  const { status, stdout } = spawnSync(command, args, { env: environment(), encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

/** Versions are written down once, in the manifest of the package that asks for them. */
const fromManifest = (file, pattern) => pattern.exec(readFileSync(inRoot(file), 'utf8'))?.[1]

function executable(name) {
  return process.platform === 'win32' ? `${name}.exe` : name
}
