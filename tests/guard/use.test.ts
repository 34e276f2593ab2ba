/** Misuse is healed or said once; the guard tells how a run stands, and refuses just what is meant. */

import { GuardPool, type GuardWarning, LoopDetector, LoopGuard } from 'loophound'
import { afterEach, describe, expect, it, vi } from 'vitest'

const made: LoopGuard[] = []

afterEach(() => {
  for (const guard of made.splice(0)) guard.free()
  vi.restoreAllMocks()
})

function guarded(options: ConstructorParameters<typeof LoopGuard>[0] = {}) {
  const warnings: GuardWarning[] = []
  const guard = new LoopGuard({
    onWarning: (warning) => warnings.push(warning),
    ...(options as object),
  })
  made.push(guard)
  return { guard, codes: () => warnings.map(({ code }) => code) }
}

const failing = { name: 'bash', args: { command: 'make' } }

function failOnce(guard: LoopGuard, id?: string) {
  const decision = guard.call({ ...failing, ...(id === undefined ? {} : { id }) })
  guard.result({ ...(id === undefined ? {} : { id }), ok: false, output: 'Error: no rule' })
  return decision
}

describe('healed', () => {
  it('is a forgotten endStep(): an equal call whose predecessor is answered begins a step', () => {
    const { guard } = guarded()
    const actions = Array.from({ length: 8 }, (_, i) => failOnce(guard, `${i}`).verdict.action)
    expect(actions).toContain('nudge')
    expect(actions).toContain('block')
  })

  it('is a forgotten endStep() also when the model ignores the refusal', () => {
    const { guard } = guarded({ onWarning: false })
    for (let i = 0; i < 20 && !guard.stopped; i++) failOnce(guard, `${i}`)
    expect(guard.outcome.state).toBe('stopped')
  })

  it('is an id that comes back, and calls and results without ids', () => {
    for (const id of ['call_0', undefined]) {
      const { guard } = guarded({ onWarning: false })
      const runs = Array.from({ length: 9 }, () => {
        const { run } = failOnce(guard, id)
        guard.endStep()
        return run
      })
      expect(runs).toContain(false)
    }
  })

  it('is a response that repeats itself: many equal calls in one step', () => {
    const { guard } = guarded()
    guard.call({ name: 'bash', args: { command: 'ls' }, id: 'first' })
    guard.result({ id: 'first', output: 'a b' })
    guard.endStep()
    const verdicts = []
    for (let turn = 0; turn < 8; turn++) {
      for (let i = 0; i < 228; i++) {
        verdicts.push(guard.call({ ...failing, id: `${turn} ${i}` }).verdict.action)
      }
      for (let i = 0; i < 228; i++) guard.result({ id: `${turn} ${i}`, ok: true, output: 'x' })
      guard.endStep()
    }
    expect(verdicts.slice(0, 9).every((action) => action === 'continue')).toBe(true)
    expect(verdicts.slice(0, 228)).toContain('nudge')
    expect(verdicts).toContain('block')
  })
})

describe('equal calls of one step that run one after the other', () => {
  it('are one decision if the host begins or ends its steps', () => {
    for (const [begins, ends] of [
      [true, true],
      [true, false],
      [false, true],
    ]) {
      const { guard, codes } = guarded()
      const runs = Array.from({ length: 4 }, (_, turn) => {
        if (begins) guard.beginStep()
        return [0, 1, 2, 3].map((n) => {
          // The first step of a host that only ends them has not been ended yet.
          const path = !begins && turn === 0 ? `${n}` : `turn ${turn}`
          const decision = guard.call({ id: `${turn} ${n}`, name: 'read', args: { path } })
          guard.result({ id: `${turn} ${n}`, output: `text of ${path}` })
          if (ends && n === 3) guard.endStep()
          return decision.verdict.action
        })
      })
      expect(new Set(runs.flat())).toEqual(new Set(['continue']))
      expect([guard.outcome.turns, guard.outcome.calls]).toEqual([4, 16])
      if (ends) expect(codes()).toEqual([])
    }
  })

  it('are a loop, and a forgotten endStep(), if there are too many', () => {
    const { guard, codes } = guarded()
    guard.beginStep()
    const actions = Array.from({ length: 30 }, (_, i) => failOnce(guard, `${i}`).verdict.action)
    expect(actions.slice(0, 9)).toEqual(Array(9).fill('continue'))
    expect(actions).toContain('nudge')
    expect(actions).toContain('block')
    expect(guard.outcome.state).toBe('stopped')
    expect(codes()).toContain('no-step-end')
  })
})

