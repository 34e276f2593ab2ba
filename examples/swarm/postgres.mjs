import { postgresSwarm, SharedSwarm } from 'loophound/swarm'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL })
const store = postgresSwarm(pool) // creates the table loophound_swarm where it is missing

const swarm = new SharedSwarm({ store, scope: 'prod', report: 'calls', timeoutMs: 1000 })
await swarm.refresh() // what others are stuck on
const verdict = swarm.record('web_search', { query: 'weather' })
console.log(verdict.kind)
await swarm.dispose()
await pool.end()
