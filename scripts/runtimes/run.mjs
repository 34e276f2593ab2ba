// Runs the rows one after the other; how each ends is shown as it happens.
import { Failure } from '../support/cli.mjs'
import { removeApps } from './apps.mjs'
import { closeAll } from './closing.mjs'
import { equalsNative } from './expectation.mjs'
import { Table } from './table.mjs'

// A runtime that hangs is a runtime that fails.
const PATIENCE = 5 * 60_000

/** Gives back how many failed. */
export async function runRows(rows) {
  const table = new Table(rows)
  for (const row of rows) {
    table.start(row)
    const error = await runRow(row)
    table.finish(row, error)
  }
  await closeAll()
  const failed = table.end()
  if (failed === 0) removeApps()
  return failed
}

async function runRow({ run, check = equalsNative }) {
  let timer
  const tooLong = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Failure('It did not end within 5 minutes.')), PATIENCE)
  })
  try {
    await check(await Promise.race([run(), tooLong]))
  } catch (error) {
    return error
  } finally {
    clearTimeout(timer)
  }
}
