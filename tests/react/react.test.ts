/** `loophound/react`, with React 18 and 19: rendered on a server, and in strict mode in Chromium. */

import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { type BuildOptions, build } from 'esbuild'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { installPinned } from '../../scripts/setup/packages.mjs'
import { temporaryFolder } from '../cli/run.js'
import { inRoot, readPage } from '../docs/pages.js'
import { locateBrowser } from '../runtimes/browser.mjs'

const call = { t: 'call', name: 'read', args: { path: 'a.txt' } }
const result = { t: 'result', ok: false, output: 'not found' }
const events = Array.from({ length: 60 }, () => [call, result]).flat()

/** What the tests on a server use, bundled with one version of React. */
const SERVER = `
  export { scan } from 'loophound'
  export { LoopTimeline, useLoopGuard } from 'loophound/react'
  export { createElement, version } from 'react'
  export { renderToString } from 'react-dom/server'
`
type Server = Pick<typeof import('loophound'), 'scan'> &
  Pick<typeof import('loophound/react'), 'LoopTimeline' | 'useLoopGuard'> &
  Pick<typeof import('react'), 'createElement' | 'version'> &
  Pick<typeof import('react-dom/server'), 'renderToString'>

const react18 = inRoot('.tools/react-18')
const VERSIONS = [
  { major: '18', modules: `${react18}/node_modules` },
  { major: '19', modules: inRoot('node_modules') },
]

beforeAll(
  () =>
    installPinned([
      {
        name: 'React 18',
        why: 'to test loophound/react with it',
        about: '5 s',
        from: inRoot('tests/react/react-18'),
        to: react18,
      },
    ]),
  120_000,
)

/** Bundles the built package with the React of a folder of packages. */
const bundle = (modules: string, options: BuildOptions) =>
  build({
    bundle: true,
    jsx: 'automatic',
    jsxImportSource: 'react',
    define: { 'process.env.NODE_ENV': '"development"' },
    alias: {
      loophound: inRoot('pkg/dist/index.js'),
      'loophound/react': inRoot('pkg/dist/react.js'),
      react: `${modules}/react`,
      'react-dom': `${modules}/react-dom`,
    },
    tsconfigRaw: {},
    ...options,
  })

