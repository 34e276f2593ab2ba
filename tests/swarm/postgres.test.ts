/** The store on Postgres takes the clients that users have. */

import { postgresSwarm } from 'loophound/swarm'
import { describe, expect, it } from 'vitest'

/** Runs a statement only as a method of its client. */
function method(this: unknown, text: string, values: unknown[]) {
  if (this === undefined) throw new TypeError('called without its client')
  if (!Array.isArray(values)) throw new TypeError('values must be a list')
  return Promise.resolve(text.includes('LIMIT') ? [{ fingerprint: 'f', total: '7' }] : [])
}

/** A client that is a function for templates only. */
const template = () => Promise.reject(new TypeError('this is for templates'))

const CLIENTS: Record<string, Parameters<typeof postgresSwarm>[0]> = {
  'a function': (text, values) => method.call({}, text, values),
  'pg and PGlite': {
    query: async (text, values) => ({ rows: await method.call({}, text, values) }),
  },
  Neon: Object.assign(template, { query: method, unsafe: template }),
  'postgres.js and Bun': Object.assign(template.bind(null), { unsafe: method }),
}

describe('postgresSwarm', () => {
  it.each(Object.entries(CLIENTS))('takes %s', async (_, client) => {
    const [state] = await postgresSwarm(client).latched('scope', 10)
    expect(state).toMatchObject({ fingerprint: 'f', total: 7 })
  })

  it.each([undefined, null, 7, 'url', {}, { query: 7 }])('refuses %j', (client) => {
    expect(() => postgresSwarm(client as never)).toThrow(/must be a client/)
  })
})
