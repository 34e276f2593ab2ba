/** What a guard promises to every adapter. */

import { LoopDetector, LoopGuard } from 'loophound'
import { describe, expect, it, vi } from 'vitest'
import { FAILURES, failingStep, LADDER, step, watched } from './made.js'

describe('escalation', () => {
  it('nudges, then refuses, then stops when the step is over', () => {
    const { guard, verdicts } = watched()
    const steps = ['a', 'b', 'c', 'd', 'e'].map((id) => step(guard, id))
    expect(steps.map(({ decision }) => decision.verdict.action)).toEqual([
      'continue',
      'continue',
      'nudge',
      'block',
      'stop',
    ])
    expect(steps.map(({ decision }) => decision.run)).toEqual([true, true, true, false, false])
    expect(steps.map(({ stop }) => stop)).toEqual([false, false, false, false, true])
    expect(steps[3]?.decision.reply).toBe(steps[3]?.decision.verdict.message)
    expect(guard.stopped?.action).toBe('stop')
    expect(guard.beginStep()).toBe(false)
    expect(verdicts.map(({ context }) => [context.on, context.tool, context.id])).toEqual([
      ['call', 'ls', 'c'],
      ['call', 'ls', 'd'],
      ['call', 'ls', 'e'],
    ])
  })

  it('is not stopped within a step', () => {
    const { guard } = watched()
    for (const id of ['a', 'b', 'c', 'd']) step(guard, id)
    expect(guard.call({ id: 'e', name: 'ls' }).run).toBe(false)
    expect([guard.stopped?.action, guard.shouldStop]).toEqual(['stop', false])
    expect(guard.beginStep()).toBe(true)
    expect(guard.endStep()).toBe(true)
    expect(guard.shouldStop).toBe(true)
  })

  it('starts nothing new after a stop, and says why', () => {
    const { guard } = watched()
    for (const id of ['a', 'b', 'c', 'd', 'e']) step(guard, id)
    const other = guard.call({ id: 'f', name: 'other' })
    expect(other.run).toBe(false)
    expect(other.reply).toBe(guard.stopped?.message)
  })

  it('starts over when a person speaks', () => {
    const { guard } = watched()
    for (const id of ['a', 'b', 'c', 'd', 'e']) step(guard, id)
    guard.userMessage()
    expect([guard.stopped, guard.nudge, guard.beginStep()]).toEqual([null, null, true])
    expect(step(guard, 'f').decision.run).toBe(true)
  })
})

describe('a compaction', () => {
  it('lets everything be read once more', () => {
    for (const isCompacted of [true, false]) {
      const { guard, verdicts } = watched({ detector: 'balanced' })
      for (const id of ['a', 'b', 'c', 'd']) {
        if (isCompacted) guard.contextCompacted()
        guard.call({ id, name: 'read_file', args: { path: 'a.ts' } })
        guard.result({ id, ok: true, output: 'const tax = 0.19' })
        guard.endStep()
      }
      expect([isCompacted, verdicts.length > 0]).toEqual([isCompacted, !isCompacted])
    }
  })

  it('drops nothing that is pending', () => {
    const { guard } = watched()
    for (const id of ['a', 'b', 'c']) step(guard, id)
    guard.contextCompacted()
    expect(guard.takeNudge()).not.toBeNull()
    for (const id of ['d', 'e']) step(guard, id)
    guard.contextCompacted()
    expect([guard.stopped?.action, guard.beginStep()]).toEqual(['stop', false])
  })

  it('cannot break the agent', () => {
    const { guard, errors } = watched()
    guard.free()
    guard.contextCompacted()
    expect(errors).toHaveLength(1)
  })
})

describe('a time', () => {
  it('reaches the detector with calls and results', () => {
    const nudged = (step: number) => {
      const { guard, verdicts } = watched({ detector: 'balanced' })
      for (let i = 0; i < 8; i++) {
        const [id, at] = [`${i}`, i * step]
        guard.call({ id, name: 'bash', args: { command: 'curl -s localhost/health' }, at })
        guard.result({ id, ok: true, output: '{"ready":0}', at: at + 400 })
        guard.endStep()
      }
      return verdicts.length > 0
    }
    expect([nudged(500), nudged(300_000)]).toEqual([true, false])
  })
})

