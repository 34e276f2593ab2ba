/**
 * Follows seeds/000_e86adbddeb19d315.txt (preset `nudge`), "Specialized Detection Patterns":
 * test-fix cycle, bash failure cascade and summary loop, in the order of its sentences.
 */

import { LoopDetector } from 'loophound'
import { describe, expect, it } from 'vitest'
import {
  type AgentEvent,
  call,
  distinct,
  repeat,
  result,
  run,
  shell,
  text,
} from '../support/events.js'
import { detections, last, messageOf } from '../support/verdicts.js'

const FILE_TOOLS = ['write_file', 'edit_file', 'read_file']

function nudge(): LoopDetector {
  return new LoopDetector('nudge')
}

function edit(i: number): AgentEvent[] {
  return [call('edit_file', { path: 'src/app.ts', content: `fix ${i}` }), result(true, 'ok')]
}

/** `rounds` of a new edit and a test run that ended as told. */
function editAndTest(rounds: number, command: string, ok: boolean, output?: string): AgentEvent[] {
  return Array.from({ length: rounds }, (_, i) => [
    ...edit(i),
    ...shell(command, ok, output),
  ]).flat()
}

/** A different failing command each time, so that nothing but the failures repeats. */
function failing(...commands: string[]): AgentEvent[] {
  return commands.flatMap((command) => shell(command, false, 'error'))
}

describe('Test-fix cycle: after N consecutive test failures a rethink prompt is injected', () => {
  it('N is 3: not after two, on the third and on each further one', () => {
    const verdicts = run(nudge(), editAndTest(5, 'npm test', false))
    expect(detections(verdicts)).toEqual([11, 15, 19])
    expect(last(verdicts)).toMatchObject({ kind: 'test-fix', action: 'nudge', level: 'warning' })
  })

  it.each([3, 4])('says, to the letter, at %i', (count) => {
    expect(last(run(nudge(), editAndTest(count, 'npm test', false))).message).toBe(
      [
        `[System] You've had ${count} consecutive test failures. Step back and rethink:`,
        '1. Re-read the error messages carefully',
        '2. Consider whether your approach is fundamentally wrong',
        '3. Try a DIFFERENT fix strategy instead of iterating on the same one',
      ].join('\n'),
    )
  })

  it('tells where it began and what it cost', () => {
    expect(last(run(nudge(), editAndTest(3, 'npm test', false)))).toMatchObject({
      status: 'OK',
      count: 3,
      period: 0,
      since: 1,
      wasted: 2,
    })
  })

  it('consecutive: a passing run starts the count anew', () => {
    const events = [
      ...editAndTest(2, 'npm test', false),
      ...editAndTest(1, 'npm test', true, 'Tests: 4 passed, 4 total'),
      ...editAndTest(2, 'npm test', false),
    ]
    expect(detections(run(nudge(), events))).toEqual([])
    expect(
      detections(run(nudge(), [...events, ...editAndTest(1, 'npm test', false)])),
    ).toHaveLength(1)
  })

  it.each<[string, AgentEvent]>([
    ['no flag and no summary', { t: 'result', output: 'Killed' }],
    ['a flag, but no summary', { t: 'result', ok: true, output: 'Running 4 workers' }],
    ['nothing at all', { t: 'result' }],
  ])('a run with no clear outcome neither counts nor resets: %s', (_, unclear) => {
    const events = [
      ...editAndTest(2, 'npm test', false),
      call('bash', { command: 'npm test' }),
      unclear,
    ]
    expect(detections(run(nudge(), events))).toEqual([])
    const verdicts = run(nudge(), [...events, ...editAndTest(1, 'npm test', false)])
    expect(last(verdicts)).toMatchObject({ kind: 'test-fix', count: 3 })
  })

  it('a run that the host calls a success, without output, is a pass', () => {
    const events = [
      ...editAndTest(2, 'npm test', false),
      ...editAndTest(1, 'npm test', true),
      ...editAndTest(2, 'npm test', false),
    ]
    expect(detections(run(nudge(), events))).toEqual([])
  })

  it('counts test runs, not edits, reads or other commands between them', () => {
    const events = [
      ...editAndTest(1, 'pytest tests/a.py', false),
      ...distinct(6),
      ...editAndTest(1, 'cargo test', false),
      ...shell('git diff', true),
      ...editAndTest(1, 'go test ./...', false),
    ]
    const verdicts = run(nudge(), events)
    expect(detections(verdicts)).toEqual([events.length - 1])
    expect(last(verdicts).kind).toBe('test-fix')
  })

  it.each([
    'npm test',
    'npm run test',
    'npx vitest run',
    'npx jest src',
    'yarn test',
    'pnpm test',
    'pytest -q',
    'python -m pytest tests',
    'python -m unittest',
    'cargo test --all',
    'go test ./...',
    'make test',
    'cd app && npm test',
    'CI=1 npm test',
  ])('`%s` is a test run', (command) => {
    const verdicts = run(nudge(), editAndTest(3, command, false))
    expect(last(verdicts)).toMatchObject({ kind: 'test-fix', count: 3 })
  })

  it('a tool of its own may be the test runner', () => {
    const detector = new LoopDetector({ preset: 'nudge', tools: { verify: { class: 'test' } } })
    const round = (i: number) => [...edit(i), call('verify', { i }), result(false)]
    expect(last(run(detector, [0, 1, 2].flatMap(round)))).toMatchObject({
      kind: 'test-fix',
      tool: 'verify',
    })
  })

  it.each([
    ['pytest', 'pytest', '===== 2 failed, 5 passed in 0.12s ====='],
    ['jest', 'npx jest', 'Tests:       1 failed, 3 passed, 4 total'],
    ['vitest', 'npx vitest run', ' Tests  1 failed | 5 passed (6)'],
    ['cargo', 'cargo test', 'test result: FAILED. 3 passed; 1 failed; 0 ignored; 0 measured'],
    ['go', 'go test ./...', '--- FAIL: TestLogin (0.00s)\nFAIL\nexit status 1'],
    ['mocha', 'npx mocha', '  3 passing (12ms)\n  1 failing'],
    ['unittest', 'python -m unittest', 'Ran 4 tests in 0.01s\n\nFAILED (failures=1)'],
  ])('%s: a run with both passes and failures is a failure', (_, command, output) => {
    const verdicts = run(nudge(), editAndTest(3, command, true, output))
    expect(detections(verdicts)).toEqual([11])
    expect(last(verdicts).kind).toBe('test-fix')
  })

  it.each([
    ['pytest', 'pytest', '===== 7 passed in 0.12s ====='],
    ['jest', 'npx jest', 'Tests:       4 passed, 4 total'],
    ['vitest', 'npx vitest run', ' Tests  6 passed (6)'],
    ['cargo', 'cargo test', 'test result: ok. 4 passed; 0 failed; 0 ignored; 0 measured'],
    ['go', 'go test ./...', 'ok  \texample.com/app\t0.005s'],
    ['mocha', 'npx mocha', '  4 passing (12ms)\n  0 failing'],
    ['unittest', 'python -m unittest', 'Ran 4 tests in 0.01s\n\nOK'],
  ])('%s: a run without failures is none', (_, command, output) => {
    expect(detections(run(nudge(), editAndTest(4, command, true, output)))).toEqual([])
  })
})

