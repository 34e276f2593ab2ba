// What a guarded tool call costs against a bare one, in a fixture, in a process
// of its own. Prints one line of JSON: microseconds for each call.
import { call, inTurn } from './turns.mjs'

const CALLS = 40

const { driver } = await import(`../fixtures/${process.argv[2]}/driver.mjs`)

const { warmUp = 60, runs = 140 } = driver.bench ?? {}

// Work, not a loop: the guard has to look at everything and finds nothing.
const turns = inTurn(
  ...Array.from({ length: CALLS }, (_, n) => ({ calls: [call('read', `src/file${n}.ts`)] })),
)
const tools = { read: ({ path }) => `the content of ${path}` }

async function time(guard) {
  const agent = driver.make({ guard, tools, quiet: true, maxSteps: CALLS + 2 })
  const started = process.hrtime.bigint()
  const { took = microseconds(started) } = await agent.run({ turns })
  return took / CALLS
}

const microseconds = (started) => Number(process.hrtime.bigint() - started) / 1000

const bare = []
const guarded = []
for (let run = 0; run < warmUp + runs; run++) {
  // In turns, and each first as often, so that a busy moment meets both.
  const pair = run % 2 === 0 ? [undefined, {}] : [{}, undefined]
  for (const guard of pair) {
    const took = await time(guard)
    if (run >= warmUp) (guard ? guarded : bare).push(took)
  }
}

// The fastest tenth: what others do on the same machine only ever adds.
const best = (times) => times.sort((a, b) => a - b)[Math.floor(times.length / 10)]
console.log(JSON.stringify({ bare: best(bare), guarded: best(guarded) }))
process.exit(0)
