/**
 * Loops, and work taken for loops, that users of other agents reported: docs/field-reports.md has a
 * row for each, with the link. Traces are rebuilt from the reports.
 */

import { existsSync } from 'node:fs'
import { type Action, LoopDetector, type LoopDetectorOptions, replay } from 'loophound'
import { describe, expect, it } from 'vitest'
import { inRoot, readPage, tableUnder } from '../docs/pages.js'
import { live, type Step, sh, step, steps } from '../support/agent.js'

/** Hexadecimal digits that look random and are the same in every run. */
function hex(seed: number, length: number): string {
  let [digits, state] = ['', seed + 1]
  while (digits.length < length) {
    state = (Math.imul(state, 0x01000193) ^ (state >>> 13) ^ 0x9e3779b9) >>> 0
    digits += state.toString(16).padStart(8, '0')
  }
  return digits.slice(0, length)
}

/** The first call at which anything was said; `null` where all was left alone. */
function firstAlarm(run: Iterable<Step>, options?: LoopDetectorOptions): number | null {
  const detector = new LoopDetector(options)
  const [first] = live(run, detector)
  detector.free()
  return first?.call ?? null
}

/** The action that each piece of a stream gets. */
function stream(channel: 'text' | 'arguments', chunks: readonly string[]): Action[] {
  const detector = new LoopDetector()
  detector.beginTurn()
  const actions = chunks.map((chunk) => detector.pushText(chunk, channel).action)
  detector.free()
  return actions
}

const FILES = ['src/router.py', 'src/auth.py', 'src/models.py', 'docs/PLAN.md']
const readAll = () =>
  FILES.map((path, i) => step('read_file', { path }, `1\tclass Part${i}:\n2\t    limit = ${i}7`))

describe('a compacted context (hermes-agent#109683, codex#13279, opencode#37871, hermes-agent#53008)', () => {
  /** Reads the same four files again and again, with or without a compaction in between. */
  const alarms = (rounds: number, isCompacted: boolean, between: readonly Step[] = []) => {
    const detector = new LoopDetector()
    let count = 0
    for (let round = 0; round < rounds; round++) {
      if (isCompacted && round > 0) detector.contextCompacted()
      count += live([...readAll(), ...between], detector).length
    }
    detector.free()
    return count
  }

  it('may be read up again, each time', () => {
    expect(alarms(4, true)).toBe(0)
    expect(alarms(4, false)).toBeGreaterThan(0)
  })

  it('is told apart from a loop: what fails goes on failing', () => {
    const detector = new LoopDetector()
    const said: Action[] = []
    for (let round = 0; round < 12; round++) {
      detector.contextCompacted()
      const failing = sh('pip install -e .', 'error: metadata-generation-failed', false)
      said.push(...live([...readAll(), failing], detector).map(({ verdict }) => verdict.action))
    }
    detector.free()
    expect(said).toContain('nudge')
  })

  it('comes with a transcript, too', () => {
    const call = { t: 'call', name: 'read_file', args: { path: 'a' } } as const
    const result = { t: 'result', ok: true, output: 'text' } as const
    const detector = new LoopDetector()
    const compacted = [1, 2, 3, 4].flatMap(() => [call, result, { t: 'compacted' } as const])
    const actions = [...replay(detector, compacted)].map(({ verdict }) => verdict.action)
    detector.free()
    expect(new Set(actions)).toEqual(new Set(['continue']))
  })
})

describe('arguments that degenerate while they stream (hermes-agent#103599, haskell-agent#641)', () => {
  it('are cut off long before the output budget is spent', () => {
    const nuls = [
      '{"command":"ls","workdir":"',
      ...Array.from({ length: 256 }, () => '\0'.repeat(1000)),
    ]
    const escaped = ['{"workdir":"', ...Array.from({ length: 256 }, () => '\\u0000'.repeat(500))]
    const words = ['{"query":"', ...Array.from({ length: 5000 }, () => 'and the same again, ')]
    for (const chunks of [nuls, escaped, words]) {
      const at = stream('arguments', chunks).findIndex((action) => action !== 'continue')
      expect(at).toBeGreaterThan(0)
      expect(at).toBeLessThan(chunks.length / 5)
    }
  })

  it('are left alone where a file is written', () => {
    const lines = Array.from({ length: 2000 }, (_, i) => `  "key${i}": ${hex(i, 6)},\\n`)
    expect(new Set(stream('arguments', lines))).toEqual(new Set(['continue']))
  })
})

describe('228 calls in one response (evener#94)', () => {
  it('are 76 identical rounds of three calls, and a runaway', () => {
    const detector = new LoopDetector()
    const round = ['git status', 'git diff', 'git log -1'].map((command) => ({
      name: 'bash',
      args: { command },
    }))
    const verdict = detector.recordBatch(Array.from({ length: 76 }, () => round).flat())
    detector.free()
    expect([verdict.action, verdict.kind]).toEqual(['nudge', 'no-progress'])
  })

  it('are one decision where there are a few', () => {
    const detector = new LoopDetector()
    const calls = Array.from({ length: 8 }, () => ({
      name: 'ask_model',
      args: { prompt: 'a riddle' },
    }))
    expect(detector.recordBatch(calls).action).toBe('continue')
    detector.free()
  })
})