describe('Bash failure cascade: consecutive bash command failures trigger a warning', () => {
  it('after 3 in a row: not after two, on the third and on each further one', () => {
    const verdicts = run(nudge(), failing('make', 'gcc a.c', 'gcc b.c', 'gcc c.c'))
    expect(detections(verdicts)).toEqual([5, 7])
    expect(last(verdicts)).toMatchObject({
      kind: 'failure-cascade',
      action: 'nudge',
      level: 'warning',
      status: 'OK',
      tool: 'bash',
      count: 4,
      since: 0,
      wasted: 3,
    })
  })

  it('says how many commands have failed', () => {
    expect(messageOf(last(run(nudge(), failing('make', 'gcc a.c', 'gcc b.c'))))).toMatch(/\b3\b/)
  })

  it('a success starts the count anew', () => {
    const events = [
      ...failing('make', 'gcc a.c'),
      ...shell('ls', true),
      ...failing('gcc b.c', 'gcc c.c'),
    ]
    expect(detections(run(nudge(), events))).toEqual([])
    expect(detections(run(nudge(), [...events, ...failing('gcc d.c')]))).toEqual([
      events.length + 1,
    ])
  })

  it('other tools between do not reset it, whether they succeed or fail', () => {
    const between = (ok: boolean, i: number) => [call('fetch', { url: `u${i}` }), result(ok)]
    const events = [
      ...failing('make'),
      ...between(true, 1),
      ...edit(0),
      ...failing('gcc a.c'),
      ...between(false, 2),
      ...failing('gcc b.c'),
    ]
    expect(detections(run(nudge(), events))).toEqual([events.length - 1])
  })

  it('failures of other tools do not count', () => {
    const events = [0, 1, 2, 3].flatMap((i) => [call('fetch', { url: `u${i}` }), result(false)])
    expect(detections(run(nudge(), events))).toEqual([])
  })

  it('a failing test run is a failing command, too', () => {
    const events = [...failing('make', 'gcc a.c'), ...shell('npm test', false)]
    const verdicts = run(nudge(), events)
    expect(detections(verdicts)).toEqual([5])
    expect(last(verdicts)).toMatchObject({ kind: 'failure-cascade', count: 3 })
  })

  it('where both are reached, test-fix speaks', () => {
    const events = ['npm test', 'npx jest', 'pytest'].flatMap((command) => shell(command, false))
    const verdicts = run(nudge(), events)
    expect(detections(verdicts)).toEqual([5])
    expect(last(verdicts)).toMatchObject({ kind: 'test-fix', count: 3 })
  })

  it('a passing test run is a success of the shell', () => {
    const events = [
      ...failing('make', 'gcc a.c'),
      ...shell('npm test', true, 'Tests: 4 passed, 4 total'),
      ...failing('gcc b.c'),
    ]
    expect(detections(run(nudge(), events))).toEqual([])
  })

  it('a command that tells its exit code in the output has failed, too', () => {
    const quiet = (command: string): AgentEvent[] => [
      call('bash', { command }),
      { t: 'result', output: 'boom\nExit code: 2' },
    ]
    const events = ['make', 'gcc a.c', 'gcc b.c'].flatMap(quiet)
    expect(detections(run(nudge(), events))).toEqual([5])
  })
})

