/** Every store takes its clients as their own types describe them. */

import { Redis as Upstash } from '@upstash/redis'
import { GlideClient, GlideClusterClient } from '@valkey/valkey-glide'
import { Redis as IoRedis, Cluster as IoRedisCluster } from 'ioredis'
import { Redis as IoValkey } from 'iovalkey'
import { LoopGuard } from 'loophound'
import {
  memorySwarm,
  postgresSwarm,
  redisSwarm,
  SharedSwarm,
  type SwarmStore,
  upstashSwarm,
} from 'loophound/swarm'
import pg from 'pg'
import { createClient, createClientPool, createCluster, createSentinel } from 'redis'
import { createClient as createClient4, createCluster as createCluster4 } from 'redis-4'

const addresses = [{ host: 'localhost' }]

export const stores: SwarmStore[] = [
  memorySwarm(),
  redisSwarm(createClient()),
  redisSwarm(await createClient().connect()),
  redisSwarm(createClientPool()),
  redisSwarm(createCluster({ rootNodes: [] })),
  redisSwarm(createSentinel({ name: 'main', sentinelRootNodes: [] })),
  redisSwarm(createClient4()),
  redisSwarm(createCluster4({ rootNodes: [] })),
  redisSwarm(new IoRedis()),
  redisSwarm(new IoRedisCluster([])),
  redisSwarm(new IoValkey(), { subscribe: true }),
  redisSwarm(await GlideClient.createClient({ addresses })),
  redisSwarm(await GlideClusterClient.createClient({ addresses })),
  upstashSwarm(Upstash.fromEnv()),
  postgresSwarm(new pg.Pool()),
  postgresSwarm(new pg.Client()),
  postgresSwarm((text, values) => new pg.Pool().query(text, values)),
]

await using swarm = new SharedSwarm({ store: memorySwarm(), scope: 'prod', worker: 'pod-1' })
await swarm.clear()
await swarm.clear('call:search:0123456789abcdef')
await swarm.clear('search', 'search:{}')
const guard = new LoopGuard({ detector: 'balanced', swarm, path: ['lead'] })
const { run, verdict, path } = guard.handOver('coder', 'Fix the login')
if (run) new LoopGuard({ id: 'coder', swarm, path })
else verdict.message satisfies string | null
