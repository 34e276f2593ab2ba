/**
 * The built playground, in Chromium: every feature, from a server and from a file, without a message
 * on the console and without a request, for everybody.
 */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Shared, VIEWS, writeHash } from '../../playground/hash.js'
import { SAMPLES } from '../../playground/samples.js'
import { temporaryFolder } from '../cli/run.js'
import { inRoot } from '../docs/pages.js'
import { locateBrowser, serve } from '../runtimes/browser.mjs'

// Plain JavaScript without types: named by a variable, so that the compiler does not look for any.
const builder = inRoot('scripts/build/all.mjs')
const pictures = inRoot('scripts/support/pictures.mjs')
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const built = inRoot('build/playground')
const fromFile = pathToFileURL(path.join(built, 'index.html')).href
const folder = temporaryFolder()

let browser: Browser
let fromServer: string
/** What should not happen: messages, errors, dialogs, requests. */
let problems: string[] = []

beforeAll(async () => {
  const { buildPage } = (await import(builder)) as { buildPage(): Promise<void> }
  await buildPage()
  browser = await chromium.launch({
    executablePath: await locateBrowser(),
    args: ['--no-sandbox', '--disable-gpu'],
  })
  fromServer = await serve(built)
}, 120_000)
afterAll(() => browser?.close())
afterEach(() => {
  const seen = problems
  problems = []
  expect(seen).toEqual([])
})

async function open(options: Parameters<Browser['newPage']>[0] & { address?: string } = {}) {
  const { address = fromServer, ...more } = options
  const page = await browser.newPage(more)
  const [own] = address.split('#')
  page.on('console', (message) => problems.push(message.text()))
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('dialog', (dialog) => problems.push(dialog.message()))
  page.on('request', (request) => {
    const url = request.url()
    if (url.split('#')[0] !== own && !url.startsWith('blob:')) problems.push(url)
  })
  await page.goto(address)
  await page.locator('.answer').waitFor()
  return page
}

const answer = (page: Page) => page.locator('.answer').textContent()
const shows = (page: Page, text: string | RegExp) =>
  expect.poll(() => answer(page), { timeout: 20_000 }).toMatch(text)
const view = (page: Page, name: string) => page.getByRole('tab', { name }).click()

/** Pastes a text as a visitor would. Resolves when the answer is there, with the time it took. */
async function paste(page: Page, text: string, expected: string): Promise<number> {
  await place(page, text)
  return pastePlaced(page, expected)
}

/** Puts a text where it can be pasted from. */
const place = (page: Page, text: string) =>
  page.evaluate((content) => {
    const data = new DataTransfer()
    data.setData('text/plain', content)
    Object.assign(globalThis, { placed: data })
  }, text)

const pastePlaced = (page: Page, expected: string) =>
  page.evaluate((wanted) => {
    const { placed } = globalThis as unknown as { placed: DataTransfer }
    const field = document.querySelector('#paste') as HTMLTextAreaElement
    const start = performance.now()
    return new Promise<number>((resolve) => {
      const look = () => {
        const { textContent } = document.querySelector('.answer') ?? {}
        if (textContent?.includes(wanted)) resolve(performance.now() - start)
        else requestAnimationFrame(look)
      }
      field.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: placed, bubbles: true, cancelable: true }),
      )
      look()
    })
  }, expected)

/** Drops a file or folder of this machine, as a visitor would. */
async function dropFile(page: Page, file: string): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const data = { items: [], files: [file], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, x: 100, y: 100, data })
  }
  await session.detach()
}

/** Milliseconds to the first verdict. */
const BUDGET = 300

/**
 * A session of that many calls in neutral events, with results of so many lines. The last calls repeat
 * each other.
 */
