// An expected failure: what is wrong, and what to do next. Anything else that
// is thrown is a bug in these scripts and keeps its stack trace.
import { red, writeError } from './terminal.mjs'

export class Failure extends Error {
  constructor(message, next, output = '') {
    super(message)
    this.next = next
    this.output = output
  }
}

/** Runs a script's body and ends the process as its outcome demands. */
export async function main(body) {
  try {
    await body()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.output) writeError(`\n${error.output.trimEnd()}\n`)
    writeError(`\n${red('✗')} ${error.message}\n`)
    if (error.next) writeError(`  ${error.next}\n`)
    process.exit(1)
  }
}