describe('a call', () => {
  it('that is presented twice counts once and gets the same decision', () => {
    const { guard, verdicts } = watched()
    for (const id of ['a', 'b', 'c']) {
      const decisions = [1, 2, 3].map(() => guard.call({ id, name: 'ls' }))
      expect(new Set(decisions).size).toBe(1)
      guard.endStep()
      expect(guard.call({ id, name: 'ls' })).toBe(decisions[0])
    }
    expect(verdicts.length).toBe(1)
  })

  it('is another one when its id is used again', () => {
    const { guard } = watched()
    for (let i = 0; i < 4; i++) step(guard, `${i}`)
    expect(guard.call({ id: '3', name: 'ls', args: { path: 'x' } }).run).toBe(true)
    expect(guard.call({ id: '3', name: 'cat', args: {} }).run).toBe(true)
  })

  it('is another one when its id comes back after its result, or after a refusal', () => {
    const { guard, verdicts } = watched()
    const actions = [0, 1, 2, 3, 4].map(() => {
      const { verdict } = guard.call({ id: 'call_0', name: 'ls', args: {} })
      guard.result({ id: 'call_0', output: 'ok' })
      guard.endStep()
      return verdict.action
    })
    expect(actions).toEqual(['continue', 'continue', 'nudge', 'block', 'stop'])
    expect(verdicts.length).toBe(3)
  })

  it('without an id is new each time', () => {
    const { guard } = watched()
    const runs = [1, 2, 3, 4].map(() => {
      const { run } = guard.call({ name: 'ls' })
      guard.endStep()
      return run
    })
    expect(runs).toEqual([true, true, true, false])
  })

  it('is forgotten after too many others', () => {
    const { guard } = watched({ remember: 2 })
    step(guard, 'a')
    step(guard, 'b', 'x')
    step(guard, 'c', 'y')
    step(guard, 'a')
    expect(guard.detector.recentNames()).toEqual(['ls', 'x', 'y', 'ls'])
  })
})

describe('equal calls of one step', () => {
  it.each(['one by one', 'together'])('count once, %s', (how) => {
    const { guard } = watched()
    const steps = [0, 1, 2, 3].map((turn) => {
      guard.beginStep()
      const calls = [0, 1, 2].map((i) => ({ id: `${turn}.${i}`, name: 'ls', args: { path: 'x' } }))
      const decisions = how === 'together' ? guard.calls(calls) : calls.map((c) => guard.call(c))
      for (const { id } of calls) guard.result({ id, output: 'ok' })
      guard.endStep()
      return decisions.map(({ verdict, run }) => `${verdict.action} ${run}`)
    })
    expect(steps).toEqual([
      ['continue true', 'continue true', 'continue true'],
      ['continue true', 'continue true', 'continue true'],
      ['nudge true', 'nudge true', 'nudge true'],
      ['block false', 'block false', 'block false'],
    ])
  })

  it('are refused, and others of the step are not', () => {
    const detector = new LoopDetector({
      preset: 'cycles',
      detectors: {
        cycle: { climb: 'occurrence', rungs: [{ at: 1, action: 'block', level: 'warning' }] },
      },
    })
    const { guard } = watched({ detector })
    const turn = (n: number) =>
      guard.calls([
        { id: `${n}a`, name: 'read', args: { path: 'a' } },
        { id: `${n}b`, name: 'read', args: { path: `b${n}`.padEnd(200, '.') } },
        { id: `${n}c`, name: 'read', args: { path: 'a' } },
      ])
    turn(1)
    guard.endStep()
    guard.call({ id: 'again', name: 'read', args: { path: 'a' } })
    guard.endStep()
    const decisions = guard.calls([
      { id: 'x', name: 'read', args: { path: 'a' } },
      { id: 'y', name: 'read', args: { path: 'fresh' } },
    ])
    expect(decisions.map(({ run }) => run)).toEqual([false, true])
    detector.free()
  })
})

