/** The HTML report, opened in Chromium: it shows what it should, alone, and to everybody. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loophound, temporaryFolder } from '../cli/run.js'
import { locateBrowser } from '../runtimes/browser.mjs'
import { fine, HOSTILE, jsonl, stuck } from './sample.mjs'

const folder = temporaryFolder()
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const report = path.join(folder, 'report.html')
let browser: Browser

beforeAll(async () => {
  writeFileSync(path.join(folder, 'stuck.jsonl'), jsonl(stuck))
  writeFileSync(path.join(folder, 'fine.json'), JSON.stringify(fine))
  await loophound(['scan', 'stuck.jsonl', 'fine.json', '--html', report], '', { cwd: folder })
  browser = await chromium.launch({
    executablePath: await locateBrowser(),
    args: ['--no-sandbox', '--disable-gpu'],
  })
}, 120_000)
afterAll(() => browser?.close())

/** Opens the report, and notes what should not happen. */
async function open(options: Parameters<Browser['newPage']>[0] = {}) {
  const page = await browser.newPage({ bypassCSP: false, ...options })
  const problems: string[] = []
  page.on('console', (message) => problems.push(message.text()))
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('dialog', (dialog) => problems.push(dialog.message()))
  page.on('request', (request) => {
    if (request.url() !== pathToFileURL(report).href) problems.push(request.url())
  })
  await page.goto(pathToFileURL(report).href)
  return { page, problems }
}

const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement, body } = document
    return activeElement && activeElement !== body ? (activeElement.textContent ?? '') : ''
  })

describe('the report', () => {
  it('shows sessions, loops, timelines and calls, and asks for nothing', async () => {
    const { page, problems } = await open()
    expect(await page.locator('h1').textContent()).toBe('Agents were stuck in loops')
    expect(await page.locator('header p').textContent()).toMatch(
      /^Heeding the alarms would have saved 42 calls, about .+k tokens and about \$0\.\d\d\.$/,
    )
    expect(await page.locator('tbody tr').count()).toBe(2)
    expect(await page.locator('.loop').count()).toBe(3)
    expect(await page.locator('svg.lane').count()).toBe(2)
    expect(await page.locator('svg.lane rect').count()).toBe(90)
    expect(await page.locator('.call').count()).toBe(90)
    expect(await page.locator('.loop blockquote').first().textContent()).toContain('read returned')
    expect(await page.locator('footer').textContent()).toContain('preset balanced, prices')
    expect(problems).toEqual([])
    await page.close()
  })

  it('shows what is hostile as text', async () => {
    const { page, problems } = await open()
    expect(await page.locator('.call pre', { hasText: HOSTILE }).count()).toBe(2)
    expect(await page.locator('img').count()).toBe(0)
    expect(problems).toEqual([])
    await page.close()
  })

  it('filters the calls', async () => {
    const { page } = await open()
    const calls = page.locator('.call')
    await page.getByLabel('Only').selectOption('error')
    expect(await calls.count()).toBe(25)
    await page.getByLabel('Only').selectOption('loop')
    expect(await calls.count()).toBe(24 + 16 + 12)
    await page.getByLabel('Only').selectOption('')
    await page.getByLabel('Tool').selectOption('fetch')
    expect(await calls.count()).toBe(17)
    await page.getByRole('searchbox').fill('example.com')
    expect(await calls.count()).toBe(12)
    await page.close()
  })

  it('sorts sessions, and shows the one that is chosen', async () => {
    const { page } = await open()
    const first = page.locator('tbody tr').first()
    expect(await first.textContent()).toContain('stuck.jsonl')
    await page.getByRole('button', { name: 'Session' }).click()
    expect(await first.textContent()).toContain('fine.json')
    await page.getByRole('button', { name: 'fine.json' }).click()
    expect(await page.locator('.session h2').textContent()).toBe('fine.json')
    expect(await page.locator('.loop').count()).toBe(0)
    await expect.poll(() => focused(page)).toMatch(/^fine\.json/)
    await page.close()
  })

  it('has the stuck sessions of a folder at hand, by their names in it', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `fine-${index}.json`)
    mkdirSync(path.join(folder, 'logs'))
    for (const name of names) {
      writeFileSync(path.join(folder, 'logs', name), JSON.stringify(fine))
    }
    // Half as long, without times and usage: it costs nothing that is known.
    const half = stuck.slice(0, 120).map(({ at: _, ...event }) => event)
    writeFileSync(path.join(folder, 'logs', 'half.jsonl'), jsonl(half))
    writeFileSync(path.join(folder, 'logs', 'stuck.jsonl'), jsonl(stuck))
    const many = path.join(folder, 'many.html')
    await loophound(['scan', 'logs', '--html', many], '', { cwd: folder })
    const page = await browser.newPage()
    await page.goto(pathToFileURL(many).href)
    const rows = page.locator('tbody tr')
    expect(await rows.count()).toBe(12)
    expect(await rows.first().textContent()).toMatch(/^stuck\.jsonl/)
    for (const name of ['time', 'tokens', 'money']) {
      await page.getByRole('button', { name: `Wasted ${name}` }).click()
      expect(await rows.first().textContent()).toMatch(/^stuck\.jsonl/)
    }
    const box = await page.locator('.session h2').boundingBox()
    expect(box?.y).toBeLessThan(1000)
    await page.getByRole('button', { name: 'Show 30 more' }).click()
    expect(await rows.count()).toBe(42)
    await page.close()
  })

  it('can be walked through with the keyboard', async () => {
    const { page } = await open()
    await page.keyboard.press('n')
    await expect.poll(() => focused(page)).toContain('no-progress, calls 19–42')
    await page.keyboard.press('n')
    await expect.poll(() => focused(page)).toContain('cycle, calls 63–78')
    await page.keyboard.press('p')
    await expect.poll(() => focused(page)).toContain('calls 19–42')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await expect.poll(() => focused(page)).toMatch(/^2 /)
    await page.keyboard.press('Enter')
    expect(await page.locator('.call[open]').count()).toBe(1)
    await page.keyboard.press('k')
    await expect.poll(() => focused(page)).toMatch(/^1 /)
    await page.keyboard.press('/')
    await page.keyboard.type('njk')
    expect(await page.getByRole('searchbox').inputValue()).toBe('njk')
    await page.close()
  })

  it.each(['light', 'dark'] as const)(
    'has no violation that axe-core knows: %s',
    async (scheme) => {
      const { page } = await open({ colorScheme: scheme, bypassCSP: true })
      await page.evaluate(axe)
      const violations = await page.evaluate(async () => {
        const found = await (globalThis as unknown as { axe: { run(): Promise<Found> } }).axe.run()
        return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
      })
      expect(violations).toEqual([])
      await page.close()
    },
  )

  it('fits 320 pixels', async () => {
    const { page } = await open({ viewport: { width: 320, height: 800 } })
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(width).toBeLessThanOrEqual(320)
    await page.close()
  })

  it('can be printed', async () => {
    const { page } = await open()
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('.filters').isVisible()).toBe(false)
    expect(await page.locator('.loop').first().isVisible()).toBe(true)
    await page.close()
  })
})

interface Found {
  readonly violations: readonly { id: string; nodes: readonly { html: string }[] }[]
}
