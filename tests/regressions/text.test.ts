/**
 * Loops in text, and text that is none: what users of other detectors reported. These tests switch
 * themselves on where the default preset looks for chanting.
 */

import { presets } from 'loophound'
import { describe, expect, it } from 'vitest'
import { detector } from '../support/made.js'

const chantExists = typeof presets.balanced.detectors?.chant === 'object'

/** Streams a text in pieces, as models send it; the characters sent until something was said. */
function saidAfter(text: string, channel: 'text' | 'reasoning' = 'text', size = 7): number | null {
  const host = detector()
  for (let at = 0; at < text.length; at += size) {
    const verdict = host.pushText(text.slice(at, at + size), channel)
    if (verdict.action === 'continue') continue
    expect(verdict.kind).toBe('chant')
    return at + size
  }
  return null
}

/** It is found, at the latest when so many passes have been sent. */
function expectChant(
  opening: string,
  unit: string,
  within: number,
  channel?: 'text' | 'reasoning',
) {
  const after = saidAfter(opening + unit.repeat(within * 4), channel)
  expect(after, 'characters until it was found').not.toBeNull()
  expect(after as number).toBeLessThanOrEqual(opening.length + unit.length * within + 7)
  expect(after as number, 'not before anything was repeated').toBeGreaterThan(
    opening.length + unit.length,
  )
}

describe.runIf(chantExists)('loops in text', () => {
  const opening = 'The user wants me to think about this word, so I begin. '

  it('a word that is thought of a hundred times (opencode #12716)', () => {
    expectChant(opening, 'strawberry ', 30, 'reasoning')
  })

  it('the same in what is said (opencode #12716)', () => {
    expectChant(opening, 'I will say it once more: strawberry. ', 12)
  })

  it('two thoughts that take turns, 1,803 times (opencode #12716)', () => {
    const turns =
      'Actually, I realize I should just start working. Let me create a todo list and start executing.\nActually, I think I should just begin. Let me create the todo list now.\n'
    expectChant('', turns, 8, 'reasoning')
  })

  it('a thinking stream that degenerates (prime-agent #1029)', () => {
    expectChant(
      'First I look at the schema. It has three tables. ',
      'Wait, let me re-check the schema. ',
      14,
      'reasoning',
    )
  })

  it('one token, again and again (opencode #12716)', () => {
    expectChant('So the answer is ', '0', 600)
  })

  it('a paragraph that comes again in full (codex #17534)', () => {
    const paragraph =
      'I need to apply the patch to the file, but the context lines do not match. I will read the file again to get the exact lines, and then apply the patch with these. That should resolve the mismatch.\n\n'
    expectChant('Let me look at the patch.\n\n', paragraph, 6)
  })

  it('a line of a few words (opencrabs #1351)', () => {
    expectChant('', 'Generating the response now.\nDone.\n', 12)
  })

  it('the next message that does it again is told harder (opencode #12716)', () => {
    const host = detector()
    const actions: string[] = []
    for (let turn = 0; turn < 3; turn++) {
      host.beginTurn()
      for (let i = 0; i < 60; i++)
        actions.push(host.pushText('Let me try that again, step by step. ').action)
      host.recordText('Let me try that again.')
    }
    const said = actions.filter((action) => action !== 'continue')
    expect(said[0]).toBe('nudge')
    expect(said.at(-1)).toBe('stop')
  })
})

describe.runIf(chantExists)('text that is no loop', () => {
  const lines = (count: number, line: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => line(i)).join('\n')

  it('a table of 80 rows (gemini-cli PR #5820)', () => {
    const table = `| file | status | tests |\n|---|---|---|\n${lines(80, (i) => `| src/module${i}.ts | migrated | passing |`)}\n`
    expect(saidAfter(table)).toBeNull()
  })

  it('a list whose items begin alike (gemini-cli PR #6893)', () => {
    const list = lines(
      60,
      (i) => `- Updated the import path in packages/core/src/services/service${i}.ts`,
    )
    expect(saidAfter(list)).toBeNull()
  })

  it('a numbered list with a long shared prefix (gemini-cli PR #18975)', () => {
    const list = lines(
      60,
      (i) =>
        `${i + 1}. The endpoint /api/v1/resources/${i * 17} returns the resource with its links.`,
    )
    expect(saidAfter(list)).toBeNull()
  })

  it('code with one line for each case (gemini-cli PR #5820)', () => {
    const code = `\`\`\`ts\n${lines(80, (i) => `  case ${i}: return render(${i}, options)`)}\n\`\`\`\n`
    expect(saidAfter(code)).toBeNull()
  })

  it('a fence that is cut in two by the stream (gemini-cli PR #18975)', () => {
    const code = `Here it is:\n\`\`\`text\n${'0000 0000 0000 0000\n'.repeat(60)}\`\`\`\n`
    for (const size of [1, 2, 3, 5]) expect(saidAfter(code, 'text', size)).toBeNull()
  })

  it('rulers between sections (gemini-cli PR #6893)', () => {
    const text = lines(
      12,
      (i) => `Section ${i} is about the module with the number ${i * i}.\n\n${'-'.repeat(60)}\n`,
    )
    expect(saidAfter(text)).toBeNull()
  })
})