describe('a sign-in that goes round (openclaw#110337)', () => {
  const round = (i: number) => [
    step(
      'oauth_start',
      { provider: 'google' },
      { url: 'https://accounts.test/auth', state: hex(i, 16) },
    ),
    step('open_browser', { url: 'https://accounts.test/auth' }, 'Page opened: Sign in'),
    step('click', { selector: '#allow' }, 'Clicked.'),
    step(
      'oauth_finish',
      { provider: 'google' },
      `Error: state mismatch, expected ${hex(i + 900, 16)}`,
      false,
    ),
  ]

  it('is seen whatever state the error expects', () => {
    expect(firstAlarm(steps(59, round))).toBeLessThanOrEqual(24)
  })
})

describe('wrappers that change (openclaw 2026.9.6)', () => {
  const error = 'error[E0432]: unresolved import `crate::tax`'

  it.each([
    [
      'chunk ids and wall times of Codex',
      (i: number) =>
        `Chunk ID: ${hex(i, 6)}\nWall time: 0.${i + 11} seconds\nProcess exited with code 101\nOutput:\n${error}`,
    ],
    ['"Attempt N"', (i: number) => `Attempt ${i + 1} failed: ${error}`],
    [
      'the path of a persisted output',
      (i: number) =>
        `<persisted-output>\nOutput too large (${40 + i}.3KB). Full output saved to: /home/dev/.claude/tool-results/b${hex(i, 8)}.txt\n\nPreview (first 2KB):\n${error}\n</persisted-output>`,
    ],
  ])('%s are no progress', (_, output) => {
    expect(firstAlarm(steps(20, (i) => sh('cargo build', output(i), false)))).toBeLessThanOrEqual(5)
  })
})

describe('polls', () => {
  it('of a board that goes through four states are left alone (qwen-code#9450)', () => {
    const states = ['todo', 'doing', 'review', 'done']
    const board = (i: number) => ({ tasks: [{ id: 7, state: states[i % 4] }] })
    for (const name of ['list_tasks', 'get_board']) {
      expect(firstAlarm(steps(40, (i) => step(name, {}, board(i))))).toBeNull()
    }
    const acrossWaits = (i: number) => [
      step('sleep', { seconds: 30 }, 'ok'),
      step('task_list', {}, board(i)),
    ]
    expect(firstAlarm(steps(20, acrossWaits))).toBeNull()
  })

  it('by curl, every five minutes, are left alone where the host gives times (software-agent-sdk#762)', () => {
    const alarms = (seconds: number) => {
      const detector = new LoopDetector()
      const actions = Array.from({ length: 12 }, (_, i) => {
        const at = i * seconds * 1000
        const call = { name: 'bash', args: { command: 'curl -s https://ci.test/runs/88' }, at }
        const before = detector.record(call).action
        const after = detector.recordResult({
          ok: true,
          output: '{"conclusion":null}',
          at: at + 300,
        })
        return [before, after.action]
      })
      detector.free()
      return actions.flat().filter((action) => action !== 'continue').length
    }
    expect(alarms(300)).toBe(0)
    expect(alarms(1)).toBeGreaterThan(0)
  })
})

describe('text', () => {
  it('in base64 is no chant (gajae-code#5627, ollama#17563)', () => {
    const image = Array.from({ length: 400 }, (_, i) =>
      Buffer.from(hex(i, 120), 'hex').toString('base64'),
    )
    const zeros = [image.slice(0, 3).join(''), ...Array.from({ length: 30 }, () => 'A'.repeat(100))]
    for (const chunks of [image, zeros]) {
      expect(new Set(stream('text', chunks))).toEqual(new Set(['continue']))
    }
  })

  it('that only announces, turn after turn, is a summary loop (claude-code#27281, automatos-ai#746, localharness#84)', () => {
    const detector = new LoopDetector()
    const turns = [
      'Let me write the file now.',
      'Now let me write the file.',
      'Let me write the file right now.',
      'I will write the file now. Let me write it.',
      'Let me write the file now.',
    ]
    const kinds = turns.map((turn) => detector.recordText(turn).kind)
    detector.free()
    expect(kinds).toContain('summary')
  })
})

describe('sub-agents (claude-code#72080, claude-code#73601, claude-code#15909)', () => {
  it('that run one install into a timeout again and again are seen', () => {
    const install = (i: number) =>
      sh('npm install', `npm error code ETIMEDOUT\nnpm error network request failed (${i}m)`, false)
    expect(firstAlarm(steps(30, install))).toBeLessThanOrEqual(8)
  })
})

describe('the page', () => {
  const rows = tableUnder(readPage('docs/field-reports.md'), '# Field reports')
  const source = readPage('tests/regressions/field-reports.test.ts').text

  it.each(rows.map((row) => [row.report?.split('](')[0]?.slice(1), row] as const))(
    'names a test for %s, or says why there is none',
    (_, { report = '', 'what loophound does': does, test }) => {
      if (!test) return expect(does).toContain('Not handled')
      const file = /^`(tests\/.+\.test\.ts)`$/.exec(test)?.[1]
      if (file) return expect(existsSync(inRoot(file))).toBe(true)
      expect(source).toContain(`describe('${test}`)
      const names = [...report.matchAll(/\[([^\]]+)\]\(https:\/\/github\.com\//g)]
      expect(names.length).toBeGreaterThan(0)
      for (const [, name] of names) expect(source).toContain(name)
    },
  )
})