function longSession(calls: number, length = 8): string {
  const lines = Array.from({ length: calls }, (_, index) => {
    const isLoop = index >= calls - 12
    const args = { path: isLoop ? 'config.yaml' : `src/module-${index}.ts` }
    const output = isLoop
      ? 'timeout: 30'
      : `export const value${index} = ${index * 7919}\n`.repeat(length)
    return [
      { t: 'turn' },
      { t: 'call', name: 'read', args, id: `${index}` },
      { t: 'result', id: `${index}`, ok: true, output },
    ]
  })
  return lines
    .flat()
    .map((event) => `${JSON.stringify(event)}\n`)
    .join('')
}

describe.each(['a server', 'a file'])('from %s', (place) => {
  const address = () => (place === 'a file' ? fromFile : fromServer)

  it('shows a loop at once, without a click', async () => {
    const page = await open({ address: address() })
    await shows(page, 'Stuck in 3 loops')
    expect(await page.locator('svg.lane').count()).toBe(2)
    expect(await page.locator('.lane .bracket').count()).toBeGreaterThan(2)
    const legend = await page.locator('.legend li').allTextContents()
    expect(legend.slice(-5).map((mark) => mark.trim())).toEqual([
      'error',
      'loop',
      'nudge',
      'block',
      'stop',
    ])
    expect(await page.locator('.lead').nth(1).textContent()).toContain('saved 42 calls, about')
    expect(await page.locator('.private').textContent()).toContain('Nothing leaves this page')
    expect(await page.locator('.loop blockquote').first().textContent()).toContain('Read returned')
    await page.close()
  })

  it('judges a long transcript in a worker, and explains its calls there', async () => {
    const page = await open({ address: address() })
    await paste(page, longSession(1200), 'Stuck in 1 loop')
    expect(page.workers().length).toBe(1)
    await page.getByText('Why it spoke').click()
    await page.locator('.why meter').first().waitFor()
    await page.close()
  })

  it('opens a link with options and a transcript', async () => {
    const page = await open({ address: address() })
    await page.getByRole('radio', { name: 'window' }).check()
    // The new answer moves what is below it.
    await shows(page, 'Stuck in 4 loops')
    await page.getByLabel('With the transcript').check()
    await page.getByRole('button', { name: 'Copy the link' }).click()
    const link = await page.getByLabel('The link').inputValue()
    expect(link.startsWith(`${address()}#v1.`)).toBe(true)
    const other = await open({ address: link })
    await shows(other, 'Stuck in 4 loops')
    expect(await other.getByRole('radio', { name: 'window' }).isChecked()).toBe(true)
    expect(await other.locator('.session h2').textContent()).toBe('redacted transcript')
    expect(await other.locator('main').innerText()).not.toContain('docs.example.com')
    await other.close()
    await page.close()
  })
})

it('forbids every connection', async () => {
  const page = await open()
  const outcome = await page.evaluate(async (address) => {
    const attempts = [address, 'https://example.com/'].map((one) => fetch(one))
    const results = await Promise.allSettled(attempts)
    return results.map(({ status }) => status)
  }, fromServer)
  expect(outcome).toEqual(['rejected', 'rejected'])
  // The browser says so on its console.
  expect(problems.length).toBeGreaterThan(1)
  expect(problems.filter((text) => !text.includes('Content Security Policy'))).toEqual([])
  problems = []
  await page.close()
})

