// pkg/, ready to publish: the template, the front page, the licences, the bundles, the types.
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { build } from 'esbuild'
import { write } from '../support/cli.mjs'
import { inRoot, published } from '../support/files.mjs'
import { project } from '../support/project.mjs'
import { entryFields, SUBPATHS } from './adapters.mjs'
import { cratesInEngine, licencePage, packagesIn } from './licences.mjs'
import { publishedReadme } from './readme.mjs'
import { buildTypes } from './types.mjs'

export const LICENCES = ['LICENSE', 'LICENSE-MIT', 'LICENSE-APACHE']

/** The conditions choose one of js/engine/module.*.ts, by `imports` in package.json. */
const ENGINE_ENTRIES = [
  { file: 'index.js', format: 'esm', conditions: [] },
  { file: 'index.cjs', format: 'cjs', conditions: [] },
  { file: 'workerd.js', format: 'esm', conditions: ['workerd'] },
  { file: 'edge-light.js', format: 'esm', conditions: ['edge-light'] },
]

const dist = path.join(published, 'dist')

export async function buildPackage() {
  write('Bundling the package.\n')
  rmSync(published, { recursive: true, force: true })
  mkdirSync(dist, { recursive: true })
  cpSync(inRoot('pkg-template'), published, { recursive: true })
  for (const licence of LICENCES) cpSync(inRoot(licence), path.join(published, licence))
  writeFileSync(path.join(published, 'README.md'), publishedReadme())
  cpSync(inRoot('build/core/core.wasm'), path.join(dist, 'core.wasm'))
  writeManifest()
  await buildEntries()
  await buildSubpaths()
  const bundled = packagesIn(await buildCommand())
  const page = licencePage([...(await cratesInEngine()), ...bundled])
  writeFileSync(path.join(published, 'THIRD-PARTY-LICENSES.txt'), page)
  await buildTypes(dist)
}

