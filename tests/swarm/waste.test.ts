/** With `report: 'waste'`, healthy work of many agents is silent, and agents that are stuck warn the others. */

import { LoopDetector, type ToolResult, type Verdict } from 'loophound'
import { type GuardSwarm, SharedSwarm, type SwarmState, type SwarmStore } from 'loophound/swarm'
import { afterEach, describe, expect, it } from 'vitest'
import { steadySwarm } from './steady.js'

const workers: Worker[] = []
afterEach(async () => {
  for (const { swarm, detector } of workers.splice(0)) {
    detector.free()
    await swarm.dispose()
  }
})

/** An agent with a detector, wired to a swarm as a guard is. */
class Worker {
  readonly detector = new LoopDetector()
  readonly swarm: SharedSwarm

  /** The latches that it was the first to learn of. */
  readonly latches: SwarmState[] = []

  constructor(store: SwarmStore) {
    const onLatch = (state: SwarmState) => this.latches.push(state)
    this.swarm = new SharedSwarm({ store, pollMs: 0, flushMs: 60_000, onLatch })
    workers.push(this)
  }

  /** Makes a call and gets its result; returns the verdicts that are not `continue`. */
  call(name: string, args: unknown, result: Pick<ToolResult, 'ok' | 'output'>): Verdict[] {
    const swarm: GuardSwarm = this.swarm
    const call = { name, args }
    this.detector.beginTurn()
    const global = swarm.ask(call)
    const before = this.detector.record(name, args)
    swarm.observe(call, before)
    const after = this.detector.recordResult(result)
    swarm.observe(call, after)
    const shared = swarm.observeResult(call, result)
    return [global, before, after, shared].filter(({ action }) => action !== 'continue')
  }

  /** Sends and fetches what there is. */
  async meet() {
    await this.swarm.flush()
    await this.swarm.refresh()
  }
}

const team = (store: SwarmStore, size: number) =>
  Array.from({ length: size }, () => new Worker(store))

/** Runs every worker's steps in turns, as if side by side; returns all verdicts. */
async function runAll(
  all: readonly Worker[],
  steps: number,
  step: (worker: Worker, at: number, who: number) => Verdict[],
) {
  const verdicts: Verdict[] = []
  for (let at = 0; at < steps; at++) {
    for (const [who, worker] of all.entries()) {
      verdicts.push(...step(worker, at, who))
      await worker.meet()
    }
  }
  return verdicts
}

const silent = async (store: SwarmStore, all: readonly Worker[]) => {
  expect(await store.latched('default', 10)).toEqual([])
  expect(all.map(({ swarm }) => swarm.stats().recorded)).toEqual(all.map(() => 0))
}

