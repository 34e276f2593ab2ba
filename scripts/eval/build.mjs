// Brings pkg/ up to date. Where the output is for a program, what the build says goes to stderr.
import { buildAll } from '../build/all.mjs'
import { Failure } from '../support/failure.mjs'
import { inRoot } from '../support/paths.mjs'
import { capture } from '../support/process.mjs'
import { writeError } from '../support/terminal.mjs'

export async function prepare({ quiet }) {
  if (!quiet) return buildAll()
  const { code } = await capture(process.execPath, [inRoot('scripts/build.mjs')], {
    onOutput: writeError,
  })
  if (code !== 0) throw new Failure('The build failed.', 'Its output is above.')
}