describe('a result', () => {
  const failed = { ok: false, output: 'exit code 1' }
  const make = { name: 'bash', args: { command: 'make' } }

  it('with a block verdict refuses the next equal call, once', () => {
    const { guard } = watched({ detector: FAILURES })
    for (const id of ['a', 'b', 'c']) failingStep(guard, id)
    expect(guard.nudge).not.toBeNull()
    expect(step(guard, 'other').decision.run).toBe(true)
    const fourth = failingStep(guard, 'd')
    expect(fourth.decision.run).toBe(false)
    expect(fourth.decision.reply).toBe(fourth.decision.verdict.message)
    const fifth = failingStep(guard, 'e')
    expect([fifth.decision.run, fifth.stop]).toEqual([true, true])
  })

  it('of a call that was refused is not a result of the tool', () => {
    const { guard } = watched({ detector: FAILURES })
    for (const id of ['a', 'b', 'c', 'd']) failingStep(guard, id)
    expect(guard.result({ id: 'd', ...failed }).action).toBe('continue')
    expect(guard.stopped).toBeNull()
  })

  it('counts once, also when it is reported twice', () => {
    const { guard, verdicts } = watched({ detector: FAILURES })
    for (const id of ['a', 'b']) {
      failingStep(guard, id)
      for (let i = 0; i < 5; i++) guard.result({ id, ...failed })
    }
    expect(verdicts).toEqual([])
  })

  it('without an id belongs to the oldest open call of its name, not to one that was refused', () => {
    const { guard, verdicts } = watched({ detector: FAILURES })
    for (let i = 0; i < 4; i++) {
      if (guard.call(make).run) guard.result({ name: 'bash', ...failed })
      guard.endStep()
    }
    expect(verdicts.length).toBe(1)
    guard.call({ name: 'cat' })
    guard.call(make)
    expect(guard.result({ name: 'bash', ...failed }).action).toBe('stop')
  })

  it('may come before its call, or without one', () => {
    const { guard, verdicts, errors } = watched({ detector: FAILURES })
    for (const id of ['a', 'b', 'c']) {
      guard.result({ id, ...failed })
      guard.call({ id, ...make })
      guard.endStep()
    }
    expect(verdicts.length).toBe(1)
    for (let i = 0; i < 1000; i++) guard.result({ id: `nobody ${i}`, output: 'x' })
    guard.result({ output: 'x' })
    expect(errors).toEqual([])
  })
})

describe('a nudge', () => {
  it('is returned once', () => {
    const { guard } = watched()
    for (const id of ['a', 'b', 'c']) step(guard, id)
    expect(guard.nudge).toContain('3 times')
    expect(guard.takeNudge()).toContain('3 times')
    expect([guard.nudge, guard.takeNudge()]).toEqual([null, null])
  })

  it('is returned again, if sticky, until a step passes without a verdict', () => {
    const { guard } = watched()
    for (const id of ['a', 'b', 'c']) step(guard, id)
    const text = guard.takeNudge({ sticky: true })
    expect(guard.takeNudge({ sticky: true })).toBe(text)
    step(guard, 'd', 'something else')
    expect(guard.takeNudge({ sticky: true })).toBeNull()
  })

  it('is not returned again after the call was refused: the refusal says more', () => {
    const { guard } = watched()
    for (const id of ['a', 'b', 'c']) step(guard, id)
    expect(guard.takeNudge({ sticky: true })).not.toBeNull()
    expect(step(guard, 'd').decision.run).toBe(false)
    expect(guard.takeNudge({ sticky: true })).toBeNull()
  })

  it('gives a fresh chance in the preset guard, whose next detection stops', () => {
    const { guard } = watched({ detector: 'guard' })
    const actions = (count: number, from: number) =>
      Array.from({ length: count }, (_, i) => step(guard, `${from + i}`).decision.verdict.action)
    expect(actions(5, 0).at(-1)).toBe('nudge')
    expect(guard.takeNudge()).not.toBeNull()
    expect(actions(5, 5)).toEqual(['continue', 'continue', 'continue', 'continue', 'stop'])
  })

  it('leaves the counts alone, or clears them, as the options say', () => {
    const next = (afterNudge: 'keep' | 'clear') => {
      const { guard } = watched({ afterNudge })
      for (const id of ['a', 'b', 'c']) step(guard, id)
      guard.takeNudge()
      return step(guard, 'd').decision.verdict.action
    }
    expect([next('keep'), next('clear')]).toEqual(['block', 'continue'])
  })
})

