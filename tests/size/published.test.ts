/** What `npm publish` would send is what belongs into the package, and nothing else. */

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

// Plain JavaScript without types: named by a variable, so that the compiler does not look for any.
const list = fileURLToPath(new URL('../../scripts/build/adapters.mjs', import.meta.url))
const { SUBPATHS } = (await import(list)) as { SUBPATHS: readonly { readonly name: string }[] }

const ENDINGS = ['cjs', 'd.cts', 'd.ts', 'js']
const FILES = [
  ...SUBPATHS.flatMap(({ name }) => ENDINGS.map((ending) => `dist/${name}.${ending}`)),
  'LICENSE',
  'LICENSE-APACHE',
  'LICENSE-MIT',
  'README.md',
  'THIRD-PARTY-LICENSES.txt',
  'dist/cli-install.js',
  'dist/cli-scan.js',
  'dist/cli-serve.js',
  'dist/cli-swarm.js',
  'dist/cli.js',
  'dist/core.wasm',
  'dist/edge-light.js',
  'dist/index.cjs',
  'dist/index.d.cts',
  'dist/index.d.ts',
  'dist/index.js',
  'dist/readers.cjs',
  'dist/readers.js',
  'dist/redis-client.cjs',
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

it('has the version and the addresses of Cargo.toml', () => {
  const crate = readFileSync(new URL('../../Cargo.toml', import.meta.url), 'utf8')
  const field = (name: string) => new RegExp(`^${name} = "(.+)"`, 'm').exec(crate)?.[1]
  expect(JSON.parse(readFileSync(`${cwd}package.json`, 'utf8'))).toMatchObject({
    version: field('version'),
    homepage: field('homepage'),
    repository: { type: 'git', url: `git+${field('repository')}.git` },
    bugs: { url: field('bugs') },
  })
})

it('requires no other package: peers are optional', () => {
  const manifest = JSON.parse(readFileSync(`${cwd}package.json`, 'utf8'))
  expect(manifest.dependencies ?? {}).toEqual({})
  expect(manifest.optionalDependencies ?? {}).toEqual({})
  const peers = Object.keys(manifest.peerDependencies)
  // With a range, npm could not install the package beside an older `ai`, `openai`, `zod` or `react`.
  expect(new Set(Object.values(manifest.peerDependencies))).toEqual(new Set(['*']))
  expect(peers.filter((name) => !manifest.peerDependenciesMeta[name]?.optional)).toEqual([])
})
