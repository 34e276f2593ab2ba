/**
 * Shows the progress of a scan on a terminal: how far it is, how fast, and how long it will take.
 *
 * @module
 */

import { SingleBar } from 'cli-progress'
import type { Candidate } from './files.js'

const MEGABYTE = 1_000_000
/** A smaller single file, in bytes, is read before a bar would be noticed. */
const LARGE = 16 * MEGABYTE

/** A progress bar on standard error; nothing if that is not a terminal. */
export class Progress {
  readonly #bar: SingleBar | undefined
  readonly #begun = Date.now()
  #bytes = 0
  #files = 0
  /** How many bytes were read of files that are not done. */
  readonly #partly = new Map<Candidate, number>()

  constructor(files: readonly Candidate[]) {
    const bytes = files.reduce((sum, { size }) => sum + size, 0)
    if (!process.stderr.isTTY || (files.length < 2 && bytes < LARGE)) return
    this.#bar = new SingleBar({
      format: '{bar} {files} of {all} files  {rate} MB/s  {eta_formatted} left',
      barsize: 24,
      stream: process.stderr,
      hideCursor: true,
      clearOnComplete: true,
      barCompleteChar: '━',
      barIncompleteChar: '─',
    })
    this.#bar.start(bytes / MEGABYTE, 0, { files: 0, all: files.length, rate: '–' })
  }

  /** Counts a part of a file. */
  read(file: Candidate, bytes: number): void {
    this.#partly.set(file, (this.#partly.get(file) ?? 0) + bytes)
    this.#bytes += bytes
    this.#show()
  }

  /** Counts a file that is done. */
  done(file: Candidate): void {
    this.#files += 1
    this.#bytes += file.size - (this.#partly.get(file) ?? 0)
    this.#partly.delete(file)
    this.#show()
  }

  #show(): void {
    const seconds = (Date.now() - this.#begun) / 1000
    const megabytes = this.#bytes / MEGABYTE
    this.#bar?.update(megabytes, {
      files: this.#files,
      rate: seconds > 0.2 ? (megabytes / seconds).toFixed(0) : '–',
    })
  }

  /** Removes the bar. */
  end(): void {
    this.#bar?.stop()
  }
}