describe('transcripts', () => {
  it('come from samples', async () => {
    const page = await open()
    for (const [title, expected] of [
      ['Edits that undo each other', 'Stuck in 1 loop'],
      ['Waiting for a deployment', 'No loop found'],
      ['A healthy session', 'No loop found'],
    ] as const) {
      const button = page.getByRole('button', { name: title })
      await button.click()
      await shows(page, expected)
      expect(await button.getAttribute('aria-pressed')).toBe('true')
    }
    // Without a loop, nothing was wasted: no figure is "unknown".
    expect(await page.locator('.facts').textContent()).toBe('loops0calls wasted0 of 16')
    await page.close()
  })

  it('are pasted, and their format is recognised or chosen', async () => {
    const page = await open()
    const messages = SAMPLES.find(({ name }) => name === 'button-colour.json')?.text ?? ''
    await paste(page, ` ${messages}`, 'Stuck in 1 loop')
    const format = page.getByLabel('Format')
    expect(await format.locator('option:checked').textContent()).toBe('recognised: openai-chat')
    await format.selectOption('codex')
    await shows(page, 'This cannot be read as a transcript')
    await format.selectOption('openai-chat')
    await shows(page, 'Stuck in 1 loop')
    await paste(page, 'hello', 'This cannot be read')
    for (const name of ['Session', 'Compare']) {
      await view(page, name)
      await shows(page, 'This cannot be read')
      const told = await page.locator('main').textContent()
      expect(told).toContain('looked for JSON or JSON lines')
      expect(told).toContain('claude-code, cline')
    }
    await page.close()
  })

  it('are judged while they are typed, and keep what was typed', async () => {
    const page = await open()
    const messages = SAMPLES.find(({ name }) => name === 'button-colour.json')?.text ?? ''
    const field = page.locator('#paste')
    await field.fill('hel')
    await shows(page, 'This cannot be read')
    await field.press('End')
    await field.pressSequentially('lo')
    // Another answer comes while the newest letters are not judged yet.
    await page.getByRole('radio', { name: 'window' }).check()
    expect(await field.inputValue()).toBe('hello')
    await field.fill(` ${messages}`)
    await shows(page, 'Stuck in')
    await page.getByRole('button', { name: 'A healthy session' }).click()
    expect(await field.inputValue()).toBe('')
    await page.close()
  })

  it('come from files and folders, packed as well, one session of which is shown', async () => {
    const inner = path.join(folder, 'sessions/inner')
    mkdirSync(inner, { recursive: true })
    for (const { name, text } of SAMPLES) writeFileSync(path.join(inner, name), text)
    writeFileSync(path.join(inner, 'packed.jsonl.gz'), gzipSync(SAMPLES[0]?.text ?? ''))
    writeFileSync(path.join(inner, 'picture.png'), 'no transcript')
    const page = await open()
    await page
      .getByLabel('Open a folder', { exact: true })
      .setInputFiles(path.join(folder, 'sessions'))
    await shows(page, '3 of 5 sessions stuck')
    expect(await page.getByRole('alert').textContent()).toContain('1 file left out: only .jsonl')
    await page.getByRole('button', { name: 'healthy.jsonl' }).click()
    await expect.poll(() => page.locator('.session h2').textContent()).toContain('healthy.jsonl')
    await expect.poll(() => page.locator('svg.lane').count()).toBe(1)
    await page
      .getByLabel('Open files', { exact: true })
      .setInputFiles(path.join(inner, 'packed.jsonl.gz'))
    await shows(page, 'Stuck in 3 loops')
    await page.close()
  })

  it('are dropped', async () => {
    const page = await open()
    const text = SAMPLES[1]?.text ?? ''
    await page.evaluate((content) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([content], 'dropped.json'))
      document.body.dispatchEvent(new DragEvent('dragover', { dataTransfer, bubbles: true }))
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }))
    }, text)
    await shows(page, 'Stuck in 1 loop')
    expect(await page.locator('.session h2').textContent()).toBe('dropped.json')
    await page.close()
  })

  it.each(['a server', 'a file'])('are dropped as a folder, on a page from %s', async (from) => {
    const root = path.join(folder, `dropped from ${from}`)
    for (const [index, { text }] of SAMPLES.slice(0, 2).entries()) {
      mkdirSync(path.join(root, `${index}`), { recursive: true })
      writeFileSync(path.join(root, `${index}/session.jsonl`), text)
    }
    writeFileSync(path.join(root, 'settings.json'), '{"colour":"blue"}')
    writeFileSync(path.join(root, 'broken.jsonl.gz'), 'not packed')
    writeFileSync(path.join(root, 'picture.png'), 'no transcript')
    const page = await open({ address: from === 'a file' ? fromFile : fromServer })
    await dropFile(page, root)
    await shows(page, '2 of 2 sessions stuck')
    const main = page.locator('main')
    expect(await main.locator('summary').first().textContent()).toBe('2 files could not be read')
    for (const index of [0, 1]) {
      // The table names the folder that they share once.
      const name = `${index}/session.jsonl`
      const file = `${path.basename(root)}/${name}`
      await page.getByRole('button', { name }).click()
      await expect.poll(() => page.locator('.session h2').textContent()).toBe(file)
    }
    expect(await page.getByRole('alert').textContent()).toContain('1 file left out: only .jsonl')
    await page.close()
  })

  it('are dropped with files and folders that cannot be opened, which are counted', async () => {
    const page = await open()
    await page.evaluate((content) => {
      const reader = (some: unknown[]) => ({
        readEntries: (done: (entries: unknown[]) => void) => done(some.splice(0, 2)),
      })
      const directory = (fullPath: string, createReader: () => unknown) => ({
        fullPath,
        isDirectory: true,
        createReader,
      })
      const refuse = (_: unknown, fail: (error: Error) => void) => fail(new Error('no permission'))
      const files = Array.from({ length: 5 }, (_, index) => ({
        fullPath: `/all/${index}.jsonl`,
        isFile: true,
        file: index === 4 ? (done: (file: File) => void) => done(new File([content], '')) : refuse,
      }))
      const locked = directory('/all/locked', () => ({ readEntries: refuse }))
      const entry = directory('/all', () => reader([locked, ...files]))
      const event = new DragEvent('drop', { bubbles: true })
      const dataTransfer = { items: [{ webkitGetAsEntry: () => entry }], files: [] }
      Object.defineProperty(event, 'dataTransfer', { value: dataTransfer })
      document.body.dispatchEvent(event)
    }, SAMPLES[1]?.text ?? '')
    await shows(page, 'Stuck in 1 loop')
    expect(await page.locator('.session h2').textContent()).toBe('all/4.jsonl')
    const told = await page.getByRole('alert').textContent()
    expect(told).toContain('5 files could not be opened. all/locked: no permission')
    expect(told).toContain('And 2 more.')
    await page.close()
  })
})

