/** Nothing that comes from outside reaches the terminal as a command to it. */

import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { printable } from '../../js/cli/terminal.js'
import fc from '../support/property.js'
import { call, loophound, type Outcome, temporaryFolder } from './run.js'

const folder = temporaryFolder()

/** A title, a colour by one character, a change of direction; separators, tags, a lone surrogate. */
const ATTACK = '\u001b]0;x\u0007 \u009b31m \u202e \u2066 \u2028 \u200b \u007f \u{e0041} \ud800'

/** All that a terminal may obey, but for the ends of our own lines. */
const UNSAFE =
  /(?!\n)[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/u

function expectSafe({ stdout, stderr }: Outcome): void {
  expect(UNSAFE.exec(stdout)).toBeNull()
  expect(UNSAFE.exec(stderr)).toBeNull()
}

const write = (name: string, content: string) => {
  const file = path.join(folder, name)
  writeFileSync(file, content)
  return file
}

/** Eight identical failing calls, with the attack in whatever a transcript can say. */
const events = Array.from({ length: 8 }, (_, n) => [
  { t: 'call', id: `c${n}`, name: `run${ATTACK}`, args: { command: `make ${ATTACK}` } },
  { t: 'result', id: `c${n}`, ok: false, output: `error: ${ATTACK} is missing` },
]).flat()

describe('what is printed', () => {
  const transcript = write('transcript.json', JSON.stringify(events))

  it('of a transcript is safe', async () => {
    const outcome = await loophound(['scan', transcript])
    expect([outcome.code, outcome.stderr]).toEqual([1, ''])
    expect(outcome.stdout).toContain('31m')
    expectSafe(outcome)
  })

  it('of a transcript as JSON is safe, and means the same', async () => {
    const outcome = await loophound(['scan', transcript, '--json'])
    expectSafe(outcome)
    const { sessions } = JSON.parse(outcome.stdout)
    expect(JSON.stringify(sessions[0].loops[0])).toContain('31m')
  })

  // An argument cannot have a lone surrogate, nor can a name of a file.
  const text = ATTACK.replace('\ud800', '')
  const broken = write('broken.json', `{"preset": ${ATTACK}`)
  const unknown = write('unknown.json', JSON.stringify({ [ATTACK]: 1, preset: ATTACK }))
  const named = write(`named ${text}.json`, JSON.stringify(events))
  const brokenName = write(`broken ${text}.json`, ATTACK)

  it.each([
    ['a command', [`a\nb ${text}`], 1],
    ['an option', ['scan', `--${text}`, transcript], 2],
    ['a preset', ['scan', '--preset', text, transcript], 2],
    ['a format', ['scan', '--format', text, transcript], 2],
    ['a missing file', ['scan', `a\nb ${text}`], 2],
    ['a file name', ['scan', named], 1],
    ['a broken transcript', ['scan', brokenName], 2],
    ['a broken options file', ['scan', '--options', broken, transcript], 2],
    ['options that there are not', ['scan', '--options', unknown, transcript], 2],
    ["the hook's options", ['hook', '--options', broken], 1],
    ['an argument of the hook', ['hook', `a\nb ${text}`], 1],
  ])('of %s is safe', async (_, args, code) => {
    const outcome = await loophound(args)
    expect(outcome.code).toBe(code)
    expect(outcome.stdout + outcome.stderr).not.toBe('')
    expect(outcome.stderr, 'a foreign end of a line').not.toMatch(/^b /m)
    expectSafe(outcome)
  })

  it.each([
    ['input that is not JSON', ATTACK, []],
    ['a state folder', JSON.stringify(call('s', 'call_1')), ['--state-dir', `${brokenName}/x`]],
  ])('by the hook about %s is safe', async (_, input, args) => {
    const outcome = await loophound(['hook', ...args], input, { env: { HOME: folder } })
    expect([outcome.code, outcome.stdout]).toEqual([0, '{}\n'])
    expect(outcome.stderr).toContain('\\u001b]0;x\\u0007')
    expectSafe(outcome)
  })

  it('by the hook about calls is safe, and means the same', async () => {
    const state = path.join(folder, 'state')
    mkdirSync(state, { mode: 0o700 })
    const outcomes: Outcome[] = []
    for (const observe of [[], ['--observe']]) {
      for (let n = 0; n < 8; n++) {
        const event = { ...call(`s${observe.length}`, `call_${n}`), tool_name: `run${ATTACK}` }
        const failed = { ...event, hook_event_name: 'PostToolUseFailure', error: ATTACK }
        for (const input of [event, failed]) {
          const args = ['hook', '--state-dir', state, '--preset', 'nudge', ...observe]
          outcomes.push(await loophound(args, JSON.stringify(input)))
        }
      }
    }
    for (const outcome of outcomes) expectSafe(outcome)
    const said = outcomes.map(({ stdout, stderr }) => stdout + stderr).join('')
    expect(said).toContain('additionalContext')
    expect(said).toContain('observed nudge')
    expect(said).toContain('31m')
  })
})

describe('printable', () => {
  it('leaves text as it is that no terminal obeys', () => {
    for (const text of ['a "b" \\ c', 'Grüße, 世界', 'שלום', '⚠️ 👩‍💻', 'می‌خواهم']) {
      expect(printable(text)).toBe(text)
    }
  })

  it('makes any text safe, and any JSON stays what it was', () => {
    fc.assert(
      fc.property(
        fc.json({ stringUnit: 'binary' }),
        fc.string({ unit: 'binary' }),
        (json, text) => {
          expect(UNSAFE.test(printable(text))).toBe(false)
          expect(printable(text)).not.toContain('\n')
          expect(JSON.parse(printable(json))).toEqual(JSON.parse(json))
        },
      ),
    )
  })
})
