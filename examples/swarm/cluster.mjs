import { Cluster } from 'ioredis'
import { redisSwarm, SharedSwarm } from 'loophound/swarm'

const nodes = process.env.REDIS_NODES.split(',') // redis://host:port, any of them
const cluster = new Cluster(nodes, { lazyConnect: true })
await cluster.connect()

const swarm = new SharedSwarm({ store: redisSwarm(cluster), scope: 'prod', report: 'calls' })
await swarm.refresh() // what others are stuck on
const verdict = swarm.record('web_search', { query: 'weather' })
console.log(verdict.kind)
await swarm.dispose()
cluster.disconnect()
