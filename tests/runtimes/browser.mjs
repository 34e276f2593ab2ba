// Chromium: finding it, serving pages to it, and reading what they show.
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import path from 'node:path'
import { Failure, write } from '../../scripts/support/cli.mjs'
import { run } from '../../scripts/support/process.mjs'
import { inPackages } from './programs.mjs'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']

const FLAGS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
  ...['--disable-background-networking', '--disable-component-update'],
]

const TIMEOUT = 60_000

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.wasm': 'application/wasm',
}

/** Returns the verdicts that a page shows. */
export async function verdictsOf(address) {
  const { verdicts, failure } = await outcomeOf(address)
  if (failure !== undefined) throw new Failure(`The page failed: ${failure}`)
  return verdicts
}

/** Opens a page and returns what it shows: `{ verdicts }` or `{ failure }`. */
export async function outcomeOf(address) {
  const context = await (await browser()).newContext()
  const log = []
  try {
    const page = await context.newPage()
    page.on('console', (message) => log.push(message.text()))
    page.on('pageerror', (error) => log.push(String(error)))
    await page.goto(address, { timeout: TIMEOUT })
    const shown = page.locator('#verdicts, #failure')
    // Attached, not visible: a framework may hide its page while it starts.
    await shown.waitFor({ state: 'attached', timeout: TIMEOUT })
    return { [await shown.getAttribute('id')]: await shown.textContent() }
  } catch (error) {
    throw new Failure(`${address} shows nothing.`, '', [...log, error.message].join('\n'))
  } finally {
    await context.close()
  }
}

/** Serves a folder on localhost and returns the address, with a slash at its end. */
export async function serve(folder) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const file = path.join(folder, pathname === '/' ? 'index.html' : decodeURIComponent(pathname))
    if (!file.startsWith(folder) || !existsSync(file) || statSync(file).isDirectory()) {
      response.writeHead(404).end()
      return
    }
    const type = TYPES[path.extname(file)] ?? 'application/octet-stream'
    response.writeHead(200, { 'content-type': type }).end(readFileSync(file))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  return `http://localhost:${port}/`
}

let started

function browser() {
  started ??= launch()
  return started
}

async function launch() {
  const executablePath = await locateBrowser()
  const { chromium } = createRequire(inPackages('x.js'))('playwright-core')
  return chromium.launch({ executablePath, headless: true, args: FLAGS })
}

/** Closes the browser, if a row started it. */
export async function closeBrowser() {
  await (await started)?.close()
}

let located

/** Finds or installs Chromium. Installing takes a while: call this before the rows start. */
export function locateBrowser() {
  located ??= locate()
  return located
}

/** Returns the program that CHROME_PATH names, one on the PATH, or Debian's, installed as root. */
async function locate() {
  const named = process.env.CHROME_PATH
  if (named && !existsSync(named)) {
    throw new Failure(`CHROME_PATH is ${named}, which does not exist.`, 'Correct or unset it.')
  }
  return named || onPath() || install()
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

async function install() {
  const failure = 'Chromium is missing, and only root on Debian can install it from here.'
  const next = 'Install Chromium or Chrome, or set CHROME_PATH to its program; then run this again.'
  if (process.getuid?.() !== 0) throw new Failure(failure, next)
  write('Installing Chromium from Debian, about 20 s.\n')
  const options = { env: { DEBIAN_FRONTEND: 'noninteractive' }, failure, next }
  const packages = ['install', '--quiet', '--yes', '--no-install-recommends', 'chromium']
  await run('apt-get', ['update', '--quiet'], options)
  await run('apt-get', packages, options)
  return onPath()
}