describe('the end of a step', () => {
  it('records calls that the guard was not asked about', () => {
    const { guard, verdicts } = watched()
    const ends = [0, 1, 2, 3, 4].map((n) => {
      const id = `search ${n}`
      const calls = [{ id, name: 'web_search', args: { query: 'x' } }]
      return guard.endStep({ calls, results: [{ id, output: 'nothing' }] })
    })
    expect(verdicts.map(({ verdict }) => verdict.action)).toEqual(['nudge', 'block', 'stop'])
    expect(ends).toEqual([false, false, false, false, true])
    // What can no longer be refused is spoken about.
    expect(guard.takeNudge()).toContain('4 times')
  })

  it('does not record again what was recorded', () => {
    const { guard, verdicts } = watched()
    for (const id of ['a', 'b']) {
      guard.call({ id, name: 'ls' })
      guard.endStep({ calls: [{ id, name: 'ls' }], results: [{ id, output: 'ok' }] })
    }
    expect(verdicts).toEqual([])
    expect(guard.detector.recentNames()).toEqual(['ls', 'ls'])
  })

  it('records a turn of text only', () => {
    const { guard, verdicts } = watched({ detector: 'nudge' })
    for (let i = 0; i < 2; i++) {
      guard.beginStep()
      guard.endStep({ text: 'To sum up …' })
    }
    expect(verdicts.map(({ verdict }) => verdict.kind)).toEqual(['summary'])
    guard.call({ name: 'ls' })
    guard.endStep({ text: 'I look.' })
    expect(verdicts.length).toBe(1)
  })
})

describe('the iteration cap', () => {
  it('ends the run between steps, and can be raised', () => {
    const { guard, verdicts } = watched({ detector: { preset: 'guard', iterationCap: 2 } })
    const begin = () => {
      const may = guard.beginStep()
      guard.beginStep()
      guard.endStep()
      return may
    }
    expect([begin(), begin(), begin()]).toEqual([true, true, false])
    expect(verdicts.map(({ verdict, context }) => [verdict.kind, context.on])).toEqual([
      ['iteration-cap', 'turn'],
    ])
    expect(guard.extend(1)).toBe(1)
    expect([begin(), begin()]).toEqual([true, false])
  })
})

describe('text', () => {
  it('is cut off when the detector refuses it or stops, not for a nudge', () => {
    const detector = new LoopDetector()
    const cut = (action: string, mode: 'act' | 'observe' = 'act', level = 'warning') => {
      const text = { kind: 'chant', message: 'again and again' }
      const verdict = { ...detector.verdict, action, level, ...text }
      const said = Object.assign(Object.create(detector), { pushText: () => verdict })
      const { guard } = watched({ detector: said, mode })
      return [guard.pushText('again '), guard.nudge !== null, guard.stopped !== null]
    }
    expect(cut('continue')).toEqual([false, false, false])
    expect(cut('nudge')).toEqual([true, true, false])
    expect(cut('nudge', 'act', 'notice')).toEqual([false, true, false])
    expect(cut('block')).toEqual([true, true, false])
    expect(cut('stop')).toEqual([true, false, true])
    expect(cut('stop', 'observe')).toEqual([false, false, false])
    detector.free()
  })
})

describe('observe mode', () => {
  it('reports what it sees and changes nothing', () => {
    const { guard, verdicts } = watched({ mode: 'observe' })
    for (let i = 0; i < 8; i++) {
      const { decision, stop } = step(guard, `${i}`)
      expect([decision.run, decision.reply, stop]).toEqual([true, null, false])
      expect([guard.takeNudge(), guard.takeNudge({ sticky: true }), guard.stopped]).toEqual([
        null,
        null,
        null,
      ])
    }
    expect(verdicts.map(({ verdict }) => verdict.action)).toEqual([
      'nudge',
      'block',
      'stop',
      'stop',
      'stop',
      'stop',
    ])
    expect(verdicts.every(({ context }) => !context.acted)).toBe(true)
  })
})

