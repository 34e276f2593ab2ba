import { Redis } from '@upstash/redis'
import { SharedSwarm, upstashSwarm } from 'loophound/swarm'

const redis = Redis.fromEnv() // UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN
const store = upstashSwarm(redis)

const swarm = new SharedSwarm({ store, scope: 'prod', report: 'calls', timeoutMs: 1000 })
await swarm.refresh() // what others are stuck on
const verdict = swarm.record('web_search', { query: 'weather' })
console.log(verdict.kind)
await swarm.dispose()