describe('a forgotten endStep()', () => {
  it.each<[string, (turn: number) => string, number]>([
    ['one call', () => 'a', 9],
    ['two calls in turn', (turn) => `${turn % 2}`, 16],
  ])('of %s does not make the run endless, and is said', (_, path, turns) => {
    const { guard, codes } = guarded()
    let turn = 0
    for (; guard.beginStep() && turn < 100; turn++) {
      const { run } = guard.call({ id: `${turn}`, name: 'read', args: { path: path(turn) } })
      if (run) guard.result({ id: `${turn}`, output: `text of ${path(turn)}` })
    }
    expect([turn, guard.outcome.state, guard.outcome.turns]).toEqual([turns, 'stopped', turns])
    expect(codes()).toEqual(['no-step-end'])
  })

  it('is none while a call waits for its result, or if steps are ended', () => {
    const { guard } = guarded()
    guard.call({ id: 'a', name: 'read', args: {} })
    for (let i = 0; i < 3; i++) guard.beginStep()
    expect(guard.outcome.turns).toBe(1)
    guard.result({ id: 'a', output: 'text' })
    guard.endStep()
    guard.call({ id: 'b', name: 'read', args: {} })
    guard.result({ id: 'b', output: 'text' })
    for (let i = 0; i < 3; i++) guard.beginStep()
    expect(guard.outcome.turns).toBe(2)
  })
})

describe('what is given in the wrong way', () => {
  function errorsOf(use: (guard: LoopGuard) => unknown): string[] {
    const errors: unknown[] = []
    use(guarded({ onError: (error) => errors.push(error) }).guard)
    return errors.map(String)
  }

  it.each<[string, (guard: LoopGuard) => unknown, string]>([
    [
      'one call for several',
      (guard) => guard.calls(failing as never),
      'TypeError: calls(calls): calls must be an array of calls; got an object',
    ],
    [
      'no calls',
      (guard) => guard.calls(undefined as never),
      'TypeError: calls(calls): calls must be an array of calls; got undefined',
    ],
    [
      'a list as the content of a step',
      (guard) => guard.endStep([failing] as never),
      'TypeError: endStep(content): content must be an object; got an array',
    ],
    [
      'a message as the content of a step',
      (guard) => guard.endStep({ role: 'assistant', tool_calls: [] } as never),
      'TypeError: endStep(content): content has none of calls, results, text, but "role"',
    ],
    [
      'a promise of a result',
      (guard) => {
        guard.call({ ...failing, id: 'a' })
        guard.result({ id: 'a', output: Promise.resolve('text') })
      },
      'TypeError: recordResult(result): result.output holds a Promise; await it first',
    ],
  ])('%s is reported by name', (_, use, message) => {
    expect(errorsOf(use)).toEqual([message])
  })

  it('an output that cannot be read is like no other, and no result that is missing', () => {
    const { guard, codes } = guarded({ onError: () => {} })
    for (let i = 0; i < 40; i++) {
      guard.call({ id: `${i}`, name: 'get', args: { page: i } })
      guard.result({ id: `${i}`, output: new Response(`${i}`) })
      guard.endStep()
    }
    expect(codes()).toEqual(['unreadable-input'])
  })

  it('is said once, also if onError hears of it: such a call, result or text is not watched', () => {
    for (const use of [
      (guard: LoopGuard) => guard.call({ name: 'read', params: {} } as never),
      (guard: LoopGuard) => guard.call({ name: 'read', args: Promise.resolve(1) }),
      (guard: LoopGuard) => guard.result({ content: 'x' } as never),
      (guard: LoopGuard) => guard.text(7 as never),
    ]) {
      const { guard, codes } = guarded({ onError: () => {} })
      for (let i = 0; i < 9; i++) use(guard)
      expect([codes(), guard.diagnose().map(({ code }) => code)]).toEqual([
        ['unreadable-input'],
        ['unreadable-input'],
      ])
    }
  })

  it('does not reach the console as a command to the terminal', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const guard = new LoopGuard()
    made.push(guard)
    const args = {
      get path(): string {
        throw new Error('\u001b[2J\u009b31m\u202e\n\u{e0041}boom')
      },
    }
    guard.call({ id: 'a', name: 'read', args })
    guard.warn({ code: 'x', message: '\u001b[2J', remedy: '\u202eb' })
    const lines = warn.mock.calls.map(([line]) => line)
    expect(lines[0]).toMatch(/could not be read: {2}\[2J 31m boom$/)
    expect(lines[1]).toBe('loophound (x):  [2J b')
  })
})

