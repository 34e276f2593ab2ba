// Measures part after part, and says which.
import { Failure, writeError } from '../support/cli.mjs'
import { measureNative } from './native.mjs'
import { measureIn, NODE, runtimeNames } from './runtimes.mjs'

const PROCESSES = 21

/** @returns {Promise<object>} The figures of each part that was asked for. */
export async function measureParts(only) {
  const figures = {}
  const measured = async (part, about, measure) => {
    if (!only.includes(part)) return
    writeError(`Measuring ${about}.\n`)
    Object.assign(figures, await measure())
  }
  // First, as it has to be compiled: what cannot be is known before the long parts.
  await measured('native', 'the native engine', async () => ({ native: await measureNative() }))
  await measured('calls', 'calls in each runtime', async () => ({ calls: await inEach('calls') }))
  await measured('answers', 'calls with results', async () => ({
    answers: silent(await measureIn(NODE, 'answers')),
  }))
  await measured('rest', 'batches and snapshots', async () => ({
    rest: await measureIn(NODE, 'rest'),
  }))
  await measured('start', `import and first call, ${PROCESSES} processes each`, async () => ({
    starts: await startEach(),
  }))
  await measured('growth', 'ten million calls, and ten thousand detectors', async () => ({
    length: quiet(await measureIn(NODE, 'length')),
    crowds: quiet(await measureIn(NODE, 'crowds')),
  }))
  return figures
}

async function inEach(what) {
  const found = {}
  for (const runtime of runtimeNames) found[runtime] = silent(await measureIn(runtime, what))
  return found
}

/** The runtimes take turns here too. */
async function startEach() {
  const found = Object.fromEntries(runtimeNames.map((name) => [name, []]))
  for (let round = 0; round < PROCESSES; round++) {
    for (const runtime of runtimeNames) found[runtime].push(await measureIn(runtime, 'start'))
  }
  return found
}

function quiet(figures) {
  if (figures.alarms === 0) return figures
  throw new Failure(`${figures.alarms} loops were seen where no call repeats.`)
}

/** Who sees a loop does other work than who does not: then nothing would be comparable. */
function silent(rows) {
  const loud = rows.find(({ cells }) => cells.some(({ alarms }) => alarms > 0))
  if (loud) throw new Failure(`${loud.name} saw loops in calls that do not repeat.`)
  return rows
}
