/**
 * Loops of calls that come again, which other detectors did not see. Each test is named after what
 * happened and where it was reported; all run on the default preset, which does what the evidence
 * allows to whoever does not listen.
 */

import { LoopDetector } from 'loophound'
import { describe, expect, it } from 'vitest'
import {
  edit,
  expectFound,
  expectLadder,
  live,
  type Step,
  sh,
  step,
  steps,
} from '../support/agent.js'
import { detector } from '../support/made.js'

describe('cycles', () => {
  it('lookup, search, lookup, search (opencode PR #47845)', () => {
    const run = steps(8, () => [
      step('lookup', { symbol: 'Session' }, 'src/session/index.ts:12'),
      step('search', { query: 'Session' }, '14 matches in 3 files'),
    ])
    expectFound(run, 7, 'cycle')
    expectLadder(run)
  })

  it('a failing edit, again, then a read, over messages with words between (opencode #25254)', () => {
    const failing = step(
      'edit',
      { filePath: 'a.ts', oldString: 'foo()', newString: 'bar()' },
      'oldString not found in content',
      false,
    )
    const host = detector()
    const round = [failing, failing, step('read', { filePath: 'a.ts' }, 'baz()')]
    const said = steps(10, () => round).flatMap((one) => {
      host.pushText('Let me try that again. ')
      return live([one], host)
    })
    expect(said.length).toBeGreaterThan(0)
    expect(said.at(-1)?.verdict.action).toBe('stop')
  })

  it('the failing test again, a peek at another file between (stella PR #1902)', () => {
    const run = steps(20, (i) => [
      sh(
        'cargo test',
        `test loop_detect::identity ... FAILED\ntest result: FAILED. 41 passed; 1 failed; finished in 0.${10 + i}s`,
        false,
      ),
      step(
        'read_file',
        { path: `crates/core/src/part_${i}.rs` },
        `// part ${i}\npub fn part_${i}() {}`,
      ),
    ])
    expectFound(run, 12, ['no-progress', 'cycle'])
    expect(live(run).at(-1)?.verdict.action).toBe('stop')
  })

  // Expected: the test run is refused before the run is stopped, as was announced.
  it('the failing test again: it is refused before the run is stopped (stella PR #1902)', () => {
    expectLadder(
      steps(20, (i) => [
        sh(
          'cargo test',
          'test loop_detect::identity ... FAILED\ntest result: FAILED. 41 passed; 1 failed',
          false,
        ),
        step('read_file', { path: `crates/core/src/part_${i}.rs` }, `// part ${i}`),
      ]),
    )
  })
})

describe('a paging sweep', () => {
  const FILE = 'crates/tui/src/deck_ui.rs'
  const lines = (from: number, count: number) =>
    Array.from(
      { length: count },
      (_, k) => `${from + k}: let field_${from + k} = ${(from + k) * 31};`,
    ).join('\n')
  const page = (offset: number): Step =>
    step(
      'read_file',
      { path: FILE, offset, limit: 40, reason: 'Read the session_scroll field' },
      lines(offset, 40),
    )

  it('read once from beginning to end, it is progress (stella #4034)', () => {
    expect(live(steps(98, (i) => page(1 + i * 40)))).toEqual([])
  })

  it('read again from the beginning, it is not (stella #4034)', () => {
    const sweep = steps(18, (i) => page(1 + i * 40))
    expectFound([...sweep, ...sweep], 25)
  })

  // Expected: 30 calls are within the window, and all of them are known when they come again.
  it.fails('a longer one read again from the beginning (stella #4034)', () => {
    const sweep = steps(30, (i) => page(1 + i * 40))
    expectFound([...sweep, ...sweep], 45)
  })

  // Expected: lines that were all read before are not news, wherever the page begins.
  it.fails('164 reads of one file, the second time from other offsets (stella #4034)', () => {
    const first = steps(85, (i) => page(580 + i * 40))
    const second = steps(79, (i) => page(i === 0 ? 1 : i * 40))
    const said = live([...first, ...second])
    expect(said[0]?.call).toBeGreaterThan(85)
    expect(said[0]?.call).toBeLessThanOrEqual(140)
  })
})

describe('a guard reset by compaction', () => {
  const stuck = step(
    'exec',
    { command: 'docker compose up -d db' },
    'Error: port 5432 is already allocated',
    false,
  )

  it('248 calls over 14 hours, with a compaction every few calls (openclaw #126545)', () => {
    let host = new LoopDetector()
    const actions: string[] = []
    for (let i = 0; i < 248 && actions.at(-1) !== 'stop'; i++) {
      actions.push(...live([stuck], host).map(({ verdict }) => verdict.action))
      // The conversation is compacted, and goes on in another process.
      const saved = JSON.stringify(host.toJSON())
      host.free()
      host = new LoopDetector()
      host.restoreFrom(JSON.parse(saved))
    }
    host.free()
    expect(actions).toEqual(['nudge', 'nudge', 'block', 'stop'])
  })

  it('a snapshot changes nothing: the same verdicts with and without (openclaw #126545)', () => {
    const run = steps(12, (i) => [
      stuck,
      step('read', { path: `notes${i % 2}.md` }, `note ${i % 2}`),
    ])
    const plain = live(run).map(({ call, verdict }) => [call, verdict.action, verdict.message])
    for (const cut of [1, 3, 5, 8]) {
      const before = detector()
      const said = live(run.slice(0, cut), before)
      const after = detector()
      after.restoreFrom(JSON.parse(JSON.stringify(before.toJSON())))
      const rest = live(run.slice(cut), after).map((one) => ({ ...one, call: one.call + cut }))
      expect(
        [...said, ...rest].map(({ call, verdict }) => [call, verdict.action, verdict.message]),
      ).toEqual(plain)
    }
  })
})

describe('no guard at all', () => {
  it('one command, over and over (codex #27759)', () => {
    const run = steps(20, () =>
      sh(
        'rg -n "handleSubmit" src/components',
        'src/components/Form.tsx:41:  const handleSubmit = () => {',
      ),
    )
    expectFound(run, 3, 'no-progress')
    expectLadder(run)
  })

  it('edits that undo one another, with tests between (claude-code #59318)', () => {
    const run = steps(16, (i) => [
      i % 2 === 0
        ? edit('src/cache.ts', 'ttl: 60', 'ttl: 0')
        : edit('src/cache.ts', 'ttl: 0', 'ttl: 60'),
      sh('npm test', i % 2 === 0 ? '1 failed: cache › expires' : '1 failed: cache › keeps', false),
    ])
    expectFound(run, 10, ['oscillation', 'cycle'])
    expectLadder(run)
  })

  it('a diagnostic that is right each time, and run again each time (prime-agent #1326)', () => {
    const run = steps(23, () =>
      sh('npx ajv validate -s schema.json -d data.json', 'data.json valid'),
    )
    expectFound(run, 4, 'no-progress')
    expectLadder(run, 'block')
  })

  it('the identical edit that succeeds again and again (claude-code #59318)', () => {
    const run = steps(10, () =>
      edit('src/index.ts', "import a from 'a'", "import a from 'a'\nimport b from 'b'"),
    )
    expectFound(run, 5, 'no-progress')
    expect(live(run).at(-1)?.verdict.action).toBe('block')
  })

  // Expected: the edit is refused, as was announced.
  it('the identical edit: it is refused (claude-code #59318)', () => {
    expectLadder(
      steps(20, () => edit('src/index.ts', 'a()', 'a()\nb()')),
      'block',
    )
  })
})