/** Writes the manifest. Version and addresses come from the crate, the entries from their list. */
function writeManifest() {
  const file = path.join(published, 'package.json')
  const { name, exports: own, ...rest } = JSON.parse(readFileSync(file, 'utf8'))
  const { version, repository, homepage, bugs } = project
  const { exports: others, ...fields } = entryFields()
  const manifest = {
    name,
    version,
    ...rest,
    homepage,
    repository: { type: 'git', url: `git+${repository}.git` },
    bugs: { url: bugs },
    exports: { ...own, ...others },
    ...fields,
  }
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`)
}

/**
 * The readers of transcripts are a separate file, which the entries share: an app that reads no
 * transcripts need not include them.
 */
const READERS = { source: 'js/transcripts/shared.ts', file: 'readers' }

const shareReaders = {
  name: 'readers',
  setup: ({ onResolve, initialOptions: { format } }) => {
    onResolve({ filter: /\/shared\.js$/ }, ({ path: imported, resolveDir, kind }) => {
      const source = path.join(resolveDir, imported).replace(/js$/, 'ts')
      if (kind === 'entry-point' || source !== inRoot(READERS.source)) return null
      return { path: `./${READERS.file}.${format === 'cjs' ? 'cjs' : 'js'}`, external: true }
    })
  },
}

/**
 * Bundles one file per entry, except for the readers: with `sideEffects: false`, a bundler could
 * drop parts of an entry that is spread over several files. Not minified: an app's bundler does that,
 * and drops what the app does not use by marks that minifying removes. Also, Node prints the whole
 * line that throws, which must not be the one with the engine.
 */
function bundle(entry, file, options) {
  return build({
    absWorkingDir: inRoot(),
    entryPoints: [entry],
    outfile: path.join(dist, file),
    bundle: true,
    platform: 'neutral',
    target: 'es2022',
    charset: 'utf8',
    minifySyntax: true,
    legalComments: 'none',
    logLevel: 'warning',
    plugins: [shareReaders],
    ...options,
  })
}

async function buildEntries() {
  const external = ['./core.wasm', './core.wasm?module']
  for (const { file, ...options } of ENGINE_ENTRIES) {
    await bundle('js/index.ts', file, { ...options, external })
  }
  for (const [format, ending] of [
    ['esm', 'js'],
    ['cjs', 'cjs'],
  ]) {
    await bundle(READERS.source, `${READERS.file}.${ending}`, { ...OWN_CODE_ONLY, format })
  }
}

/** Everything that is imported by name stays outside, without the `paths` of tsconfig.json. */
const OWN_CODE_ONLY = { packages: 'external', tsconfigRaw: {} }

/**
 * These entries import the package itself by name, so that there is one engine, whichever entry the
 * runtime's conditions choose; adapters import their frameworks as well.
 */
async function buildSubpaths() {
  for (const { name, source } of SUBPATHS) {
    await bundle(source, `${name}.js`, { ...OWN_CODE_ONLY, format: 'esm' })
    await bundle(source, `${name}.cjs`, { ...OWN_CODE_ONLY, format: 'cjs' })
  }
}

/** The parts of the command that are separate files: a hook must start fast. */
const COMMAND_PARTS = [
  { source: 'js/cli/scan/index.ts', file: 'cli-scan.js' },
  // The main file of jsonc-parser is UMD, whose imports a bundler cannot follow.
  { source: 'js/cli/install/index.ts', file: 'cli-install.js', mainFields: ['module', 'main'] },
  { source: 'js/cli/serve/index.ts', file: 'cli-serve.js' },
  { source: 'js/cli/swarm.ts', file: 'cli-swarm.js' },
]

/** @param {object} page What `report-page` exports. */
const splitCommand = (page) => ({
  name: 'command',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^\.\.?\/.*\.js$/ }, ({ path: imported, resolveDir, kind }) => {
      if (kind !== 'dynamic-import') return null
      const source = path.join(resolveDir, imported).replace(/js$/, 'ts')
      const part = COMMAND_PARTS.find((known) => inRoot(known.source) === source)
      return part ? { path: `./${part.file}`, external: true } : null
    })
    onResolve({ filter: /^report-page$/ }, () => ({ path: 'report-page', namespace: 'report' }))
    onLoad({ filter: /./, namespace: 'report' }, () => ({
      contents: JSON.stringify(page),
      loader: 'json',
    }))
  },
})

/** The code and the style of the HTML report, and what is in them. */
async function buildReportPage() {
  const options = { absWorkingDir: inRoot(), bundle: true, minify: true, metafile: true }
  const [script, style] = await Promise.all(
    ['js/report/main.tsx', 'js/report/style.css'].map((entry) =>
      build({ ...options, write: false, entryPoints: [entry], target: 'es2022', charset: 'utf8' }),
    ),
  )
  /** @param {import('esbuild').BuildResult<{ write: false }>} result */
  const text = ({ outputFiles }) => outputFiles[0].text.trim().replaceAll('</', '<\\/')
  return {
    page: { script: text(script), style: text(style) },
    metafiles: [script.metafile, style.metafile],
  }
}

/**
 * The command imports the package by its name, as users do. The libraries it uses are bundled; those
 * in CommonJS want a `require`. Only the hook includes what it needs of the package, and reads the
 * engine from the file next to it, to start faster. Returns what is in the bundles.
 */
async function buildCommand() {
  const { page, metafiles } = await buildReportPage()
  const options = {
    format: 'esm',
    platform: 'node',
    external: ['loophound', 'loophound/*'],
    tsconfigRaw: {},
    plugins: [splitCommand(page)],
    // Nobody bundles the command. A hook reads it at every call.
    minifyWhitespace: true,
    lineLimit: 200,
    legalComments: 'inline',
    metafile: true,
  }
  const banner =
    "import{createRequire as requireFrom}from'node:module';const require=requireFrom(import.meta.url);"
  const bundles = [
    await bundle('js/cli/main.ts', 'cli.js', {
      ...options,
      external: [],
      alias: { loophound: inRoot('js/index.ts') },
      conditions: ['loophound-command'],
    }),
    await buildClient(),
  ]
  for (const { source, file, ...more } of COMMAND_PARTS) {
    bundles.push(await bundle(source, file, { ...options, ...more, banner: { js: banner } }))
  }
  chmodSync(path.join(dist, 'cli.js'), 0o755)
  return [...metafiles, ...bundles.map(({ metafile }) => metafile)]
}

/** The client behind `loophound swarm`, in a separate file that only this command loads. */
const buildClient = () =>
  bundle('iovalkey', 'redis-client.cjs', {
    format: 'cjs',
    platform: 'node',
    minify: true,
    metafile: true,
    tsconfigRaw: {},
  })