describe('said once', () => {
  it('are calls after a stop', () => {
    const { guard, codes } = guarded()
    for (let i = 0; i < 11; i++) {
      failOnce(guard, `${i}`)
      guard.endStep()
    }
    expect([guard.outcome.state, codes()]).toEqual(['stopped', []])
    for (let i = 11; i < 30; i++) {
      failOnce(guard, `${i}`)
      guard.endStep()
    }
    expect(codes()).toEqual(['stop-ignored'])
  })

  it('are results that come when their step is over, as if agents shared the guard', () => {
    const { guard, codes } = guarded()
    for (let i = 0; i < 20; i++) {
      guard.beginStep()
      guard.call({ ...failing, id: `a${i}` })
      // Another agent.
      guard.beginStep()
      guard.call({ name: 'edit', args: { path: `${i}` }, id: `b${i}` })
      guard.result({ id: `b${i}`, output: `edited ${i}` })
      guard.endStep()
      guard.result({ id: `a${i}`, ok: false, output: 'Error: no rule' })
      guard.endStep()
    }
    expect(codes()).toEqual(['late-results'])
  })

  it('is a guard that is asked for without a name', () => {
    const warnings: GuardWarning[] = []
    const pool = new GuardPool({ onWarning: (warning) => warnings.push(warning) })
    expect(pool.for(undefined as never)).toBe(pool.for(undefined as never))
    expect(pool.for(7 as never)).toBe(pool.for('7'))
    expect(warnings.map(({ code }) => code)).toEqual(['no-name'])
    pool.clear()
  })

  it('are calls without results', () => {
    const { guard, codes } = guarded()
    for (let i = 0; i < 80; i++) {
      guard.call({ name: 'read', args: { path: `${i}` }, id: `${i}` })
      guard.endStep()
    }
    expect(codes()).toEqual(['no-results'])
    expect(guard.diagnose()).toMatchObject([
      { code: 'no-results', remedy: expect.stringContaining('guard.result(') },
    ])
  })

  it('is a step that never ends', () => {
    const { guard, codes } = guarded()
    for (let i = 0; i < 200; i++) {
      guard.call({ name: 'read', args: { path: `${i}` }, id: `${i}` })
      guard.result({ id: `${i}`, output: `${i}` })
    }
    expect(codes()).toEqual(['no-step-end'])
  })

  it('is userMessage() before every turn, if the calls repeat', () => {
    const { guard, codes } = guarded()
    for (let i = 0; i < 20; i++) {
      guard.userMessage()
      failOnce(guard, `${i}`)
      guard.endStep()
    }
    expect(codes()).toEqual(['user-message-every-turn'])
    const chat = guarded()
    for (let i = 0; i < 20; i++) {
      chat.guard.userMessage()
      chat.guard.call({ name: 'search', args: { query: `question ${i}` }, id: `${i}` })
      chat.guard.result({ id: `${i}`, output: `answer ${i}` })
      chat.guard.endStep()
    }
    expect(chat.codes()).toEqual([])
    const cycle = guarded()
    for (let i = 0; i < 20; i++) {
      cycle.guard.userMessage()
      cycle.guard.call({ name: 'read', args: { path: `${i % 2}` }, id: `${i}` })
      cycle.guard.call({ name: 'list', args: {}, id: `list ${i}` })
      cycle.guard.endStep()
    }
    expect(cycle.codes()).toContain('user-message-every-turn')
    const parallel = guarded()
    parallel.guard.userMessage()
    for (let i = 0; i < 8; i++) parallel.guard.call({ name: 'list', args: {}, id: `${i}` })
    expect(parallel.codes()).toEqual([])
  })

  it('is userMessage() for each nudge, if the call repeats', () => {
    const { guard, codes } = guarded()
    for (let i = 0; i < 30; i++) {
      guard.beginStep()
      if (guard.takeNudge() !== null) guard.userMessage()
      failOnce(guard, `${i}`)
      guard.endStep()
    }
    expect(codes()).toEqual(['user-message-every-turn'])
    const person = guarded()
    for (let i = 0; i < 30; i++) {
      person.guard.beginStep()
      if (person.guard.takeNudge() !== null) {
        person.guard.userMessage()
        person.guard.call({ id: `other ${i}`, name: 'read', args: { path: `${i}` } })
        person.guard.result({ id: `other ${i}`, output: `${i}` })
      } else failOnce(person.guard, `${i}`)
      person.guard.endStep()
    }
    expect(person.codes()).toEqual([])
  })

  it('are results with ids that no call has', () => {
    const { guard, codes } = guarded()
    for (let i = 0; i < 40; i++) {
      guard.call({ name: 'read', args: { path: `${i}` }, id: `call ${i}` })
      guard.result({ id: `item ${i}`, output: `text ${i}` })
      guard.endStep()
    }
    expect(codes()).toEqual(['unmatched-results'])
  })

  it('are ids that are used twice, and a detector that two guards share', () => {
    const { guard, codes } = guarded()
    for (let i = 0; i < 5; i++) {
      failOnce(guard, 'call_0')
      guard.endStep()
    }
    expect(codes()).toEqual(['ids-reused'])
    const silent = guarded()
    for (let i = 0; i < 20; i++) {
      silent.guard.call({ ...failing, id: 'call_0' })
      silent.guard.endStep()
    }
    expect(silent.codes()).toEqual(['ids-reused'])
    const detector = new LoopDetector()
    expect(guarded({ detector }).codes()).toEqual([])
    expect(guarded({ detector }).codes()).toEqual(['shared-detector'])
    detector.free()
  })

  it('by one line on the console, unless it is switched off', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    for (const onWarning of [undefined, false] as const) {
      const guard = new LoopGuard(onWarning === undefined ? {} : { onWarning })
      made.push(guard)
      for (let i = 0; i < 100; i++) guard.call({ name: 'read', args: { path: `${i}` } })
    }
    expect(warn.mock.calls.map(([line]) => line)).toEqual([
      expect.stringMatching(/^loophound \(no-results\): .+ Call guard\.result\(/),
      expect.stringMatching(/^loophound \(no-step-end\): /),
    ])
  })

  it('and not for healthy use, in a pool either', () => {
    const warnings: GuardWarning[] = []
    const pool = new GuardPool({ onWarning: (warning) => warnings.push(warning) })
    for (let i = 0; i < 100; i++) {
      const guard = pool.for(`thread ${i % 3}`)
      guard.call({ name: 'read', args: { path: `${i}` }, id: `${i}` })
      guard.result({ id: `${i}`, output: `${i}` })
      guard.endStep()
    }
    expect(warnings).toEqual([])
    pool.clear()
  })

  it('also when an adapter sees it; what a callback throws stays inside', () => {
    const guard = new LoopGuard({
      onWarning: () => {
        throw new Error('in the callback')
      },
    })
    made.push(guard)
    const warning = { code: 'plain-runner', message: 'Nobody watches.', remedy: 'Use ours.' }
    guard.warn(warning)
    guard.warn(warning)
    expect(guard.diagnose()).toEqual([warning])
    expect(() => new LoopGuard({ onWarning: 7 as never })).toThrow(
      'options.onWarning must be a function or false; got 7',
    )
  })
})

