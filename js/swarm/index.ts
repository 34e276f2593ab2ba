/**
 * `loophound/swarm`: shared memory for agents in many processes and on many machines.
 *
 * @module
 */

export {
  DEFAULT_MAX_DEPTH,
  decideHandOver,
  type HandOver,
  type HandOverDecision,
} from './delegation.js'
export { type MemorySwarmOptions, memorySwarm } from './memory-store.js'
export { DEFAULT_RULE, type SharedSwarmOptions } from './options.js'
export {
  type PostgresClient,
  type PostgresQuery,
  type PostgresSwarmOptions,
  postgresSwarm,
} from './postgres-store.js'
export type {
  GlideClient,
  IoRedisClient,
  NodeRedisClient,
  RedisClient,
  UpstashClient,
} from './redis-clients.js'
export { type RedisSwarmOptions, redisSwarm, upstashSwarm } from './redis-store.js'
export { SharedSwarm } from './shared-swarm.js'
export type {
  GuardSwarm,
  SharedSwarmStats,
  SwarmCall,
  SwarmConnection,
  SwarmReport,
  SwarmReportKind,
  SwarmRule,
  SwarmState,
  SwarmStore,
} from './types.js'
