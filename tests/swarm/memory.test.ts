/** The store in memory does what every store must do. */

import { memorySwarm } from 'loophound/swarm'
import { describe, it } from 'vitest'
import { ALONE, CHECKS, runCheck, TIMED } from './conformance.mjs'

/** A clock that no test sets. */
const now = () => Math.round(performance.timeOrigin + performance.now())

const check = (name: string) => runCheck(name, memorySwarm({ now }))

describe('memorySwarm', () => {
  const others = Object.keys(CHECKS).filter((name) => ![...ALONE, ...TIMED].includes(name))
  it.concurrent.each(others)('%s', check)

  // A busy machine can hold up a process for longer than their windows.
  it.concurrent.each(TIMED)('%s', { retry: 2 }, check)
})

it.each(ALONE)('memorySwarm: %s', check)