describe.each(VERSIONS)('React $major', ({ major, modules }) => {
  const folder = temporaryFolder()

  describe('on a server', () => {
    let server: Server
    beforeAll(async () => {
      const file = path.join(folder, 'server.cjs')
      await bundle(modules, {
        stdin: { contents: SERVER, resolveDir: inRoot('tests/react') },
        platform: 'node',
        outfile: file,
      })
      server = (await import(pathToFileURL(file).href)).default
    })

    it('it is the React that is meant', () => {
      expect(server.version.split('.')[0]).toBe(major)
    })

    it('a timeline is rendered', () => {
      const { createElement, LoopTimeline, renderToString } = server
      const report = server.scan(events, { timeline: true })
      const html = renderToString(createElement(LoopTimeline, { report, className: 'mine' }))
      expect(html).toContain('class="mine"')
      expect(html).toContain('aria-label="Timeline of main: 60 calls, 1 loop"')
      expect(html.match(/<g>/g)?.length).toBe(60)
      // Two rows, and a bracket in each.
      expect(html.match(/<title>no-progress<\/title>/g)?.length).toBe(2)
      expect(html).toContain('--loophound-stop')
      expect(html).not.toContain('role="button"')
    })

    it('a timeline has rows of any length, and a legend', () => {
      const { createElement, LoopTimeline, renderToString } = server
      const report = server.scan(events, { timeline: true })
      const rowsOf = (perRow: number) => {
        const html = renderToString(createElement(LoopTimeline, { report, perRow }))
        return html.match(/<title>no-progress<\/title>/g)?.length
      }
      expect(rowsOf(20)).toBe(3)
      expect(rowsOf(0)).toBe(2)
      const html = renderToString(createElement(LoopTimeline, { report }))
      for (const mark of ['loop', 'nudge', 'stop']) expect(html).toContain(`</svg> ${mark}</li>`)
    })

    it('a report without calls is empty, and text in it stays text', () => {
      const { createElement, LoopTimeline, renderToString, scan } = server
      const report = scan([{ t: 'text', text: 'hello' }], { timeline: true })
      expect(renderToString(createElement(LoopTimeline, { report }))).not.toContain('<figure')
      const hostile = scan([{ ...call, name: '<script>' }], { timeline: true })
      expect(renderToString(createElement(LoopTimeline, { report: hostile }))).not.toContain(
        '<script>',
      )
    })

    it('the hook gives a guard', () => {
      const { createElement, renderToString, useLoopGuard } = server
      const Component = () => {
        const { guard, verdict, verdicts, outcome } = useLoopGuard({ id: 'mine' })
        return `${guard.id} ${verdict} ${verdicts.length} ${outcome.state}`
      }
      expect(renderToString(createElement(Component))).toBe('mine null 0 running')
    })

    it('mistakes in the options are told', () => {
      const { createElement, renderToString, useLoopGuard } = server
      const Component = () => {
        useLoopGuard({ detector: { threshold: 0 } })
        return null
      }
      expect(() => renderToString(createElement(Component))).toThrow('options.threshold')
    })
  })

  describe('in a browser', () => {
    let browser: Browser
    let page: Page
    const problems: string[] = []
    const counter = () => page.locator('#counter output').textContent()

    beforeAll(async () => {
      await bundle(modules, {
        entryPoints: [inRoot('tests/react/page.tsx')],
        outfile: path.join(folder, 'page.js'),
      })
      const file = path.join(folder, 'page.html')
      writeFileSync(
        file,
        '<!doctype html><meta charset="utf-8"><div id="root"></div><script src="page.js"></script>',
      )
      browser = await chromium.launch({
        executablePath: await locateBrowser(),
        args: ['--no-sandbox', '--disable-gpu'],
      })
      page = await browser.newPage()
      page.on('console', (message) => {
        if (message.type() !== 'info') problems.push(message.text())
      })
      page.on('pageerror', (error) => problems.push(String(error)))
      await page.goto(pathToFileURL(file).href)
      await page.locator('#counter').waitFor()
    }, 120_000)
    afterAll(() => browser?.close())

    it('the example runs: the component renders again with the verdict', async () => {
      const status = page.locator('p[role=status]')
      expect(await status.textContent()).toBe('No loop so far.')
      await page.getByRole('button', { name: 'Run' }).click()
      await expect
        .poll(() => status.textContent(), { timeout: 20_000 })
        .toContain('The run was stopped.')
      expect(await page.title()).toContain('The run was stopped.')
      await page.locator('section svg[role=img]').waitFor()
      await page.getByRole('button', { name: 'Start again' }).click()
      await expect.poll(() => status.textContent()).toBe('No loop so far.')
    })

    it('the guard stays the same, and the callback is the latest', async () => {
      const press = (name: string) => page.locator('#counter').getByRole('button', { name }).click()
      for (let count = 0; count < 2; count++) await press('Call')
      expect(await counter()).toBe('0 verdicts, heard in nothing, same guard')
      await press('Render')
      await press('Call')
      await expect.poll(counter).toBe('1 verdicts, heard in render 1, same guard')
    })

    it('calls can be chosen by mouse and by keyboard', async () => {
      const chosen = () => page.locator('#chosen').textContent()
      const cells = page.locator('.choosable [role=button]')
      await cells.nth(2).click()
      await expect.poll(chosen).toBe('read 3')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Shift+Tab')
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('Enter')
      await expect.poll(chosen).toBe('read 4')
      await page.keyboard.press('End')
      await page.keyboard.press('Enter')
      await expect.poll(chosen).toBe('read 8')
    })

    it('guards are released with their components, and only then', async () => {
      const count = async () => {
        await page.getByRole('button', { name: 'Count' }).click()
        return page.locator('#chosen').textContent()
      }
      // One of them at the restart above.
      expect(await count()).toBe('1 released')
      await page.getByRole('button', { name: 'Toggle' }).click()
      await expect.poll(count).toBe('3 released')
      expect(problems).toEqual([])
    })
  })
})

it('the list of entries has the versions that are tested', async () => {
  // Plain JavaScript without types: named by a variable, so that the compiler does not look for any.
  const list = inRoot('scripts/build/adapters.mjs')
  const { PARTS } = (await import(list)) as {
    PARTS: readonly { readonly name: string; readonly peers: Record<string, string> }[]
  }
  const tested = VERSIONS.map(({ major }) => `^${major}.0.0`)
  expect(PARTS.find(({ name }) => name === 'react')?.peers.react).toBe(tested.join(' || '))
})

it('is marked as code for the client, for frameworks that tell the two apart', () => {
  for (const file of ['react.js', 'react.cjs']) {
    expect(readFileSync(inRoot(`pkg/dist/${file}`), 'utf8')).toMatch(/^["']use client["']/)
  }
})

it('docs/react.md quotes the example whole', () => {
  const quotes = readPage('docs/react.md').blocks.filter(({ language }) => language === 'tsx')
  const example = readFileSync(inRoot('examples/react/agent-panel.tsx'), 'utf8')
  expect(quotes.map(({ code }) => `${code}\n`)).toEqual([example])
})
