// The documentation site: VitePress makes build/site from README.md, docs/ and the pages beside them.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { glob } from 'tinyglobby'
import { preview } from 'vite'
import { installPinned } from '../setup/packages.mjs'
import { Failure } from '../support/cli.mjs'
import { inRoot, published, tools } from '../support/files.mjs'
import { show } from '../support/process.mjs'
import { siteBase } from '../support/project.mjs'
import { buildAll } from './all.mjs'

/** The generator's packages, the pages laid out for it, and a line that leads to its configuration. */
const workplace = path.join(tools, 'site')
const pages = path.join(workplace, 'pages')

/** Where the site goes. */
export const site = inRoot('build/site')

export async function buildSite() {
  await installPinned([
    {
      name: 'site',
      why: 'VitePress, about 100 MB; into .tools/site',
      about: '20 s',
      from: inRoot('site'),
      to: workplace,
    },
  ])
  await layOutPages()
  await copyPlayground()
  const program = path.join(workplace, 'node_modules/vitepress/bin/vitepress.js')
  if ((await show(process.execPath, [program, 'build'], { cwd: workplace })) === 0) return
  throw new Failure('The site does not build.', 'The reason is above: a dead link, for example.')
}

/** Serves the site on localhost and returns its address, and how to end that. */
export async function serveSite(port = 0) {
  const server = await preview({
    configFile: false,
    base: siteBase,
    appType: 'mpa',
    logLevel: 'error',
    build: { outDir: site },
    preview: { port, host: 'localhost' },
  })
  return { address: String(server.resolvedUrls?.local[0]), close: () => server.close() }
}

/** Copies the pages and pictures as the repository has them; a folder's README is its first page. */
async function layOutPages() {
  rmSync(pages, { recursive: true, force: true })
  for (const file of await glob(['*.md', 'docs/**/*.{md,png,svg}'], { cwd: inRoot() })) {
    const to = path.join(pages, file.replace(/README\.md$/, 'index.md'))
    mkdirSync(path.dirname(to), { recursive: true })
    cpSync(inRoot(file), to)
  }
  mkdirSync(path.join(workplace, '.vitepress'), { recursive: true })
  const config = `export { default } from '../../../site/config.mjs'\n`
  writeFileSync(path.join(workplace, '.vitepress/config.mjs'), config)
}

/** The playground is a page of its own, which its own command builds. */
async function copyPlayground() {
  const { scripts } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'))
  if (!scripts.playground) return
  if ((await show('npm', ['run', '--silent', 'playground', '--', '--build'])) !== 0) {
    throw new Failure('The playground does not build.', 'The reason is above.')
  }
  await buildAll()
  const place = path.join(pages, 'public/playground')
  cpSync(inRoot('build/playground'), place, { recursive: true })
  const licences = 'THIRD-PARTY-LICENSES.txt'
  cpSync(path.join(published, licences), path.join(place, licences))
}
