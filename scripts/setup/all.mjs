// Installs what is missing, says so, and does nothing when all is there.

import { exclusively } from '../support/lock.mjs'
import { cargoTools, cleanUp } from './cargo-tools.mjs'
import { npmPackages } from './npm-packages.mjs'
import { Progress } from './progress.mjs'
import { requireNode, requireRust } from './requirements.mjs'
import { components, targets } from './rust-parts.mjs'

/** Gives back what is known about the Rust in use. */
export async function setup() {
  requireNode()
  const rust = await requireRust()
  // Two lanes side by side: npm waits for the network, cargo for the processor.
  const lanes = [[npmPackages], [targets(rust), components(rust), ...cargoTools()]]
  if ((await missing(lanes)).flat().length === 0) return rust
  await exclusively(async () => {
    // Somebody else may have finished the same work while we waited.
    const work = await missing(lanes)
    if (work.flat().length > 0) await install(work)
  })
  return rust
}

function missing(lanes) {
  return Promise.all(
    lanes.map(async (tasks) => {
      const answers = await Promise.all(tasks.map((task) => task.isMissing()))
      return tasks.filter((_, index) => answers[index])
    }),
  )
}

async function install(lanes) {
  const progress = new Progress()
  const stop = new AbortController()
  progress.announce(lanes.flat())
  try {
    await Promise.all(lanes.map((tasks) => runLane(tasks, progress, stop.signal)))
    cleanUp()
  } finally {
    stop.abort()
    progress.stop()
  }
}

async function runLane(tasks, progress, signal) {
  for (const task of tasks) {
    const started = Date.now()
    progress.start(task)
    await task.install({ signal, report: (text) => progress.report(task, text) })
    progress.finish(task, Date.now() - started)
  }
}
