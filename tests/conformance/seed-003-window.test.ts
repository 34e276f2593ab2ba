/**
 * Follows seeds/003_9214a6b4409605d8.txt (preset `window`), in the order of its sentences.
 */

import { LoopDetector, presets, type ToolCall } from 'loophound'
import { describe, expect, it } from 'vitest'
import { type AgentEvent, call, distinct, repeat, result, run, shell } from '../support/events.js'
import { actions, detections, last } from '../support/verdicts.js'

const SEARCH = call('search', { query: 'auth', depth: 2 })
const OTHER = call('search', { query: 'login', depth: 2 })

function window(): LoopDetector {
  return new LoopDetector('window')
}

/** Whether a fresh detector is stuck after these events. */
function stuckAfter(...events: AgentEvent[]): boolean {
  const detector = window()
  run(detector, events)
  return detector.isStuck()
}

/** Whether the two argument values are the same call. */
function same(one: unknown, two: unknown): boolean {
  return stuckAfter(call('tool', one), call('tool', two), call('tool', one))
}

describe('class ToolLoopDetector', () => {
  it('__init__: not stuck at the start', () => {
    const detector = window()
    expect(detector.isStuck()).toBe(false)
    expect(detector.verdict.action).toBe('continue')
  })

  it('record, is_stuck', () => {
    const detector = window()
    const seen = repeat(3, SEARCH).map((event) => {
      run(detector, [event])
      return detector.isStuck()
    })
    expect(seen).toEqual([false, false, true])
  })

  it('is_stuck changes nothing: asking twice gives the same answer', () => {
    const detector = window()
    run(detector, repeat(2, SEARCH))
    detector.isStuck()
    expect(detector.isStuck()).toBe(false)
    run(detector, [SEARCH])
    detector.isStuck()
    expect(detector.isStuck()).toBe(true)
  })

  it('reset: the history is forgotten, the options are not', () => {
    const detector = new LoopDetector({ preset: 'window', threshold: 4, window: 6 })
    run(detector, repeat(4, SEARCH))
    expect(detector.isStuck()).toBe(true)
    detector.reset()
    expect(detector.isStuck()).toBe(false)
    expect(detections(run(detector, repeat(4, SEARCH)))).toEqual([3])
  })
})

describe('repeat_threshold=3: same call 3+ times triggers stuck detection', () => {
  it('3 by default', () => {
    expect(presets.window.threshold).toBe(3)
  })

  it('twice is not, three times is, four times still is', () => {
    expect(actions(run(window(), repeat(4, SEARCH)))).toEqual([
      'continue',
      'continue',
      'stop',
      'stop',
    ])
  })

  it('stop, with all there is to know about it', () => {
    expect(last(run(window(), [OTHER, SEARCH, OTHER, SEARCH, SEARCH]))).toMatchObject({
      action: 'stop',
      level: 'critical',
      kind: 'windowed-repeat',
      status: 'LOOP_DETECTED',
      tool: 'search',
      count: 3,
      period: 1,
      since: 1,
      pattern: ['search({"query":"auth","depth":2})'],
      message: expect.stringContaining('search'),
    })
  })

  it('not only in a row: other calls may lie between', () => {
    expect(stuckAfter(SEARCH, OTHER, SEARCH, ...distinct(3), SEARCH)).toBe(true)
    expect(stuckAfter(SEARCH, OTHER, SEARCH, OTHER)).toBe(false)
  })

  it('can be set', () => {
    const detector = new LoopDetector({ preset: 'window', threshold: 5 })
    expect(detections(run(detector, repeat(5, SEARCH)))).toEqual([4])
  })
})

describe('history_size=20: sliding window of last 20 tool calls', () => {
  it('20 by default', () => {
    expect(presets.window.window).toBe(20)
  })

  it('the first of three is still in it when the third is the 20th call', () => {
    expect(stuckAfter(SEARCH, SEARCH, ...distinct(17), SEARCH)).toBe(true)
  })

  it('and no longer when the third is the 21st', () => {
    expect(stuckAfter(SEARCH, SEARCH, ...distinct(18), SEARCH)).toBe(false)
  })

  it('stuck as long as the window holds all three, also when other calls follow', () => {
    const detector = window()
    const verdicts = run(detector, [...repeat(3, SEARCH), ...distinct(17)])
    expect(detections(verdicts)).toEqual(Array.from({ length: 18 }, (_, i) => i + 2))
    expect(last(verdicts)).toMatchObject({ tool: 'search', count: 3, kind: 'windowed-repeat' })
    expect(detector.isStuck()).toBe(true)
  })

  it('and no longer: the next call pushes the first of them out', () => {
    const detector = window()
    const verdicts = run(detector, [...repeat(3, SEARCH), ...distinct(18)])
    expect(last(verdicts).action).toBe('continue')
    expect(detector.isStuck()).toBe(false)
  })

  it('can be set', () => {
    const detector = new LoopDetector({ preset: 'window', window: 5 })
    expect(detections(run(detector, [SEARCH, SEARCH, ...distinct(3), SEARCH]))).toEqual([])
    const wider = new LoopDetector({ preset: 'window', window: 6 })
    expect(detections(run(wider, [SEARCH, SEARCH, ...distinct(3), SEARCH]))).toEqual([5])
  })

  it('long healthy runs stay healthy', () => {
    expect(detections(run(window(), distinct(500)))).toEqual([])
  })
})

