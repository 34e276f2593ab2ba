import { SharedSwarm } from 'loophound/swarm'
import { durableObjectSwarm } from 'loophound/swarm/cloudflare'

export { SwarmObject } from 'loophound/swarm/cloudflare' // to bind as SWARM, with SQLite storage

export default {
  async fetch(_request, env, ctx) {
    const store = durableObjectSwarm(env.SWARM)
    const swarm = new SharedSwarm({ store, scope: 'prod', report: 'calls', timeoutMs: 1000 })
    await swarm.refresh() // what others are stuck on
    const verdict = swarm.record('web_search', { query: 'weather' })
    ctx.waitUntil(swarm.pending) // sent after the answer
    return new Response(String(verdict.kind))
  },
}
