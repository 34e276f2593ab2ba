/**
 * Asks the judge: in the page itself about short transcripts, in a worker about long ones.
 *
 * @module
 */

import type { FolderReport } from '../js/report/folder-report.js'
import {
  type Answer,
  type CallPlace,
  type Explained,
  Judge,
  type Question,
  type Request,
  type Source,
} from './judge.js'

/** Characters up to which a transcript is judged faster here than it is sent to a worker. */
const SHORT = 200_000

const WARM_UPS = 4

export class JudgeClient {
  readonly #local = new Judge()
  readonly #startWorker: () => Worker
  #worker: Worker | undefined
  #isLong = false
  #count = 0
  readonly #waiting = new Map<number, (answer: Answer) => void>()

  constructor(startWorker: () => Worker) {
    this.#startWorker = startWorker
  }

  /**
   * Starts the worker before it is needed, and has it judge something a few times: compiling the
   * code takes longer than running it.
   */
  async warmUp(source: Source, question: Question): Promise<void> {
    if (this.#worker) return
    await this.#ask('load', [[source]])
    for (let round = 0; round < WARM_UPS; round++) await this.#ask('report', [question])
  }

  async load(sources: readonly Source[]): Promise<void> {
    this.#isLong = sources.reduce((sum, { text }) => sum + text.length, 0) > SHORT
    try {
      if (this.#isLong) await this.#ask('load', [sources])
    } catch {
      // A browser that allows no worker has to wait.
      this.#isLong = false
    }
    this.#local.load(this.#isLong ? [] : sources)
  }

  async report(question: Question): Promise<FolderReport> {
    if (!this.#isLong) return this.#local.report(question)
    return (await this.#ask('report', [question])) as FolderReport
  }

  async explain(place: CallPlace, question: Question): Promise<Explained | null> {
    if (!this.#isLong) return this.#local.explain(place, question)
    return (await this.#ask('explain', [place, question])) as Explained | null
  }

  async #ask(method: Request['method'], args: unknown[]): Promise<unknown> {
    const worker = this.#running()
    this.#count += 1
    const id = this.#count
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, ({ value, error }) =>
        error === undefined ? resolve(value) : reject(new Error(error)),
      )
      worker.postMessage({ id, method, args } satisfies Request)
    })
  }

  #running(): Worker {
    if (this.#worker) return this.#worker
    const worker = this.#startWorker()
    worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
      this.#waiting.get(data.id)?.(data)
      this.#waiting.delete(data.id)
    })
    worker.addEventListener('error', ({ message }) => {
      for (const [id, answer] of this.#waiting)
        answer({ id, error: message || 'the worker failed' })
      this.#waiting.clear()
      this.#worker = undefined
    })
    this.#worker = worker
    return worker
  }
}
