// Makes the pictures in docs/: of the HTML report, and of the playground.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'
import { jsonl, stuck } from '../tests/report/sample.mjs'
import { locateBrowser } from '../tests/runtimes/browser.mjs'
import { buildAll, buildPage } from './build/all.mjs'
import { PLAYGROUND } from './build/playground.mjs'
import { main, write } from './support/cli.mjs'
import { inRoot } from './support/files.mjs'
import { run } from './support/process.mjs'

const REPORT = { width: 900, height: 1100 }
const WIDE = { width: 1280, height: 1000 }
const NARROW = { width: 320, height: 1400 }

await main(async () => {
  await buildAll()
  await buildPage()
  const folder = mkdtempSync(path.join(tmpdir(), 'loophound-report-'))
  try {
    const report = await makeReport(folder)
    const playground = inRoot(PLAYGROUND, 'index.html')
    const executablePath = await locateBrowser()
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
    for (const { name, page, colorScheme, viewport } of /** @type {const} */ ([
      { name: 'report-light', page: report, colorScheme: 'light', viewport: REPORT },
      { name: 'report-dark', page: report, colorScheme: 'dark', viewport: REPORT },
      { name: 'playground-light', page: playground, colorScheme: 'light', viewport: WIDE },
      { name: 'playground-dark', page: playground, colorScheme: 'dark', viewport: WIDE },
      { name: 'playground-narrow', page: playground, colorScheme: 'light', viewport: NARROW },
    ])) {
      const tab = await browser.newPage({ colorScheme, viewport })
      await tab.goto(pathToFileURL(page).href)
      await tab.locator('svg.lane').first().waitFor()
      await tab.screenshot({ path: inRoot(`docs/${name}.png`) })
      await tab.close()
      write(`docs/${name}.png\n`)
    }
    await browser.close()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

/** Has the command write the report of a session that is stuck. */
async function makeReport(folder) {
  const page = path.join(folder, 'report.html')
  writeFileSync(path.join(folder, 'session.jsonl'), jsonl(stuck))
  // It exits with 1, since there are loops.
  const args = ['scan', 'session.jsonl', '--html', page]
  await run(process.execPath, [inRoot('pkg/dist/cli.js'), ...args], { cwd: folder }).catch(() => {})
  return page
}