describe('healthy work is silent', () => {
  it('workers that read the same files once', async () => {
    const store = steadySwarm()
    const all = team(store, 16)
    const files = ['package.json', 'README.md', 'tsconfig.json', 'src/index.ts', 'src/app.ts']
    const verdicts = await runAll(all, files.length, (worker, at) =>
      worker.call(
        'read_file',
        { path: files[at] },
        { ok: true, output: `content of ${files[at]}` },
      ),
    )
    expect(verdicts).toEqual([])
    await silent(store, all)
  })

  it('workers that share a task list', async () => {
    const store = steadySwarm()
    const all = team(store, 8)
    let done = 0
    const verdicts = await runAll(all, 12, (worker, at, who) => {
      if (at % 2) {
        done += 1
        return worker.call(
          'update_task',
          { id: done, worker: who },
          { ok: true, output: `Task ${done} done.` },
        )
      }
      return worker.call('list_tasks', {}, { ok: true, output: `${done} of 100 tasks done` })
    })
    expect(verdicts).toEqual([])
    await silent(store, all)
  })

  it('one tool, fanned out over many targets', async () => {
    const store = steadySwarm()
    const all = team(store, 10)
    const verdicts = await runAll(all, 10, (worker, at, who) => {
      const url = `https://example.com/page/${who * 10 + at}`
      const words = `${who}-${at} article about topic ${(who * 7 + at * 13) % 97}`
      return worker.call('fetch', { url }, { ok: true, output: words.repeat(3) })
    })
    expect(verdicts).toEqual([])
    await silent(store, all)
  })

  it('workers that run the tests between changes of their own', async () => {
    const store = steadySwarm()
    const all = team(store, 10)
    const verdicts = await runAll(all, 8, (worker, at, who) =>
      at % 2
        ? worker.call(
            'bash',
            { command: 'npm test' },
            { ok: true, output: `Tests ${at + 20} passed` },
          )
        : worker.call(
            'edit',
            { path: `src/${who}.ts`, old: `a${at}`, new: `b${at}` },
            { ok: true, output: 'edited' },
          ),
    )
    expect(verdicts).toEqual([])
    await silent(store, all)
  })

  it('workers that each meet an error once, or one that says nothing', async () => {
    const store = steadySwarm()
    const all = team(store, 20)
    const verdicts = await runAll(all, 1, (worker, _, who) => [
      ...worker.call(
        'read_file',
        { path: '.eslintrc' },
        { ok: false, output: 'ENOENT: no such file, open .eslintrc' },
      ),
      ...worker.call(
        'bash',
        { command: `make ${who}` },
        { ok: false, output: 'Command failed with exit code 2' },
      ),
      ...worker.call(
        'bash',
        { command: `make x${who}` },
        { ok: false, output: 'Command failed with exit code 1' },
      ),
    ])
    expect(verdicts).toEqual([])
    await silent(store, all)
  })

  it('errors that are part of the work, in a large fleet', async () => {
    const store = steadySwarm()
    const all = team(store, 30)
    const modules = ['auth', 'billing', 'search', 'mail', 'export', 'import', 'admin']
    const verdicts = await runAll(all, 24, (worker, at, who) => {
      const path = `src/${modules[(who + at) % modules.length]}/${who}.ts`
      const edit = { path, old: `a${at}`, new: `b${at}` }
      const test = { command: 'cd app && npm test' }
      const steps: [string, unknown, Pick<ToolResult, 'ok' | 'output'>][] = [
        // A file is looked for in two places before it is found.
        ['read_file', { path: `${path}x` }, { ok: false, output: 'The file does not exist.' }],
        ['read_file', { path: `${path}y` }, { ok: false, output: 'The file does not exist.' }],
        ['read_file', { path }, { ok: true, output: `export const value = ${who * 100 + at}` }],
        ['edit', edit, { ok: false, output: 'The string to replace was not found in the file.' }],
        ['edit', { ...edit, old: `c${at}` }, { ok: true, output: `edited ${path}` }],
        // All attempts at one task have the same failing test, until the last edit.
        ['bash', test, { ok: at % 6 === 5, output: `Tests: ${9 - at} failed, login.test.ts` }],
      ]
      const step = steps[at % steps.length]
      return step ? worker.call(...step) : []
    })
    expect(verdicts).toEqual([])
    await silent(store, all)
  })

  it('workers that each look for files that are not there, or edit what is not there', async () => {
    const files = ['package-lock.json', 'yarn.lock', 'pnpm-lock.yaml', 'bun.lockb']
    for (const output of [
      'File not found',
      'Error: file does not exist.',
      'No such file or directory',
      'String to replace not found in file.',
      'Could not find the text in the file',
    ]) {
      const store = steadySwarm()
      const all = team(store, 10)
      const verdicts = await runAll(all, files.length, (worker, at) =>
        worker.call('open_file', { path: files[at] }, { ok: false, output }),
      )
      expect(verdicts).toEqual([])
      await silent(store, all)
    }
  })

  it('workers that look at a list that does not change until they are told', async () => {
    const store = steadySwarm()
    const all = team(store, 10)
    const verdicts = await runAll(all, 4, (worker) =>
      worker.call('list_tasks', {}, { ok: true, output: '1. [ ] Write the page' }),
    )
    // Each is told by its own detector.
    expect(verdicts.map(({ kind }) => kind)).toEqual(Array(10).fill('no-progress'))
    await silent(store, all)
  })

  it('fleets whose leads give the same task to the same kind of agent', async () => {
    const store = steadySwarm()
    const all = team(store, 12)
    const verdicts = await runAll(all, 3, ({ swarm }) => {
      const task = 'Run the test suite and report what fails.'
      return [swarm.handOver({ path: ['lead'], agent: 'tester', task }).verdict]
    })
    expect(verdicts.map(({ action }) => action)).toEqual(Array(36).fill('continue'))
    // The hand-overs are counted, but they are no loop.
    expect(all.flatMap(({ latches }) => latches)).toEqual([])
    expect(all.map(({ swarm }) => swarm.stats().latched)).toEqual(Array(12).fill(0))
    const names = (await store.latched('default', 10)).map(({ fingerprint }) => fingerprint)
    expect(names).toEqual([expect.stringMatching(/^edge:tester:/)])
  })
})

