/** What `npm publish` would send is what belongs into the package, and nothing else. */

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

// Plain JavaScript without types: named by a variable, so that the compiler does not look for any.
const list = fileURLToPath(new URL('../../scripts/build/adapters.mjs', import.meta.url))
const { ADAPTERS } = (await import(list)) as { ADAPTERS: readonly { readonly name: string }[] }

const ENDINGS = ['cjs', 'd.cts', 'd.ts', 'js']
const FILES = [
  ...ADAPTERS.flatMap(({ name }) => ENDINGS.map((ending) => `dist/${name}.${ending}`)),
  'LICENSE',
  'LICENSE-APACHE',
  'LICENSE-MIT',
  'README.md',
  'dist/cli.js',
  'dist/core.wasm',
  'dist/edge-light.js',
  'dist/index.cjs',
  'dist/index.d.cts',
  'dist/index.d.ts',
  'dist/index.js',
  'dist/workerd.js',
  'package.json',
]

const cwd = fileURLToPath(new URL('../../pkg/', import.meta.url))

describe('npm publish --dry-run', () => {
  const output = execFileSync(
    'npm',
    ['publish', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error'],
    { cwd, encoding: 'utf8' },
  )
  const listed = [...output.matchAll(/"path": "([^"]+)"/g)].map(([, path]) => path)

  it('lists only what belongs', () => {
    expect(listed.sort()).toEqual(FILES.sort())
  })
})

it('requires no other package: peers are optional', () => {
  const manifest = JSON.parse(readFileSync(`${cwd}package.json`, 'utf8'))
  expect(manifest.dependencies ?? {}).toEqual({})
  expect(manifest.optionalDependencies ?? {}).toEqual({})
  const peers = Object.keys(manifest.peerDependencies)
  expect(peers.filter((name) => !manifest.peerDependenciesMeta[name]?.optional)).toEqual([])
})