describe('options', () => {
  it('change the verdict at once, and can be undone', async () => {
    const page = await open()
    await page.getByRole('radio', { name: 'guard' }).check()
    await shows(page, 'Stuck in 2 loops')
    const threshold = page.getByLabel('threshold', { exact: true })
    expect(await threshold.inputValue()).toBe('5')
    await threshold.fill('13')
    await shows(page, 'Stuck in 1 loop')
    expect(await page.locator('.code').textContent()).toContain('threshold: 13')
    await page.getByRole('button', { name: 'Undo the change of threshold' }).click()
    await shows(page, 'Stuck in 2 loops')
    await page.getByLabel('threshold, slider', { exact: true }).fill('14')
    await shows(page, 'Stuck in 1 loop')
    await page.getByRole('button', { name: 'Undo all changes' }).click()
    await shows(page, 'Stuck in 2 loops')
    await page.close()
  })

  it('stay in view beside a long session, and explain themselves', async () => {
    const page = await open()
    await page.locator('.call').nth(20).scrollIntoViewIfNeeded()
    const preset = page.getByRole('radio', { name: 'window' })
    const { y = -1 } = (await page.locator('.options').boundingBox()) ?? {}
    expect(y).toBeGreaterThanOrEqual(0)
    await preset.check()
    const about = page.locator('#option-window-about')
    expect(await about.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Explain the options' }).click()
    expect(await about.isVisible()).toBe(true)
    await page.close()
  })

  it('that are not allowed are explained, and the last answer stays', async () => {
    const page = await open()
    await page.getByLabel('threshold', { exact: true }).fill('1')
    await expect
      .poll(() => page.locator('.problem').first().textContent())
      .toContain('options.threshold must be a whole number from 2')
    await shows(page, 'Stuck in 3 loops')
    await page.close()
  })

  it('have controls for patterns, rungs and texts, and can be written as JSON', async () => {
    const page = await open()
    await page.locator('summary', { hasText: /^detectors/ }).click()
    await page.locator('summary', { hasText: /^cycle/ }).click()
    const kinds = () => page.locator('.loop h4').allTextContents()
    expect((await kinds()).join()).toContain('cycle')
    await page.getByLabel('cycle is looked for').uncheck()
    await expect.poll(async () => (await kinds()).join()).not.toContain('cycle')
    await page.getByRole('button', { name: 'Undo all changes' }).click()
    await expect.poll(async () => (await kinds()).join()).toContain('cycle')
    await page.locator('summary', { hasText: 'as JSON' }).click()
    const json = page.getByLabel('Options as JSON')
    await json.fill('{ "tools": { "Read": { "exempt": true } } }')
    await json.blur()
    await shows(page, 'Stuck in 2 loops')
    await json.fill('{ "treshold": 3 }')
    await json.blur()
    await expect.poll(() => page.locator('.problem').textContent()).toContain('treshold')
    await page.close()
  })
})

it('explains a call: what it counts as, and how close each pattern was', async () => {
  const page = await open()
  await page.getByText('Why it spoke').first().click()
  const why = page.locator('.loop .why').first()
  await why.waitFor()
  expect(await why.textContent()).toContain('which allows a stop at most. Decision: nudge.')
  expect(await why.locator('meter').count()).toBeGreaterThan(5)
  const kinds = await why.locator('dt').allTextContents()
  expect(kinds).toEqual([...new Set(kinds)])
  await page.locator('.call').nth(3).locator('summary').click()
  await page.locator('.call[open] .why').waitFor()
  expect(await page.locator('.call[open] .why').textContent()).toContain('It counts as reading.')
  // A refused call has a text of its own, which is not that of the first alarm.
  const refused = page.locator('.call', { has: page.locator('.badge.block') }).first()
  await refused.locator('summary').click()
  await expect
    .poll(() => refused.locator('blockquote').textContent())
    .toMatch(/^This call was not run\./)
  expect(await refused.textContent()).toContain('would refuse the call')
  // Its result raises an alarm as well, a milder one.
  const stopped = page.locator('.call', { has: page.locator('.badge.stop') }).first()
  await stopped.locator('summary').click()
  await expect.poll(() => stopped.locator('.why').textContent()).toContain('Decision: stop.')
  expect(await stopped.textContent()).toContain('would end the run')
  // Repeats of one call bring no closer to a loop of different calls.
  expect(await stopped.textContent()).toContain('variant1 of 6')
  await page.close()
})

it('says why a loop is not reported again', async () => {
  const page = await open()
  const later = page.locator('.call', { hasText: /^\s*13 / }).first()
  await later.locator('summary').click()
  await expect
    .poll(() => later.locator('.why').textContent())
    .toMatch(/Decision: continue, since call \d+ raised an alarm of this kind, and the next one/)
  await page.close()
})

it('draws the calls of a picture of the whole page', async () => {
  const page = await open()
  const call = page.locator('.call').last()
  await call.waitFor()
  const visibility = () => call.evaluate((one) => getComputedStyle(one).contentVisibility)
  expect(await visibility()).toBe('visible')
  await page.close()
})

it('leads on to the package, its documentation and its source', async () => {
  const page = await open()
  const footer = page.locator('footer')
  expect(await footer.textContent()).toContain('npm install loophound')
  const links = footer.locator('a')
  const targets = await links.evaluateAll((all) =>
    all.map((one) => (one as HTMLAnchorElement).href),
  )
  const { homepage, repository } = JSON.parse(readFileSync(inRoot('pkg/package.json'), 'utf8'))
  expect(targets).toEqual([`${homepage}/`, repository.url.slice(4, -4)])
  await page.close()
})

it('is what the pictures in docs/ show, as is the report', async () => {
  const { isReady, picturedPages, readTexts, textsOf } = (await import(pictures)) as {
    picturedPages(folder: string): Promise<Readonly<Record<string, string>>>
    isReady(page: Page): Promise<void>
    textsOf(page: Page): Promise<string[]>
    readTexts(): Readonly<Record<string, string[]>>
  }
  const pages = await picturedPages(folder)
  const stored = readTexts()
  expect(Object.keys(stored).toSorted()).toEqual(Object.keys(pages).toSorted())
  for (const [name, file] of Object.entries(pages)) {
    const page = await browser.newPage()
    await page.goto(pathToFileURL(file).href)
    await isReady(page)
    expect(await textsOf(page), 'after a change, run `npm run screenshots`').toEqual(stored[name])
    await page.close()
  }
})

it('compares two option sets', async () => {
  const page = await open()
  await view(page, 'Compare')
  // `window` reports calls 23–49 twice.
  await shows(page, 'A and B find the same loops')
  const row = page.locator('tr', { hasText: 'Loops reported' })
  expect(await row.locator('td').allTextContents()).toEqual(['3', '4'])
  await page.getByRole('radio', { name: 'B', exact: true }).check()
  expect(await page.getByRole('radio', { name: 'window' }).isChecked()).toBe(true)
  await page.getByRole('radio', { name: 'guard' }).check()
  await shows(page, 'A finds 1 more loop')
  const loops = page.locator('.differences tbody tr')
  expect(await loops.locator('td, th').allTextContents()).toEqual([
    ...['calls 8–21', 'no-progress stop', 'exact-repeat nudge'],
    ...['calls 23–49', 'cycle stop', 'not found'],
    ...['calls 1–12 of researcher', 'no-progress stop', 'exact-repeat nudge'],
  ])
  expect(await page.locator('.side svg.lane').count()).toBe(4)
  await page.close()
})

it('streams a text, and shows where it would be cut', async () => {
  const page = await open()
  await view(page, 'Streaming text')
  await shows(page, /^Cut after \d+ characters: \d+ characters saved$/)
  await page.getByRole('button', { name: 'Stream it' }).click()
  await shows(page, 'Streaming…')
  await shows(page, /^Cut after/)
  expect(await page.locator('.streamed mark').textContent()).toContain('Wait, let me check')
  expect(await page.locator('.streamed .cut').count()).toBe(1)
  await page.getByLabel('Channel').selectOption('reasoning')
  expect(await page.locator('.loop blockquote').textContent()).toContain('was cut off')
  await page.getByLabel('The text').fill('Nothing is said twice here.')
  await shows(page, 'The text would not be cut')
  const lead = () => page.locator('.lead').nth(1).textContent()
  expect(await lead()).toContain('the threshold of chant')
  await page.getByRole('radio', { name: 'nudge' }).check()
  expect(await lead()).toContain('These options do not look for that')
  await page.close()
})

it('lets the visitor steer an agent up the ladder', async () => {
  const page = await open()
  await view(page, 'Simulated agent')
  await shows(page, 'You are the agent')
  const act = (name: string) => page.locator('.moves button', { hasText: name }).click()
  for (let count = 0; count < 3; count++) await act('Repeat')
  await shows(page, 'Step 3: The model gets a hint.')
  // As the browser numbers them: a nudge in an item is not an item.
  const numbers = () =>
    page
      .locator('.steps > li')
      .evaluateAll((items) => items.map((item) => (item as HTMLLIElement).value))
  expect(await numbers()).toEqual([3, 2, 1])
  await act('Fix')
  await shows(page, 'Step 4: The model has read the hint. No alarm.')
  await act('Poll')
  await act('Vary')
  await shows(page, 'Step 6: No alarm.')
  await page.getByRole('button', { name: 'Start again' }).click()
  await page.getByRole('button', { name: 'Repeat ten times' }).click()
  await shows(page, 'The run was stopped.')
  expect(await page.locator('.ladder [aria-current]').textContent()).toContain('stop × 1')
  expect(await page.locator('.steps').textContent()).toContain('Instead of a result')
  expect(await page.locator('.moves button').first().isDisabled()).toBe(true)
  // Other presets have other ladders.
  const lead = () => page.locator('.lead').nth(1).textContent()
  expect(await lead()).toContain('It nudges first')
  await page.getByRole('radio', { name: 'window' }).check()
  expect(await lead()).not.toContain('It nudges first')
  await page.close()
})

it('exports opinions as labelled lines', async () => {
  const page = await open()
  await page.getByRole('button', { name: 'This alarm is wrong' }).first().click()
  await page.getByLabel('First repeat').fill('3')
  await page.getByLabel('Last call').fill('5')
  await page.getByLabel('Why', { exact: true }).fill('reads it all again')
  await page.getByRole('button', { name: 'A loop was missed' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save labels.jsonl' }).click()
  const file = await (await download).path()
  const [line = '', ...more] = readFileSync(file, 'utf8').trimEnd().split('\n')
  expect(more).toEqual([])
  const label = JSON.parse(line)
  expect(label).toMatchObject({ id: 'voucher-test.jsonl', stuck: true, borderline: false })
  expect(label.spans).toContainEqual({ from: 2, to: 4, kind: 'missed' })
  expect(label.spans.length).toBe(3)
  await page.close()
})

describe('sharing', () => {
  it('keeps the options in the address, and says when a link is of another version', async () => {
    const page = await open()
    expect(new URL(page.url()).hash).toBe('')
    await page.getByRole('radio', { name: 'cycles' }).check()
    await expect.poll(() => new URL(page.url()).hash).toMatch(/^#v1\./)
    const other = await open({ address: page.url() })
    await expect.poll(() => other.getByRole('radio', { name: 'cycles' }).isChecked()).toBe(true)
    const notice = () => other.locator('.notice').textContent()
    await other.goto(`${fromServer}#v1.AAAA`)
    await expect.poll(notice).toContain('This link is damaged')
    const sets = [{ preset: 'guard' }, {}] as const
    const old = { engine: '0.0.1', view: 'agent', sets, format: 'auto', moves: [], source: null }
    await other.goto(`${fromServer}#${await writeHash(old as Shared)}`)
    await expect.poll(notice).toContain('This was made with loophound 0.0.1')
    await shows(other, 'You are the agent')
    await other.close()
    await page.close()
  })

  it('offers a file for what is too long for a link, and opens it again', async () => {
    const page = await open()
    await paste(page, longSession(1200), 'Stuck in 1 loop')
    await page.getByLabel('With the transcript').check()
    await page.getByLabel('Redact it').uncheck()
    await page.getByRole('button', { name: 'Copy the link' }).click()
    await expect
      .poll(() => page.locator('.share [role=status]').textContent())
      .toContain('Save a file instead')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save as a file' }).click()
    const saved = path.join(folder, 'saved.json')
    await (await download).saveAs(saved)
    await page.getByRole('button', { name: 'A healthy session' }).click()
    await shows(page, 'No loop found')
    await page.getByLabel('Open files', { exact: true }).setInputFiles(saved)
    await shows(page, 'Stuck in 1 loop')
    await page.close()
  })

  it('copies code', async () => {
    const page = await open({ permissions: ['clipboard-read', 'clipboard-write'] })
    await page.getByRole('radio', { name: 'nudge' }).check()
    await page.getByRole('radio', { name: 'command line' }).check()
    await page.getByRole('button', { name: 'Copy as code' }).click()
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toBe('npx loophound scan --preset nudge session.jsonl\n')
    await page.close()
  })
})

describe('everybody', () => {
  it('can use the keyboard alone', async () => {
    const page = await open()
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')
    await page.keyboard.press('n')
    await expect.poll(focused).toContain('no-progress, calls 8–21')
    await page.keyboard.press('j')
    await expect.poll(focused).toMatch(/^1 /)
    await page.keyboard.press('?')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    await page.getByRole('tab', { name: 'Session' }).focus()
    await page.keyboard.press('ArrowRight')
    await shows(page, 'A and B find the same loops')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await shows(page, 'You are the agent')
    await page.getByRole('radio', { name: 'balanced' }).focus()
    await page.keyboard.press('ArrowRight')
    expect(await page.getByRole('radio', { name: 'nudge' }).isChecked()).toBe(true)
    // A letter means nothing to a radio button, so it is still a shortcut there; in a text it is not.
    await page.keyboard.press('?')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await view(page, 'Session')
    await page.getByRole('radio', { name: 'balanced' }).check()
    await page.keyboard.press('n')
    await expect.poll(focused).toContain('no-progress, calls 8–21')
    await page.getByRole('searchbox').focus()
    await page.keyboard.press('n')
    expect(await page.getByRole('searchbox').inputValue()).toBe('n')
    await page.close()
  })

  it.each(['light', 'dark'] as const)(
    'is served without a violation that axe-core knows: %s',
    async (colorScheme) => {
      const page = await open({ colorScheme, bypassCSP: true })
      await page.getByText('Why it spoke').first().click()
      for (const group of ['patience', 'at most', 'as JSON']) {
        await page.locator('summary', { hasText: new RegExp(`^${group}`) }).click()
      }
      await page.getByRole('button', { name: 'This alarm is wrong' }).first().click()
      await page.evaluate(axe)
      for (const name of ['Session', 'Compare', 'Streaming text', 'Simulated agent']) {
        await view(page, name)
        if (name === 'Simulated agent') {
          await page.getByRole('button', { name: 'Repeat ten times' }).click()
        }
        await page.waitForTimeout(100)
        expect(await violations(page), name).toEqual([])
      }
      await page.close()
    },
  )

  it('fits 320 pixels', async () => {
    const page = await open({ viewport: { width: 320, height: 800 } })
    await page.locator('summary', { hasText: 'Options' }).click()
    for (const name of VIEWS) {
      await page.locator(`#tab-${name}`).click()
      await page.waitForTimeout(100)
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(width, name).toBeLessThanOrEqual(320)
    }
    await page.close()
  })
})

interface Found {
  readonly violations: readonly { id: string; nodes: readonly { html: string }[] }[]
}

function violations(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const found = await (globalThis as unknown as { axe: { run(): Promise<Found> } }).axe.run()
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
  })
}

describe('budgets', () => {
  it('first verdict within 300 ms of a paste of 1 MB, as processor time of all threads', async () => {
    const text = longSession(480, 64)
    expect(text.length).toBeGreaterThan(1_000_000)
    const session = await browser.newBrowserCDPSession()
    const used = async () => {
      const { processInfo } = await session.send('SystemInfo.getProcessInfo')
      const own = processInfo.filter(({ type }) => type === 'renderer')
      return own.reduce((sum, { cpuTime }) => sum + cpuTime, 0) * 1000
    }
    // Other work on the machine makes it longer, never shorter.
    let best = Number.POSITIVE_INFINITY
    for (let attempt = 0; attempt < 3 && best > BUDGET; attempt++) {
      const page = await open()
      // The worker is started once the page is at rest.
      await expect.poll(() => page.workers().length, { timeout: 20_000 }).toBe(1)
      await page.waitForTimeout(1000)
      await place(page, text)
      const before = await used()
      const wall = await pastePlaced(page, 'Stuck in 1 loop')
      const processor = (await used()) - before
      process.stdout.write(
        `1 MB pasted: first verdict after ${Math.round(wall)} ms, ${Math.round(processor)} ms of processor time\n`,
      )
      best = Math.min(best, processor)
      await page.close()
    }
    expect(best).toBeLessThan(BUDGET)
  })

  it('the page is at most 60 kB beside the engine', async () => {
    const html = readFileSync(path.join(built, 'index.html'), 'utf8')
    const page = html.replace(/<script id="engine">.*?<\/script>/s, '')
    const size = gzipSync(page, { level: 9 }).length
    process.stdout.write(`The playground is ${(size / 1000).toFixed(1)} kB beside the engine\n`)
    expect(size).toBeLessThan(60_000)
  })
})
