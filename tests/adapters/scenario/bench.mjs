// What a guarded tool call costs against a bare one, in a fixture, in a process of its own:
//   node bench.mjs <fixture> [<rounds>]
// Prints one line of JSON: for each round, microseconds for a call, bare and guarded.
import { call, inTurn } from './turns.mjs'

const CALLS = 40

const [name, wanted] = process.argv.slice(2)
const { driver } = await import(`../fixtures/${name}/driver.mjs`)

const { warmUp = 60, rounds = 140 } = driver.bench ?? {}
const measured = wanted ? Number(wanted) : rounds
const unmeasured = Math.min(warmUp, measured)

// Work, not a loop: the guard has to look at everything and finds nothing.
const turns = inTurn(
  ...Array.from({ length: CALLS }, (_, n) => ({ calls: [call('read', `src/file${n}.ts`)] })),
)
const tools = { read: ({ path }) => `the content of ${path}` }

/** Processor time, where it is this process that works: what else the machine does is not in it. */
async function time(guard) {
  const agent = driver.make({ guard, tools, quiet: true, maxSteps: CALLS + 2 })
  const before = process.cpuUsage()
  const { took } = await agent.run({ turns })
  const { user, system } = process.cpuUsage(before)
  return (took ?? user + system) / CALLS
}

const bare = []
const guarded = []
for (let round = -unmeasured; round < measured; round++) {
  // In turns, and each first as often, so that neither always follows the other.
  const pair = round % 2 === 0 ? [undefined, {}] : [{}, undefined]
  for (const guard of pair) {
    const took = await time(guard)
    if (round >= 0) (guard ? guarded : bare).push(took)
  }
}

console.log(JSON.stringify({ bare, guarded }))
process.exit(0)
