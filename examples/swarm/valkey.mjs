import { GlideClient } from '@valkey/valkey-glide'
import { redisSwarm, SharedSwarm } from 'loophound/swarm'

const { hostname: host, port } = new URL(process.env.VALKEY_URL)
const client = await GlideClient.createClient({ addresses: [{ host, port: Number(port) }] })

const swarm = new SharedSwarm({ store: redisSwarm(client), scope: 'prod', report: 'calls' })
await swarm.refresh() // what others are stuck on
const verdict = swarm.record('web_search', { query: 'weather' })
console.log(verdict.kind)
await swarm.dispose()
client.close()
