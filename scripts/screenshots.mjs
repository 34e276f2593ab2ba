// Makes the pictures in docs/: of the HTML report, and of the playground.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'
import { locateBrowser } from '../tests/runtimes/browser.mjs'
import { buildAll, buildPage } from './build/all.mjs'
import { main, write } from './support/cli.mjs'
import { inRoot } from './support/files.mjs'
import { isReady, PICTURES, picturedPages, textsOf, writeTexts } from './support/pictures.mjs'

await main(async () => {
  await buildAll()
  await buildPage()
  const folder = mkdtempSync(path.join(tmpdir(), 'loophound-report-'))
  try {
    const pages = await picturedPages(folder)
    const executablePath = await locateBrowser()
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
    const texts = {}
    for (const { name, of, colorScheme, viewport } of PICTURES) {
      const tab = await browser.newPage({ colorScheme, viewport })
      await tab.goto(pathToFileURL(pages[of]).href)
      await isReady(tab)
      await tab.screenshot({ path: inRoot(`docs/${name}.png`) })
      texts[of] = await textsOf(tab)
      await tab.close()
      write(`docs/${name}.png\n`)
    }
    await browser.close()
    write(`${writeTexts(texts)}\n`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
