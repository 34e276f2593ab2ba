// The pictures in docs/: of the HTML report and of the playground. A picture cannot be compared with
// what it shows, so the texts in it are kept beside it: a test compares them with those of today.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { jsonl, stuck } from '../../tests/report/sample.mjs'
import { PLAYGROUND } from '../build/playground.mjs'
import { inRoot } from './files.mjs'
import { run } from './process.mjs'

const REPORT = { width: 900, height: 1100 }
const WIDE = { width: 1280, height: 1000 }
const NARROW = { width: 320, height: 1400 }

export const PICTURES = /** @type {const} */ ([
  { name: 'report-light', of: 'report', colorScheme: 'light', viewport: REPORT },
  { name: 'report-dark', of: 'report', colorScheme: 'dark', viewport: REPORT },
  { name: 'playground-light', of: 'playground', colorScheme: 'light', viewport: WIDE },
  { name: 'playground-dark', of: 'playground', colorScheme: 'dark', viewport: WIDE },
  { name: 'playground-narrow', of: 'playground', colorScheme: 'light', viewport: NARROW },
])

const TEXTS = 'docs/pictures.json'

/** Returns the files of the pages that are pictured. The report is written into the folder. */
export async function picturedPages(folder) {
  const report = path.join(folder, 'report.html')
  writeFileSync(path.join(folder, 'session.jsonl'), jsonl(stuck))
  // It exits with 1, since there are loops.
  const args = ['scan', 'session.jsonl', '--html', report]
  await run(process.execPath, [inRoot('pkg/dist/cli.js'), ...args], { cwd: folder }).catch(() => {})
  return { report, playground: inRoot(PLAYGROUND, 'index.html') }
}

/** Waits until a page shows what is pictured. */
export const isReady = (tab) => tab.locator('.loop blockquote').first().waitFor()

/** The texts of an open page down to its loops: what is below is in no picture. */
export const textsOf = (tab) =>
  tab.evaluate(() => {
    const copy = /** @type {HTMLElement} */ (document.body.cloneNode(true))
    for (const one of copy.querySelectorAll(
      'script, noscript, option, svg, .filters, .calls, .labels, .share, footer',
    )) {
      one.remove()
    }
    const walker = document.createTreeWalker(copy, NodeFilter.SHOW_TEXT)
    const texts = []
    while (walker.nextNode()) texts.push(walker.currentNode.nodeValue?.replace(/\s+/g, ' ').trim())
    return texts.filter(Boolean)
  })

/** The texts of the pages when the pictures were taken. */
export const readTexts = () => JSON.parse(readFileSync(inRoot(TEXTS), 'utf8'))

export function writeTexts(texts) {
  writeFileSync(inRoot(TEXTS), `${JSON.stringify(texts, null, 2)}\n`)
  return TEXTS
}
