/** A store in memory that does not depend on when the tests are run. */

import { type MemorySwarmOptions, memorySwarm, type SwarmStore } from 'loophound/swarm'

/** The middle of a window of the default length. */
const MIDDLE = 300_000

const started = performance.now()

/** Its clock begins in the middle of a window, so that no bucket ends during a test. */
export const steadySwarm = (options: MemorySwarmOptions = {}): SwarmStore =>
  memorySwarm({ now: () => Math.round(MIDDLE + performance.now() - started), ...options })
