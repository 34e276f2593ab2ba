// Brings pkg/ up to date. Where the output is for a program, what the build says goes to stderr.
import { buildAll } from '../build/all.mjs'
import { Failure } from '../support/cli.mjs'
import { inRoot } from '../support/files.mjs'
import { show } from '../support/process.mjs'

export async function prepare({ quiet }) {
  if (!quiet) return buildAll()
  const code = await show(process.execPath, [inRoot('scripts/build.mjs')], {
    stdio: ['ignore', process.stderr, process.stderr],
  })
  if (code !== 0) throw new Failure('The build failed.', 'Its output is above.')
}
