// What every adapter must show. A check knows no framework: it has a driver,
// which plays the scripted turns as its framework's model (see ../README.md).
import assert from 'node:assert/strict'
import { LoopDetector } from 'loophound'
import { injected } from './inject.mjs'
import { BLOCK, LADDER, NUDGE, SUMMARY } from './options.mjs'
import { always, call, from, inTurn } from './turns.mjs'

const guard = { detector: LADDER }

/** Tools that count: `read` and `look` answer, `fail` throws, each time in other words. */
function countingTools() {
  const ran = { read: 0, look: 0, fail: 0 }
  const tool = (name, answer) => async (args) => {
    ran[name] += 1
    // A real tool takes its time: runs that go on at once take turns here.
    await new Promise((resolve) => setTimeout(resolve, 1))
    return answer(args)
  }
  const tools = {
    read: tool('read', ({ path }) => `content of ${path}`),
    look: tool('look', ({ path }) => `looked at ${path}`),
    fail: tool('fail', () => {
      throw new Error(`boom ${ran.fail}`)
    }),
  }
  return { ran, tools }
}

/** The model repeats a call: it is spoken to, then refused, then the run ends. */
async function looping(driver, settings = {}) {
  const { ran, tools } = countingTools()
  const { prompts } = await driver.make({ guard, tools, ...settings }).run({
    turns: always(call('read')),
  })
  const { stops = true } = driver
  assert.equal(ran.read, 3, 'the tool runs three times')
  const seen = prompts.map((prompt) => [prompt.includes(NUDGE), prompt.includes(BLOCK)])
  assert.deepEqual(
    seen.slice(0, 3).flat(),
    [false, false, false, false, false, false],
    'nothing is said before the third call',
  )
  assert.ok(seen[3]?.[0], 'the model sees the nudge after the third call')
  assert.ok(seen[4]?.[1], 'the model sees why the fourth call was refused')
  if (stops) assert.equal(prompts.length, 5, 'the model is asked five times')
}

/** With and without the adapter: the same, to the letter, and nothing is wrong with its use. */
async function untouched(driver, turns, settings = {}) {
  const play = async (given) => {
    const { ran, tools } = countingTools()
    const { prompts, messages } = await driver
      .make({ guard: given, tools, ...settings })
      .run({ turns })
    return { ran, prompts, messages }
  }
  const said = []
  const bare = await play(undefined)
  const guarded = await play({
    ...guard,
    onVerdict: (verdict) => said.push(verdict),
    onWarning: ({ code }) => said.push(code),
  })
  assert.ok(bare.prompts.length > 1, 'the model is asked more than once')
  assert.deepEqual(guarded, bare)
  assert.deepEqual(said, [])
}

const STUCK = 'Other agents are stuck on this call.'

/** A swarm that is stuck on `look`. */
function watchfulSwarm() {
  const { verdict: fine } = new LoopDetector()
  const global = { action: 'block', level: 'critical', kind: 'global', message: STUCK }
  const stuck = Object.freeze({ ...fine, ...global })
  const [asked, told] = [[], []]
  return {
    ...{ asked, told },
    ask({ name }) {
      asked.push(name)
      return bare(name) === 'look' ? stuck : fine
    },
    observe() {},
    observeResult({ name }) {
      told.push(name)
      return fine
    },
  }
}

/** A tool's name, without what hosts put before it. */
const bare = (name) => /[a-z]+$/.exec(name)?.[0]

/** So many turns with the same call. */
const times = (count) => Array.from({ length: count }, () => ({ calls: [call('read')] }))

const HEALTHY = inTurn(
  { calls: [call('read', 'a.txt')] },
  { calls: [call('read', 'b.txt'), call('look', 'b.txt')] },
  { calls: [call('look', 'a.txt')], text: 'one more look' },
  { calls: [call('read', 'a.txt')] },
)