describe('Usage pattern', () => {
  /** The seed's loop: record before executing, ask after the turn. Returns the turns taken. */
  function agentLoop(turns: readonly ToolCall[][], execute: () => void): number {
    const detector = window()
    let taken = 0
    for (const calls of turns) {
      if (calls.length === 0) break
      taken += 1
      for (const call of calls) {
        detector.record(call)
        execute()
      }
      if (detector.isStuck()) break
    }
    return taken
  }

  it('breaks at the end of the turn that repeats the call for the third time', () => {
    expect(agentLoop(repeat(10, [SEARCH]), () => {})).toBe(3)
    expect(agentLoop(repeat(10, [SEARCH, OTHER]), () => {})).toBe(3)
  })

  it('also when other calls come after it in that turn', () => {
    const turns = [[SEARCH], [SEARCH], [SEARCH, ...distinct(4)], [OTHER]]
    expect(agentLoop(turns, () => {})).toBe(3)
  })

  it('ends when there are no more tool calls', () => {
    expect(agentLoop([[SEARCH], [SEARCH], [], [SEARCH]], () => {})).toBe(2)
  })

  it('all three agent loops use it: each detector has a history of its own', () => {
    const [one, two, three] = [window(), window(), window()]
    for (const detector of [one, two, three]) run(detector, [SEARCH])
    expect([one, two, three].map((detector) => detector.isStuck())).toEqual([false, false, false])
  })

  it('record() is called before execution: the third call is judged without its result', () => {
    expect(last(run(window(), repeat(3, SEARCH))).action).toBe('stop')
  })

  it('the detector tracks intent, not outcomes: different results do not matter', () => {
    const events = [1, 2, 3].flatMap((i) => [SEARCH, result(true, `page ${i}`)])
    const detector = window()
    expect(detections(run(detector, events.slice(0, 5)))).toEqual([4])
    run(detector, events.slice(5))
    expect(detector.isStuck()).toBe(true)
  })

  it('intent, not outcomes: the same failing result of different calls does not matter', () => {
    const events = distinct(10).flatMap((event) => [event, result(false, 'error')])
    expect(detections(run(window(), events))).toEqual([])
    const commands = ['make', 'npm test', 'gcc a.c', 'npm run test', 'gcc b.c', 'npx jest']
    const failures = commands.flatMap((command) => shell(command, false, 'error'))
    expect(detections(run(window(), failures))).toEqual([])
  })
})

describe('How hashing works: tool name and json.dumps(tool_args, sort_keys, default=str)', () => {
  it('{"a": 1, "b": 2} and {"b": 2, "a": 1} hash identically', () => {
    expect(same({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe(true)
    expect(same('{"a": 1, "b": 2}', '{"b": 2, "a": 1}')).toBe(true)
    expect(same({ a: 1, b: 2 }, '{"b":2,"a":1}')).toBe(true)
  })

  it('keys are sorted at every level', () => {
    expect(same({ x: [{ a: 1, b: { c: 2, d: 3 } }] }, { x: [{ b: { d: 3, c: 2 }, a: 1 }] })).toBe(
      true,
    )
  })

  it('lists are not sorted', () => {
    expect(same({ x: [1, 2] }, { x: [2, 1] })).toBe(false)
  })

  it('the values matter, and the keys they stand under', () => {
    expect(same({ a: 1, b: 2 }, { a: 2, b: 1 })).toBe(false)
    expect(same({ a: 1 }, { b: 1 })).toBe(false)
    expect(same({ a: 1 }, { a: '1' })).toBe(false)
    expect(same({ a: null }, { a: 'null' })).toBe(false)
  })

  it('the tool name matters', () => {
    expect(stuckAfter(call('one', { a: 1 }), call('two', { a: 1 }), call('one', { a: 1 }))).toBe(
      false,
    )
  })

  it.each<[string, () => unknown]>([
    ['a Date', () => new Date(0)],
    ['a BigInt', () => 12345678901234567890n],
    ['NaN', () => Number.NaN],
    ['Infinity', () => Number.POSITIVE_INFINITY],
    ['undefined', () => undefined],
    ['a function', () => () => 1],
    ['a symbol', () => Symbol('s')],
    ['a Map', () => new Map([['k', 1]])],
    ['a Set', () => new Set([1, 2])],
    ['a RegExp', () => /x/g],
    ['an Error', () => new Error('boom')],
    ['a URL', () => new URL('https://example.com/')],
    ['a typed array', () => new Uint8Array([1, 2])],
  ])('default=str handles non-serializable values: %s', (_, make) => {
    expect(same({ value: make() }, { value: make() })).toBe(true)
  })

  it.each<[string, unknown, unknown]>([
    ['Dates', new Date(0), new Date(1)],
    ['BigInts', 12345678901234567890n, 12345678901234567891n],
    ['symbols', Symbol('a'), Symbol('b')],
    ['regular expressions', /a/, /b/],
    ['URLs', new URL('https://example.com/a'), new URL('https://example.com/b')],
    ['NaN and Infinity', Number.NaN, Number.POSITIVE_INFINITY],
  ])('… and stringified they are still told apart: %s', (_, one, two) => {
    expect(same({ value: one }, { value: two })).toBe(false)
  })
})

describe('Known limitation', () => {
  it('semantic variants (same operation, different argument strings) are not detected', () => {
    const commands = [
      'pip install requests',
      'pip3 install requests',
      'python -m pip install requests',
      'pip install requests ',
      'pip install --user requests',
      'pip install "requests"',
    ]
    const events = commands.map((command) => call('bash', { command }))
    expect(detections(run(window(), events))).toEqual([])
  })

  it('nor are reads of one file by different commands', () => {
    const events = ['cat a.txt', 'head a.txt', 'tail a.txt', 'cat -n a.txt'].map((command) =>
      call('bash', { command }),
    )
    expect(detections(run(window(), events))).toEqual([])
  })
})
