// One worker process of the fault checks: records calls, while its server fails, and says at the end
// what became of them.
import { setTimeout as sleep } from 'node:timers/promises'
import { ioRedis, ioRedisCluster, nodeRedis } from './clients.mjs'
import { entry } from './packages.mjs'

const { client, ports, scope, records, fingerprints, pauseMs } = JSON.parse(process.argv[2] ?? '{}')

const thrown = []
process.on('uncaughtException', (error) => thrown.push(String(error.stack ?? error)))
process.on('unhandledRejection', (error) => thrown.push(String(error)))
// The suite was interrupted, perhaps before this process had started.
process.once('disconnect', () => process.exit(1))
if (!process.connected) process.exit(1)

const CLIENTS = {
  'node-redis': () => nodeRedis(ports[0]),
  ioredis: () => ioRedis(ports[0]),
  cluster: () => ioRedisCluster(ports),
}
const { store } = await CLIENTS[client]()
const { SharedSwarm } = await entry('swarm')
const DAYS = 518_400_000
let latches = 0
const states = []
const swarm = new SharedSwarm({
  ...{ store, scope, report: 'calls', flushMs: 20, pollMs: 500 },
  rule: { windowMs: DAYS, threshold: 100, minWorkers: 2, latchMs: DAYS },
  onLatch: () => {
    latches += 1
  },
  onState: (state) => states.push(state),
})
process.send?.('ready')
await new Promise((resolve) => process.once('message', resolve))

for (let call = 0; call < records; call++) {
  swarm.recordFingerprint('tool', `call ${call % fingerprints}`)
  if (call % 125 === 124) await sleep(pauseMs)
}
const deadline = Date.now() + 180_000
while (swarm.stats().buffered > 0 && Date.now() < deadline) {
  await swarm.flush()
  await sleep(25)
}
await swarm.dispose()
process.send?.({ ...swarm.stats(), latches, states, thrown })
process.exit(0)
