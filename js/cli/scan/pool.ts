/**
 * Spreads files over threads, and yields their reports as they finish.
 *
 * @module
 */

import { availableParallelism } from 'node:os'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import type { Candidate } from './files.js'
import { type FileOutcome, type JudgeSettings, judgeFile } from './session.js'

/** Below this many bytes, a thread is not worth starting. */
const WORTH_A_THREAD = 4 * 1024 * 1024

/** Called with how many more bytes of a file were read. */
type OnRead = (candidate: Candidate, bytes: number) => void

/** Judges the files, in any order. Standard input is read by this thread. */
export async function* judgeAll(
  files: readonly Candidate[],
  settings: JudgeSettings,
  onRead: OnRead,
): AsyncGenerator<{ candidate: Candidate; outcome: FileOutcome }, void, void> {
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  const most = Math.min(availableParallelism(), files.length, Math.ceil(bytes / WORTH_A_THREAD))
  if (most < 2 || files.some(({ file }) => file === '-')) {
    for (const candidate of files) {
      const outcome = await judgeFile(candidate.file, settings, (bytes) => onRead(candidate, bytes))
      yield { candidate, outcome }
    }
    return
  }
  yield* spread(files, settings, most, onRead)
}

async function* spread(
  files: readonly Candidate[],
  settings: JudgeSettings,
  threads: number,
  onRead: OnRead,
): AsyncGenerator<{ candidate: Candidate; outcome: FileOutcome }, void, void> {
  // Largest first: a large file at the end would keep one thread busy and the others idle.
  const queue = [...files].sort((a, b) => b.size - a.size)
  const done: { candidate: Candidate; outcome: FileOutcome }[] = []
  let wake = () => {}
  let left = queue.length
  const finish = (candidate: Candidate, outcome: FileOutcome) => {
    done.push({ candidate, outcome })
    wake()
  }
  const workers = new Set<Worker>()
  const start = () => {
    const worker = new Worker(new URL(import.meta.url), { workerData: { settings } })
    workers.add(worker)
    let current: Candidate | undefined
    const next = () => {
      current = queue.shift()
      if (current) worker.postMessage(current.file)
      else void worker.terminate()
    }
    worker.on('message', (report: FileOutcome | number) => {
      if (typeof report === 'number') {
        if (current) onRead(current, report)
        return
      }
      if (current) finish(current, report)
      next()
    })
    // Most likely out of memory. The file is lost, the others are not.
    worker.on('error', (error) => {
      workers.delete(worker)
      const { file = '' } = current ?? {}
      if (current) finish(current, { state: 'failed', file, reason: error.message })
      if (queue.length > 0) start()
    })
    next()
  }
  for (let index = 0; index < threads; index++) start()
  try {
    while (left > 0) {
      const ready = done.shift()
      if (ready) {
        left -= 1
        yield ready
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    }
  } finally {
    for (const worker of workers) void worker.terminate()
  }
}

if (!isMainThread && parentPort && workerData?.settings) {
  const port = parentPort
  const { settings } = workerData as { settings: JudgeSettings }
  const onRead = (bytes: number) => port.postMessage(bytes)
  port.on('message', async (file: string) => {
    port.postMessage(await judgeFile(file, settings, onRead))
  })
}
