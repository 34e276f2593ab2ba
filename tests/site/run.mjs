// Builds the documentation site and opens every page of it in Chromium.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import { glob } from 'tinyglobby'
import { buildSite, serveSite, site } from '../../scripts/build/site.mjs'
import { main, write } from '../../scripts/support/cli.mjs'
import { locateBrowser } from '../runtimes/browser.mjs'

await main(async () => {
  await buildSite()
  const executablePath = await locateBrowser()
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  const server = await serveSite()
  try {
    const count = await openEveryPage(browser, server.address)
    write(`${count} pages open, without an error and without a request elsewhere.\n`)
    write(`A search for "balanced" finds ${await search(browser, server.address)}.\n`)
  } finally {
    await browser.close()
    await server.close()
  }
})

/** A tab, and what should not happen in it. */
async function openTab(browser, address) {
  const tab = await browser.newPage()
  const problems = []
  tab.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text())
  })
  tab.on('pageerror', (error) => problems.push(String(error)))
  tab.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`)
  })
  tab.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(address) && !/^(data|blob):/.test(url)) problems.push(url)
  })
  return { tab, problems }
}

async function openEveryPage(browser, address) {
  const files = (await glob('**/*.html', { cwd: site })).filter((file) => file !== '404.html')
  for (const page of ['index.html', 'docs/options.html', 'docs/adapters/index.html']) {
    assert(files.includes(page), `There is no ${page}.`)
  }
  const { tab, problems } = await openTab(browser, address)
  for (const file of files) {
    await tab.goto(`${address}${file}`, { waitUntil: 'networkidle' })
    assert((await tab.locator('h1').count()) > 0, `${file} has no heading.`)
    assert.deepEqual(problems, [], file)
  }
  const link = await tab.locator('a', { hasText: 'Playground' }).count()
  assert.equal(link > 0, existsSync(`${site}/playground/index.html`), 'the link to the playground')
  await tab.close()
  return files.length
}

/** Searches as a reader would, follows the first result, and returns its title. */
async function search(browser, address) {
  const { tab, problems } = await openTab(browser, address)
  await tab.goto(address, { waitUntil: 'networkidle' })
  await tab.getByRole('button', { name: 'Search' }).first().click()
  await tab.getByRole('searchbox').fill('balanced')
  const results = tab.locator('.result')
  await results.first().waitFor()
  const title = (await results.first().innerText())
    .replace(/^#/, '')
    .trim()
    .split(/\n+/)
    .join(' > ')
  await results.first().click()
  await tab.waitForURL((url) => url.href !== address)
  assert((await tab.locator('main').innerText()).includes('balanced'), `${title}: no "balanced"`)
  assert.deepEqual(problems, [])
  await tab.close()
  return title
}