export const CHECKS = [
  {
    id: 'loop',
    about: 'nudge seen by the model, then block, then stop: 5 model calls, 3 runs of the tool',
    run: (driver) => looping(driver),
  },
  {
    id: 'stream',
    about: 'the same, streamed; and a healthy run, streamed, is untouched',
    async run(driver) {
      await looping(driver, { stream: true })
      await untouched(driver, HEALTHY, { stream: true })
    },
  },
  {
    id: 'healthy',
    about: 'same messages, same calls as without the adapter',
    run: (driver) => untouched(driver, HEALTHY),
  },
  {
    id: 'hooks',
    about: "the user's own hooks are called as without the adapter",
    async run(driver) {
      const play = async (given) => {
        const { tools } = countingTools()
        return (await driver.make({ guard: given, tools, hooks: true }).run({ turns: HEALTHY }))
          .hooks
      }
      const [bare, guarded] = [await play(undefined), await play(guard)]
      assert.ok(Object.keys(bare).length > 0, 'the driver has hooks')
      for (const [name, count] of Object.entries(bare)) assert.ok(count > 0, `${name} is called`)
      assert.deepEqual(guarded, bare)
    },
  },
  {
    id: 'parallel',
    about: 'equal calls of one turn are one round',
    async run(driver) {
      const { ran, tools } = countingTools()
      const { prompts } = await driver.make({ guard, tools }).run({
        turns: always(call('read'), call('read')),
      })
      assert.equal(ran.read, 6, 'three rounds of two')
      assert.ok(prompts[3].includes(NUDGE) && !prompts[2].includes(NUDGE), 'nudge after round 3')
      if (driver.stops ?? true) assert.equal(prompts.length, 5, 'the model is asked five times')
    },
  },
  {
    id: 'throws',
    about: 'a tool that throws: the guard sees the real error, the run goes on',
    async run(driver) {
      const { ran, tools } = countingTools()
      const detector = new LoopDetector(LADDER)
      const results = []
      const recordResult = detector.recordResult.bind(detector)
      detector.recordResult = (result) => {
        results.push(result)
        return recordResult(result)
      }
      await driver.make({ guard: { detector }, tools }).run({ turns: always(call('fail')) })
      assert.equal(ran.fail, 3)
      assert.deepEqual(
        results.map(({ ok, output }) => [ok, /boom (\d)/.exec(output)?.[1]]),
        [1, 2, 3].map((n) => [false, String(n)]),
      )
      const turns = inTurn({ calls: [call('fail')] }, { calls: [call('read')] })
      if (!driver.throwingToolEndsRun) return untouched(driver, turns)
      const bare = driver.make({ guard: undefined, tools: countingTools().tools }).run({ turns })
      await assert.rejects(bare, /boom 1/, 'without the adapter the run ends')
    },
  },
  {
    id: 'apart',
    about: 'two runs at the same time do not mix',
    async run(driver) {
      const { ran, tools } = countingTools()
      const agent = driver.make({ guard, tools })
      const turns = inTurn({ calls: [call('read')] }, { calls: [call('read')] })
      const runs = await Promise.all(['one', 'two'].map((thread) => agent.run({ turns, thread })))
      assert.equal(ran.read, 4)
      for (const { prompts } of runs) {
        assert.equal(prompts.length, 3)
        assert.ok(!prompts.join().includes('NUDGE'), 'two calls in each run are no loop')
      }
    },
  },
  {
    id: 'resume',
    about: 'a run that goes on from a snapshot goes on counting',
    async run(driver) {
      const { ran, tools } = countingTools()
      const turns = always(call('read'))
      const before = await driver
        .make({ guard, tools, maxSteps: 2 })
        .run({ turns, save: true, thread: 'one' })
      assert.equal(ran.read, 2)
      const saved = JSON.parse(JSON.stringify(before.saved))
      const { prompts } = await driver
        .make({ guard, tools })
        .run({ turns: from(2, turns), resume: saved, thread: 'one' })
      assert.equal(ran.read, 3)
      assert.ok(!prompts[0].includes(NUDGE) && prompts[1].includes(NUDGE), 'nudge after one call')
      if (driver.stops ?? true) assert.equal(prompts.length, 3)
    },
  },
  {
    id: 'observe',
    about: 'observe mode reports, and changes nothing',
    async run(driver) {
      const turns = inTurn(...Array.from({ length: 6 }, () => ({ calls: [call('read')] })))
      const play = async (given) => {
        const { ran, tools } = countingTools()
        const { prompts, messages } = await driver.make({ guard: given, tools }).run({ turns })
        return { ran, prompts, messages }
      }
      const actions = []
      const onVerdict = ({ action }) => actions.push(action)
      assert.deepEqual(await play({ ...guard, mode: 'observe', onVerdict }), await play(undefined))
      assert.deepEqual(actions, ['nudge', 'block', 'stop', 'stop'])
    },
  },
  {
    id: 'swarm',
    about:
      'a swarm is asked before each call, and told of each result; what it refuses does not run',
    async run(driver) {
      const { ran, tools } = countingTools()
      const swarm = watchfulSwarm()
      const { prompts } = await driver.make({ guard: { ...guard, swarm }, tools }).run({
        turns: inTurn({ calls: [call('read')] }, { calls: [call('look')] }),
      })
      assert.deepEqual(swarm.asked.map(bare), ['read', 'look'])
      assert.deepEqual(swarm.told.map(bare), ['read'])
      assert.deepEqual([ran.read, ran.look], [1, 0])
      assert.ok(prompts[2].includes(STUCK), 'the model sees why the call was refused')
    },
  },
  {
    id: 'outcome',
    about: 'the guard says how a run ended, and the user is told what happened',
    async run(driver) {
      const play = async (turns) => {
        const { tools } = countingTools()
        let seen
        const onVerdict = (_, { guard }) => {
          seen = guard
        }
        const made = driver.make({ guard: { ...guard, onVerdict, onWarning: false }, tools })
        const { output, prompts } = await made.run({ turns })
        assert.ok(!prompts.join().includes('LoopBlockedError'), 'the model sees the reason alone')
        assert.ok(seen, 'there was a verdict')
        return { outcome: seen.outcome, output }
      }
      const { stops = true } = driver
      const stopped = await play(stops ? always(call('read')) : inTurn(...times(5)))
      assert.equal(stopped.outcome.state, 'stopped')
      assert.match(stopped.outcome.summary, SUMMARY)
      if (stopped.output !== undefined) assert.equal(stopped.output, stopped.outcome.summary)
      if (!stops) return
      const { outcome } = await play(inTurn(...times(3)))
      assert.deepEqual([outcome.state, outcome.summary], ['finished', null])
      assert.deepEqual([outcome.calls, outcome.turns], [3, 4])
    },
  },
  {
    id: 'inject',
    about: "a tool's output is quoted, and nothing in it is taken for anything else",
    run: injected,
  },
  {
    id: 'chant',
    about: 'text that goes in circles is cut off as it streams',
    async run(driver) {
      const sentence = 'I will now check the file again. '
      const { text, pulled } = await driver.chant(Array.from({ length: 1000 }, () => sentence))
      assert.ok(text.length < 300 * sentence.length, 'the text ends early')
      assert.ok(pulled < 500, 'the rest is not asked for')
    },
  },
  {
    id: 'example',
    about: 'the example of the documentation runs, and ends a loop',
    run: (driver) => driver.example(),
  },
]

/** The same checks for a second way to use an adapter. What has no hooks has none there either. */
export const again = (name, driver) =>
  CHECKS.filter(({ id }) => id !== 'example' && id !== 'hooks').map(({ id, run }) => ({
    id: `${name}, ${id}`,
    run: () => run(driver),
  }))
