import { redisSwarm, SharedSwarm } from 'loophound/swarm'
import { createClient } from 'redis'

const client = createClient({ url: process.env.REDIS_URL })
client.on('error', () => {}) // node-redis wants one; the swarm has its own onError
await client.connect()

const swarm = new SharedSwarm({ store: redisSwarm(client), scope: 'prod', report: 'calls' })
await swarm.refresh() // what others are stuck on; a worker that stays polls for it
const verdict = swarm.record('web_search', { query: 'weather' }) // at once, before the call runs
console.log(verdict.kind) // 'global' if the fleet is stuck on it, else null
await swarm.dispose()
client.destroy()