describe('the outcome', () => {
  it('tells a run that goes on, one that finished and one that was stopped apart', () => {
    const { guard } = guarded()
    expect(guard.outcome).toEqual({
      state: 'running',
      summary: null,
      kind: null,
      calls: 0,
      turns: 0,
    })
    guard.beginStep()
    guard.call({ name: 'read', args: { path: 'a' }, id: 'a' })
    guard.result({ id: 'a', output: 'text' })
    guard.endStep()
    expect(guard.outcome).toMatchObject({ state: 'running', calls: 1, turns: 1 })
    guard.beginStep()
    guard.endStep({ text: 'Done.' })
    expect(guard.outcome).toMatchObject({ state: 'finished', calls: 1, turns: 2 })
    const restored = guarded().guard
    restored.restore(JSON.parse(JSON.stringify(guard)))
    expect(restored.outcome).toEqual(guard.outcome)
    for (let i = 0; i < 20; i++) {
      failOnce(guard, `${i}`)
      guard.endStep()
    }
    expect(guard.outcome).toMatchObject({
      state: 'stopped',
      kind: 'no-progress',
      summary: expect.stringMatching(
        /^bash failed the same way \d+ times.* The run was stopped\.$/,
      ),
    })
  })
})

describe('a block', () => {
  it('refuses the calls that the verdict names, and no others of the step', () => {
    const { guard } = guarded()
    const innocent = { name: 'bash', args: { command: `echo ${'x'.repeat(300)}` } }
    for (let turn = 0; turn < 20; turn++) {
      const calls = [
        { ...innocent, args: { command: `${innocent.args.command} ${turn}` }, id: `${turn} a` },
        { ...failing, id: `${turn} b` },
        { name: 'read', args: { path: `${turn}` }, id: `${turn} c` },
      ]
      const [first, second, third] = guard.calls(calls)
      if (guard.stopped) return
      expect([first?.run, third?.run]).toEqual([true, true])
      if (second && !second.run) {
        expect(second.reply).toMatch(/^This call was not run\. /)
        expect(second.verdict.calls).toHaveLength(1)
      }
      guard.result({ id: `${turn} a`, output: `${turn}` })
      guard.result({ id: `${turn} b`, ok: false, output: 'Error: no rule' })
      guard.result({ id: `${turn} c`, output: `text ${turn}` })
      guard.endStep()
    }
    expect.unreachable('the loop was never stopped')
  })
})

