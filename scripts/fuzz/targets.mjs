// The cargo-fuzz targets. They need flags of the compiler that only nightly Rust takes without being
// told; RUSTC_BOOTSTRAP tells the stable one. The core has no unsafe code, so no sanitizer is used.
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { Failure } from '../support/failure.mjs'
import { inRoot } from '../support/paths.mjs'
import { capture } from '../support/process.mjs'
import { write } from '../support/terminal.mjs'

export const TARGETS = ['json', 'shell', 'text', 'events', 'snapshots', 'options']

const env = { RUSTC_BOOTSTRAP: '1' }

export async function buildTargets() {
  write('Building the fuzz targets (the first time, about 90 s).\n')
  const built = await capture('cargo', ['fuzz', 'build', '--sanitizer', 'none'], { env })
  if (built.code === 0) return
  throw new Failure(
    'The fuzz targets do not compile.',
    /failed to find tool|is `[^`]*\+\+` installed/.test(built.output)
      ? 'libFuzzer is written in C++. Install a compiler for it (`apt install g++`, `xcode-select --install`), then run the same command again.'
      : 'Its output is above. `cargo check` tells whether the crate itself compiles.',
    built.output.slice(-8000),
  )
}

export async function fuzzTarget(target, milliseconds, seed) {
  const corpus = inRoot('fuzz/corpus', target)
  mkdirSync(corpus, { recursive: true })
  const limits = [
    `-max_total_time=${Math.max(1, Math.round(milliseconds / 1000))}`,
    `-seed=${seed}`,
    '-timeout=10',
    '-print_final_stats=1',
  ]
  const places = [corpus, inRoot('fuzz/seeds', target)]
  const args = ['fuzz', 'run', '--sanitizer', 'none', target, ...places, '--', ...limits]
  const { code, output } = await capture('cargo', args, { env })
  if (code !== 0 && /could not compile/.test(output)) {
    throw new Failure(
      `The fuzz target ${target} does not compile any more.`,
      'Was src/ edited meanwhile? Run it again.',
      output.slice(-4000),
    )
  }
  if (code !== 0) {
    throw new Failure(
      `The fuzz target ${target} found something.`,
      `The input is in ${path.join('fuzz', 'artifacts', target)}; \`cargo fuzz run ${target} <file>\` replays it.`,
      output.slice(-4000),
    )
  }
  const inputs = Number(/number_of_executed_units:\s*(\d+)/.exec(output)?.[1] ?? 0)
  const coverage = [...output.matchAll(/cov: (\d+)/g)].at(-1)?.[1]
  return { inputs, coverage }
}