describe('If the failing commands are file operations (cat, echo, sed)', () => {
  it.each([
    ['cat', ['cat a.txt', 'cat b.txt', 'cat c.txt']],
    ['echo', ['echo a > a.txt', 'echo b >> b.txt', "echo 'c' > c.txt"]],
    ['sed', ["sed -i 's/a/b/' a.txt", 'sed -n 1,5p b.txt', "sed -i 's/b/c/' c.txt"]],
    ['a mixture', ['cat a.txt', 'echo a > a.txt', "sed -i 's/a/b/' a.txt"]],
  ])('%s: the prompt redirects to write_file, edit_file, read_file', (_, commands) => {
    const message = messageOf(last(run(nudge(), failing(...commands))))
    for (const tool of FILE_TOOLS) expect(message).toContain(tool)
  })

  it.each([
    ['none is one', ['make', 'gcc a.c', 'gcc b.c']],
    ['not all are: the first is not', ['make', 'cat a.txt', 'echo a > a.txt']],
    ['not all are: the last is not', ['cat a.txt', 'echo a > a.txt', 'make']],
  ])('specifically then: %s', (_, commands) => {
    const message = messageOf(last(run(nudge(), failing(...commands))))
    for (const tool of FILE_TOOLS) expect(message).not.toContain(tool)
  })

  it('the last three decide', () => {
    const events = failing('make', 'cat a.txt', 'echo a > a.txt', "sed -i 's/a/b/' a.txt")
    expect(messageOf(last(run(nudge(), events)))).toContain('write_file')
  })
})

describe('Summary loop: consecutive text-only turns indicate the agent is stuck summarizing', () => {
  it('after 2 text-only turns: not after one, on the second and on each further one', () => {
    const events = [text('Here is what I did.'), text('To sum up: …'), text('In short: …')]
    const verdicts = run(nudge(), events)
    expect(detections(verdicts)).toEqual([1, 2])
    expect(verdicts[1]).toMatchObject({
      kind: 'summary',
      action: 'nudge',
      level: 'warning',
      status: 'OK',
      count: 2,
      wasted: 0,
    })
    expect(last(verdicts).count).toBe(3)
  })

  it('consecutive: a turn with a tool call between starts the count anew', () => {
    const events = [text('One.'), call('ls'), text('Two.'), call('pwd'), text('Three.')]
    expect(detections(run(nudge(), events))).toEqual([])
    expect(detections(run(nudge(), [...events, text('Four.')]))).toEqual([5])
  })

  it('so does a person who speaks', () => {
    const events = [text('One.'), { t: 'user' } as const, text('Two.')]
    expect(detections(run(nudge(), events))).toEqual([])
  })

  it('tells it to pick a task and start using tools immediately', () => {
    const message = messageOf(last(run(nudge(), repeat(2, text('Summary.')))))
    expect(message).toMatch(/pick/i)
    expect(message).toMatch(/task/i)
    expect(message).toMatch(/tools?\b/i)
    expect(message).toMatch(/immediately|now/i)
  })
})
