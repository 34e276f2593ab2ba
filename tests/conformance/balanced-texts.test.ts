/** What a model reads from the default preset: what was observed, and what fits what it ran into. */

import { presets } from 'loophound'
import { describe, expect, it } from 'vitest'
import { detector } from '../support/made.js'

const advice = presets.balanced.advice as Readonly<Record<string, string>>

interface Case {
  readonly tool: string
  readonly args: unknown
  readonly output: string
  readonly ok?: boolean
  readonly turns?: number
}

/** The verdicts about a call that is repeated with the same result, oldest first. */
function said({ tool, args, output, ok, turns = 60 }: Case) {
  const host = detector()
  const verdicts = []
  for (let turn = 0; turn < turns; turn++) {
    const id = `${turn}`
    verdicts.push(host.record(tool, args, id))
    verdicts.push(host.recordResult({ id, ...(ok === undefined ? {} : { ok }), output }))
    if (host.verdict.action === 'stop') break
  }
  return verdicts.filter((verdict) => verdict.action !== 'continue')
}

const CASES: Readonly<Record<string, Case>> = {
  'missing-file': {
    tool: 'read_file',
    args: { path: 'src/gone.ts' },
    output: "ENOENT: no such file or directory, open 'src/gone.ts'",
    ok: false,
  },
  'missing-program': {
    tool: 'bash',
    args: { command: 'mvn package' },
    output: 'bash: mvn: command not found',
    ok: false,
  },
  denied: {
    tool: 'bash',
    args: { command: 'cat /etc/shadow' },
    output: 'cat: /etc/shadow: Permission denied',
    ok: false,
  },
  'failing-test': {
    tool: 'bash',
    args: { command: 'npm test' },
    output: 'FAIL src/a.test.ts\n1 failed, 3 passed',
    ok: false,
  },
  'failing-edit': {
    tool: 'edit_file',
    args: { path: 'a.ts', old_string: 'x', new_string: 'y' },
    output: 'old_string did not match any text in the file',
    ok: false,
  },
  failing: {
    tool: 'bash',
    args: { command: 'make' },
    output: "make: *** [Makefile:3: all] Error 2: undefined reference to 'main'",
    ok: false,
  },
  unavailable: {
    tool: 'http_get',
    args: { url: 'https://api.example.com/v1' },
    output: 'HTTP 429 Too Many Requests',
    ok: false,
  },
  polling: {
    tool: 'get_job_status',
    args: { job: 7 },
    output: '{"status":"running"}',
    turns: 80,
  },
  'nothing-found': { tool: 'grep', args: { pattern: 'frobnicate' }, output: 'No matches found' },
  read: { tool: 'read_file', args: { path: 'a.ts' }, output: 'export const a = 1' },
  search: { tool: 'grep', args: { pattern: 'main' }, output: 'src/main.ts:3: function main() {' },
  edit: {
    tool: 'edit_file',
    args: { path: 'a.ts', old_string: 'x', new_string: 'y' },
    output: 'ok',
    ok: true,
  },
  'same-output': {
    tool: 'bash',
    args: { command: 'node report.js' },
    output: 'total: 17 items, 3 groups',
    ok: true,
  },
}

describe('a text', () => {
  it.each(Object.entries(CASES))('about %s gives the advice that fits', (topic, one) => {
    const verdicts = said(one)
    expect(verdicts.length).toBeGreaterThan(0)
    for (const { message } of verdicts) expect(message).toContain(advice[topic])
  })

  it.each(Object.entries(CASES))('about %s is plain, and says only what is done', (_, one) => {
    for (const { message, summary, action } of said(one)) {
      expect(message).not.toMatch(/\[System\]|\b[A-Z]{4,}\b(?<!ENOENT|FAIL|HTTP|JSON)/)
      const [outcome] = message.split('. ')
      expect(outcome === 'This call was not run').toBe(action === 'block')
      expect(outcome === 'The run was stopped').toBe(action === 'stop')
      expect(summary).toMatch(/^[^\n]+\.$/)
      expect(summary.endsWith('The call was refused.')).toBe(action === 'block')
      expect(summary.endsWith('The run was stopped.')).toBe(action === 'stop')
      if (action === 'nudge') expect(message).not.toMatch(/refuse|reject|will be|or else/i)
    }
  })

  it('about polls and busy services never refuses anything', () => {
    for (const topic of ['polling', 'unavailable']) {
      const actions = said(CASES[topic] as Case).map(({ action }) => action)
      expect(new Set(actions)).toEqual(new Set(['nudge']))
    }
  })

  it('about a failure is worded apart from one about a success', () => {
    expect(said(CASES.failing as Case)[0]?.summary).toMatch(/^bash failed the same way \d+ times/)
    expect(said(CASES.read as Case)[0]?.summary).toMatch(
      /^read_file returned the same result \d+ times/,
    )
  })

  it('has its advice replaced alone', () => {
    const host = detector({ advice: { read: '- Look into your notes.' } })
    const messages = []
    for (let turn = 0; turn < 3; turn++) {
      messages.push(host.record('read_file', { path: 'a.ts' }, `${turn}`).message)
      host.recordResult({ id: `${turn}`, output: 'text' })
    }
    expect(messages.at(-1)).toContain('- Look into your notes.')
    expect(() => detector({ advice: { nonsense: 'x' } as never })).toThrow(
      'options.advice.nonsense is not a topic of advice',
    )
  })
})
