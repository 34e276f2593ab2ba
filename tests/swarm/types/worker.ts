/** A Worker that binds the Durable Object, as Cloudflare's types describe it. */

import { LoopGuard } from 'loophound'
import { SharedSwarm } from 'loophound/swarm'
import { durableObjectSwarm, SwarmObject } from 'loophound/swarm/cloudflare'

export { SwarmObject }

interface Env {
  /** As `wrangler types` writes it. */
  readonly SWARM: DurableObjectNamespace<SwarmObject>
  readonly PLAIN: DurableObjectNamespace
}

export default {
  async fetch(_request, env, ctx) {
    durableObjectSwarm(env.PLAIN, { shards: 4 })
    const store = durableObjectSwarm(env.SWARM)
    const swarm = new SharedSwarm({ store, scope: 'prod', timeoutMs: 1000 })
    const { run } = new LoopGuard({ swarm }).call({ id: '1', name: 'search', args: {} })
    ctx.waitUntil(swarm.pending)
    return new Response(String(run))
  },
} satisfies ExportedHandler<Env>
