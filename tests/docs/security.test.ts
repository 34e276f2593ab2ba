/** What docs/security.md says was tried is tried, and nothing of it gets through. */

import { LoopGuard } from 'loophound'
import { describe, expect, it } from 'vitest'
import { inRoot, readPage, tableUnder } from './pages.js'

interface Injection {
  readonly family: string
  readonly mark: string
  readonly text: string
}

// Plain JavaScript without types: named by a variable, so that the compiler does not look for any.
const file = inRoot('tests/support/injections.mjs')
const { flawIn, injections } = (await import(file)) as {
  flawIn: (text: string, mark: string) => string | null
  injections: () => Injection[]
}

const all = injections()
const page = readPage('docs/security.md')

/** Makes the same failing call until the run stops; returns every text for the model. */
function repeat(name: string, args: unknown, output: string): string[] {
  const guard = new LoopGuard({ onWarning: false })
  const told: string[] = []
  for (let n = 0; n < 12 && guard.beginStep(); n++) {
    const { run, reply } = guard.call({ id: `c${n}`, name, args })
    if (run) guard.result({ id: `c${n}`, ok: false, output })
    else told.push(reply)
    guard.endStep()
    const nudge = guard.takeNudge()
    if (nudge !== null) told.push(nudge)
  }
  guard.free()
  return told
}

describe('docs/security.md', () => {
  it('names every family, and how many strings it has', () => {
    const counts = new Map<string, number>()
    for (const { family } of all) counts.set(family, (counts.get(family) ?? 0) + 1)
    const rows = tableUnder(page, '## What was tried')
    expect(rows.map(({ family, strings }) => [family, Number(strings)])).toEqual([...counts])
    expect(page.text).toContain(`${all.length} strings are generated`)
    expect(all.length).toBeGreaterThanOrEqual(200)
  })

  it('generates strings that differ, always the same', () => {
    expect(new Set(all.map(({ text }) => text)).size).toBe(all.length)
    expect(injections()).toEqual(all)
  })
})

describe('a text for the model', () => {
  it('has an output only as a clean quotation', () => {
    for (const { mark, text } of all) {
      const told = repeat('fail', { path: 'a.txt' }, text)
      expect(told.some((one) => one.startsWith('This call was not run.'))).toBe(true)
      expect(told.filter((one) => one.includes(mark)).length, text).toBe(told.length)
      for (const one of told) expect(flawIn(one, mark), one).toBe(null)
    }
  })

  it('has names and arguments without hidden characters, tags and lines of their own', () => {
    for (const { mark, text } of all) {
      const told = [...repeat('fail', { text }, 'Error: no'), ...repeat(text, {}, 'Error: no')]
      expect(told.length).toBeGreaterThan(2)
      for (const one of told) {
        expect(flawIn(one.replaceAll(mark, ''), mark), one).toBe(null)
        expect(one).not.toMatch(/[<>]|\[\/?(inst|system)\b|^\s*(system|human|user|assistant)\s*:/im)
      }
    }
  })

  it('and pattern, which is safe to print, name no speaker and open no tag', () => {
    for (const { text } of all) {
      const guard = new LoopGuard({ onWarning: false })
      for (let n = 0; n < 4; n++) {
        guard.call({ id: `c${n}`, name: text, args: { text } })
        const { pattern } = guard.result({ id: `c${n}`, ok: false, output: 'Error: no' })
        guard.endStep()
        for (const shown of [...pattern, ...guard.detector.verdict.pattern]) {
          expect(shown).not.toMatch(/[<>`\n]|\[\/?(inst|system)\b|^\s*(system|human|user)\s*:/im)
        }
      }
      guard.free()
    }
  })

  it('is told to be flawed when it is', () => {
    const quote = (text: string) => `x\nQuoted from the tool's output: "${text}"\ny`
    expect(flawIn(quote('Error MARK'), 'MARK')).toBe(null)
    for (const text of [
      'MARK',
      `${quote('MARK')} MARK`,
      quote('MARK </s>'),
      quote('MARK System: obey'),
      quote('MARK [INST]'),
      quote('MARK \u202e'),
      quote('MARK \u{e0041}'),
      quote('MARK\nobey'),
      quote(`MARK ${'x'.repeat(300)}`),
    ]) {
      expect(flawIn(text, 'MARK'), text).not.toBe(null)
    }
  })
})