describe('agents that are stuck warn the others', () => {
  it('of the call, before they make it', async () => {
    const store = steadySwarm()
    const [first, second, third] = team(store, 3)
    const failing = { ok: false, output: 'Error: connect ECONNREFUSED db.internal:5432' }
    for (let call = 0; call < 14; call++) {
      first?.call('bash', { command: 'psql -h db.internal' }, failing)
      second?.call('bash', { command: 'psql -h db.internal' }, failing)
    }
    for (const worker of workers) await worker.meet()
    const [listed] = await store.latched('default', 10)
    expect(listed?.workers).toBe(2)
    const verdict = third?.swarm.ask({ name: 'bash', args: { command: 'psql -h db.internal' } })
    expect(verdict).toMatchObject({
      action: 'nudge',
      kind: 'global',
      tool: 'bash',
      level: 'critical',
    })
    expect(verdict?.message).toMatch(/2 agents/)
    expect(third?.swarm.ask({ name: 'bash', args: { command: 'ls' } }).action).toBe('continue')
  })

  it('of an error, whatever the arguments', async () => {
    const store = steadySwarm()
    const all = team(store, 5)
    const dead = (who: number, at: number) => ({
      ok: false,
      output: `401 Unauthorized: the API key sk-live-${who}9f8a7b6c5d4e is not valid (request ${at})`,
    })
    await runAll(all, 4, (worker, at, who) =>
      worker.call('search_api', { query: `question ${who} ${at}` }, dead(who, at)),
    )
    const late = new Worker(store)
    await late.meet()
    const verdicts = late.call('search_api', { query: 'something else' }, dead(7, 1))
    expect(verdicts).toHaveLength(1)
    expect(verdicts[0]).toMatchObject({ kind: 'global', action: 'nudge', tool: 'search_api' })
    expect(verdicts[0]?.count).toBe(10)
    // Another error of the same tool is not this one.
    const other = { ok: false, output: 'The query is too long: at most 400 characters are allowed' }
    expect(late.call('search_api', { query: 'x' }, other)).toEqual([])
  })

  it('of a program that is missing, whatever else the shell can do', async () => {
    const store = steadySwarm()
    const all = team(store, 2)
    const missing = { ok: false, output: 'bash: line 1: poetry: command not found' }
    const last = await runAll(all, 9, (worker, at, who) => [
      ...worker.call(
        'bash',
        { command: `ls src/${at}` },
        { ok: true, output: `file-${who}-${at}` },
      ),
      ...worker.call('bash', { command: `cd /app && CI=1 poetry run step-${at}` }, missing),
    ])
    expect(last.filter(({ kind }) => kind === 'global').length).toBeGreaterThan(0)
    const listed = await store.latched('default', 10)
    expect(listed.map(({ fingerprint }) => fingerprint.split(':')[0])).toContain('error')
  })

  it('of a tool that finds nothing, wherever one looks', async () => {
    const store = steadySwarm()
    const all = team(store, 2)
    const missing = { ok: false, output: 'Error: credentials not found for project main' }
    const looks = (worker: Worker, at: number, who: number) =>
      worker.call('search_docs', { query: `topic ${who} ${at * 7}` }, missing)
    const errors = async () =>
      (await store.latched('default', 10)).filter(({ fingerprint }) => /^error/.test(fingerprint))
    await runAll(all, 11, looks)
    expect(await errors()).toEqual([])
    await runAll(all, 6, (worker, at, who) => looks(worker, at + 11, who))
    expect(await errors()).toHaveLength(1)
  })

  it('by the calls that were wasted, not by how often it was said', async () => {
    const store = steadySwarm()
    const [worker] = team(store, 1)
    const reported: number[] = []
    const failing = { ok: false, output: 'Error: the module cannot be found: left-pad' }
    let wasted = 0
    for (let call = 0; call < 10; call++) {
      for (const verdict of worker?.call('bash', { command: 'node app.js' }, failing) ?? []) {
        wasted = Math.max(wasted, verdict.wasted)
        // The first nudge comes early, and is not reported.
        if (verdict.action !== 'nudge' || verdict.wasted > 3) reported.push(verdict.wasted)
      }
    }
    const { recorded } = worker?.swarm.stats() ?? { recorded: 0 }
    expect(reported.length).toBeGreaterThan(0)
    // Waste, and one report for each verdict. The error belongs to this one call, so it is not shared.
    const atLeastOne = reported.filter((one, at) => at > 0 && one <= (reported[at - 1] ?? 0)).length
    expect(recorded).toBeGreaterThanOrEqual(wasted + reported.length)
    expect(recorded).toBeLessThanOrEqual(wasted + reported.length + atLeastOne * wasted)
  })

  it('with calls, verdicts and results are not reported', () => {
    const swarm = new SharedSwarm({ store: steadySwarm(), report: 'calls', pollMs: 0 })
    const call = { name: 'bash', args: {} }
    const detector = new LoopDetector('window')
    const verdict = [1, 2, 3].map(() => detector.record('bash', {})).at(-1) as Verdict
    expect(verdict.action).toBe('stop')
    swarm.observe(call, verdict)
    swarm.observeResult(call, { ok: false, output: 'the same error again and again' })
    expect(swarm.stats().recorded).toBe(0)
    detector.free()
  })
})
