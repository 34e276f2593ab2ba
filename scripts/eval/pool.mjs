// Shares the trajectories out among all cores.
import os from 'node:os'
import { Worker } from 'node:worker_threads'
import { Progress } from './progress.mjs'

// Small enough that no core waits long for the last one.
const PORTION = 8

/**
 * @param {{ labels: Map<string, object>, lines: readonly string[] }} corpus
 * @param {readonly { id: string, options: object }[]} policies
 * @param {{ isBrief?: boolean }} how Brief: of runs without a label, only the first alarm.
 * @returns {Promise<object[]>} For each line of the corpus, in order: `{ id, source, calls, alarms }`.
 */
export async function judgeAll({ labels, lines }, policies, { isBrief = false } = {}) {
  const portions = []
  for (let from = 0; from < lines.length; from += PORTION) {
    portions.push({ lines: lines.slice(from, from + PORTION), judged: [] })
  }
  const cores = Math.min(os.availableParallelism(), portions.length)
  // Options are plain data here, so they can be sent.
  const sent = {
    policies: policies.map(({ id, options }) => ({ id, options })),
    whole: isBrief ? new Set(labels.keys()) : null,
  }
  const progress = new Progress(lines.length, policies.length)
  const queue = portions.values()
  try {
    await Promise.all(Array.from({ length: cores }, () => runWorker(queue, sent, progress)))
  } finally {
    progress.end()
  }
  return portions.flatMap(({ judged }) => judged)
}

/** A worker that takes portions from the queue until there are none. */
async function runWorker(queue, workerData, progress) {
  const worker = new Worker(new URL('worker.mjs', import.meta.url), { workerData })
  try {
    for (const portion of queue) {
      portion.judged = await ask(worker, portion.lines)
      progress.add(portion.judged.length)
    }
  } finally {
    await worker.terminate()
  }
}

function ask(worker, message) {
  return new Promise((resolve, reject) => {
    worker.once('error', reject)
    worker.once('message', (answer) => {
      worker.off('error', reject)
      resolve(answer)
    })
    worker.postMessage(message)
  })
}