describe('what goes wrong', () => {
  const unreadable = {
    get path() {
      throw new Error('gone')
    },
  }

  it('lets the call run, and is reported', () => {
    const { guard, errors } = watched()
    expect(guard.call({ id: 'a', name: 'ls', args: unreadable })).toMatchObject({ run: true })
    expect(guard.call({ id: 'b', name: 7 as unknown as string })).toMatchObject({ run: true })
    expect(guard.call(null as never)).toMatchObject({ run: true })
    guard.result({ id: 'a', output: unreadable })
    guard.text(7 as unknown as string)
    guard.pushText(7 as unknown as string)
    guard.endStep({ calls: 7 as never })
    expect(errors.length).toBeGreaterThanOrEqual(6)
    expect(errors.every((error) => error instanceof TypeError)).toBe(true)
    expect(step(guard, 'c').decision.run).toBe(true)
  })

  it('with one call of a step does not affect the others', () => {
    const { guard, errors } = watched()
    for (let i = 0; i < 4; i++) {
      const [bad, good] = guard.calls([
        { id: `bad ${i}`, name: 'ls', args: unreadable },
        { id: `good ${i}`, name: 'ls' },
      ])
      guard.endStep()
      expect([bad?.run, good?.run]).toEqual([true, i < 3])
    }
    expect(errors.length).toBe(4)
  })

  it('in a callback does not reach the agent', async () => {
    const errors: unknown[] = []
    const onError = (error: unknown) => {
      errors.push(error)
      throw new Error('in onError too')
    }
    for (const onVerdict of [
      () => {
        throw new Error('at once')
      },
      () => Promise.reject(new Error('later')),
    ]) {
      const { guard } = watched({ onVerdict, onError })
      for (const id of ['a', 'b', 'c']) step(guard, id)
      expect(guard.nudge).not.toBeNull()
    }
    await new Promise((resolve) => setTimeout(resolve))
    expect(errors.map((error) => (error as Error).message)).toEqual(['at once', 'later'])
  })

  it('is shown once if there is no onError', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const guard = new LoopGuard(LADDER_GUARD)
    for (let i = 0; i < 3; i++) guard.call({ name: 'ls', args: unreadable })
    expect(warn.mock.calls.length).toBe(1)
    expect(String(warn.mock.calls[0])).toContain('gone')
    warn.mockRestore()
    guard.free()
  })

  it('after free() is ignored: calls run unwatched', () => {
    const { guard, errors } = watched()
    guard.free()
    expect(step(guard, 'a')).toMatchObject({ decision: { run: true }, stop: false })
    expect(errors.length).toBeGreaterThan(0)
  })
})

const LADDER_GUARD = { detector: LADDER }

describe('options', () => {
  it.each([
    [{ preset: 'nudge' }, TypeError, 'goes into options.detector'],
    [{ mode: 'watch' }, RangeError, 'options.mode must be one of act, observe; got "watch"'],
    [{ mode: 7 }, TypeError, 'options.mode must be one of act, observe; got 7'],
    [{ afterNudge: 'drop' }, RangeError, 'options.afterNudge must be one of keep, clear'],
    [{ onVerdict: 7 }, TypeError, 'options.onVerdict must be a function; got 7'],
    [{ onError: 7 }, TypeError, 'options.onError must be a function; got 7'],
    [{ id: 7 }, TypeError, 'options.id must be a string; got 7'],
    [{ remember: 0 }, RangeError, 'options.remember must be a whole number from 1 to 65536; got 0'],
    [{ remember: '9' }, TypeError, 'options.remember must be a whole number'],
    [{ detector: 'none' }, RangeError, 'none'],
    [7, TypeError, 'must be a preset name, a LoopDetector or an object; got 7'],
  ])('%o is refused', (options, type, text) => {
    const make = () => new LoopGuard(options as never)
    expect(make).toThrow(type)
    expect(make).toThrow(text)
  })

  it('may be a preset, a detector, or nothing', () => {
    const detector = new LoopDetector('window')
    for (const options of [undefined, 'nudge', detector, { detector }] as const) {
      const guard = new LoopGuard(options)
      expect(guard.call({ name: 'ls' }).run).toBe(true)
      guard.free()
    }
    // Somebody else's detector is left alone.
    expect(detector.recentNames().length).toBe(2)
    detector.free()
  })
})

it.each(['one by one', 'together'])(
  'stops no loop in the step in which it refuses it: calls %s',
  (how) => {
    const guard = new LoopGuard({ onWarning: false })
    const answers: string[][] = []
    for (let step = 0; guard.beginStep(); step++) {
      guard.takeNudge()
      const calls = ['a', 'b', 'c'].map((file) => ({
        id: `${step}${file}`,
        name: 'bash',
        args: { command: `cat ${file}.txt` },
      }))
      const decisions =
        how === 'together' ? guard.calls(calls) : calls.map((call) => guard.call(call))
      for (const [index, { id, args }] of calls.entries()) {
        if (!decisions[index]?.run) continue
        guard.result({ id, ok: false, output: `${args.command}: No such file or directory` })
      }
      guard.endStep()
      answers.push(decisions.map(({ run, verdict }) => (run ? 'run' : verdict.action)))
    }
    const refusing = answers.filter((step) => step.some((answer) => answer !== 'run'))
    expect(refusing[0]).toContain('block')
    expect(refusing[0]).not.toContain('stop')
    expect(refusing[1]).toContain('stop')
  },
)
