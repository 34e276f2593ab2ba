// Runs the checks in a fixture, in a process of its own. Prints a line of JSON
// for each: `{ id, ok, note, error }`.
import { CHECKS } from './checks.mjs'

const { driver } = await import(`../fixtures/${process.argv[2]}/driver.mjs`)

/** How long a check may take, in milliseconds. */
const { patience = 120_000 } = driver

for (const { id, run } of driver.suite ?? [...CHECKS, ...(driver.checks ?? [])]) {
  const lack = driver.lacks?.[id]
  const outcome = lack ? { ok: true, note: lack } : await attempt(() => run(driver))
  console.log(JSON.stringify({ id, ...outcome }))
}
process.exit(0)

async function attempt(run) {
  let timer
  const tooLong = new Promise((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`It did not end within ${patience / 1000} s.`)),
      patience,
    )
  })
  try {
    return { ok: true, note: await Promise.race([run(), tooLong]) }
  } catch (error) {
    return { ok: false, error: error.stack ?? String(error) }
  } finally {
    clearTimeout(timer)
  }
}