describe('handing over', () => {
  it('back to an agent on the path with the same task is refused', () => {
    const lead = guarded({ id: 'lead' }).guard
    const down = lead.handOver('coder', 'Fix the login')
    expect(down.verdict.action).toBe('continue')
    const coder = guarded({ id: 'coder', path: down.path }).guard
    expect(coder.handOver('tester', 'Test the login').verdict.action).toBe('continue')
    expect(coder.handOver('lead', 'Explain the login').verdict.action).toBe('continue')
    const back = coder.handOver('lead', 'Fix the login')
    expect(back.verdict).toMatchObject({ action: 'block', kind: 'cycle' })
    expect([down.run, back.run]).toEqual([true, false])
    const watched = guarded({ id: 'coder', path: down.path, mode: 'observe' }).guard
    expect(watched.handOver('lead', 'Fix the login')).toMatchObject({
      ...{ run: true, verdict: { kind: 'cycle' } },
    })
    expect(() => guarded({ path: 'lead' as never })).toThrow('options.path must be a list of names')
  })
})

describe('a swarm', () => {
  it('is asked before a call, and told what is repeated', async () => {
    const { memorySwarm, SharedSwarm } = await import('loophound/swarm')
    const store = memorySwarm()
    const rule = { threshold: 6, minWorkers: 2 }
    const workers = [0, 1, 2].map(() => {
      const swarm = new SharedSwarm({ store, scope: 'test', report: 'waste', rule })
      return { swarm, guard: guarded({ swarm }).guard }
    })
    for (let turn = 0; turn < 6; turn++) {
      for (const { guard } of workers.slice(0, 2)) {
        failOnce(guard, `${turn}`)
        guard.endStep()
      }
    }
    for (const { swarm } of workers) await swarm.flush()
    await workers[2]?.swarm.refresh?.()
    const kinds = new Set(
      workers.map(({ guard }) => guard.call({ ...failing, id: 'x' }).verdict.kind),
    )
    expect([...kinds]).toContain('global')
    for (const { swarm } of workers) await swarm.dispose()
  })
})
