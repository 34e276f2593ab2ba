// Chromium: the one that CHROME_PATH names, one on the PATH, or Debian's, which
// is installed where that is possible.
import { accessSync, constants, existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { Failure, write } from '../support/cli.mjs'
import { capture } from '../support/process.mjs'
import { closeLater } from './closing.mjs'
import { inPackages } from './places.mjs'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']

const FLAGS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
  ...['--disable-background-networking', '--disable-component-update'],
]

let started

/** The one browser of this run. */
export function browser() {
  started ??= start()
  return started
}

let located

/** Its program. Installing it takes a while: call this before the table is shown. */
export function locateBrowser() {
  located ??= locate()
  return located
}

async function start() {
  const executablePath = await locateBrowser()
  const { chromium } = createRequire(inPackages('x.js'))('playwright-core')
  const launched = await chromium.launch({ executablePath, headless: true, args: FLAGS })
  closeLater(() => launched.close())
  return launched
}

async function locate() {
  const named = process.env.CHROME_PATH
  if (named && !existsSync(named)) {
    throw new Failure(`CHROME_PATH names ${named}, which is not there.`, 'Correct or unset it.')
  }
  return named || onPath() || installed()
}

function onPath() {
  const folders = (process.env.PATH ?? '').split(path.delimiter)
  return NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name))).find(isProgram)
}

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

async function installed() {
  if (process.getuid?.() === 0) {
    write('Installing Chromium from Debian, about 20 s.\n')
    const env = { DEBIAN_FRONTEND: 'noninteractive' }
    const update = await capture('apt-get', ['update', '--quiet'], { env })
    const args = ['install', '--quiet', '--yes', '--no-install-recommends', 'chromium']
    const install = update && (await capture('apt-get', args, { env }))
    if (onPath()) return onPath()
    if (install) throw missing('apt-get could not install it.', update.output + install.output)
  }
  throw missing('It can be installed from here only as root, where there is apt-get.')
}

function missing(why, output) {
  return new Failure(
    `There is no Chromium. ${why}`,
    'Install Chromium or Chrome, or set CHROME_PATH to its program; then run the same command again.',
    output,
  )
}
