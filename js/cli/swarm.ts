/**
 * `loophound swarm`: shows what a swarm is stuck on, and lifts it.
 *
 * @module
 */

import type { SwarmState, SwarmStore } from 'loophound/swarm'
import { clearedWith, countsHandOvers } from '../swarm/identity.js'
import { readArguments, UsageError } from './options.js'
import { bold, dim, printable, printableLines, printError, write, yellow } from './terminal.js'

const OPTIONS = {
  redis: { type: 'string' },
  scope: { type: 'string' },
  prefix: { type: 'string' },
  cluster: { type: 'boolean' },
  json: { type: 'boolean' },
  once: { type: 'boolean' },
} as const

/** The interval at which the table is redrawn, in milliseconds. */
const EVERY_MS = 1000

/** How long connecting to a server may take, in milliseconds. */
const PATIENCE_MS = 5000

/** How many latches are shown, and how many are asked for. */
const MOST_SHOWN = 100
const MOST_LISTED = 10_000

/** The part of the bundled client that is used. */
interface Client {
  on(event: string, listener: (error: unknown) => void): unknown
  connect(): Promise<unknown>
  disconnect(): void
}

export async function swarmCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, OPTIONS)
  const [what, fingerprint, ...rest] = positionals
  if ((what !== undefined && what !== 'clear') || rest.length > 0) {
    throw new UsageError(
      `"${[what, fingerprint, ...rest].filter(Boolean).join(' ')}" is not known.`,
    )
  }
  const url = values.redis ?? process.env.REDIS_URL
  if (url === undefined) {
    throw new UsageError('Which server? Give --redis <url>, or set REDIS_URL.')
  }
  if (!/^(redis|rediss|valkey|valkeys):\/\//.test(url) || !URL.canParse(url)) {
    throw new UsageError(
      `${values.redis === undefined ? 'REDIS_URL' : '--redis'} must be a URL that begins with redis:// or rediss://, such as redis://localhost:6379.`,
    )
  }
  const scope = values.scope ?? 'default'
  const { client, reasonFor } = await openClient(url, values.cluster === true)
  try {
    const prefix = values.prefix === undefined ? {} : { prefix: values.prefix }
    // Imported here, so that hooks start without it.
    const { redisSwarm } = await import('loophound/swarm')
    const store = redisSwarm(client as never, prefix)
    if (what === 'clear') return await clear(store, scope, fingerprint)
    const isLive = Boolean(process.stdout.isTTY) && !values.once && !values.json
    return isLive ? await watch(store, scope) : await printOnce(store, scope, values.json === true)
  } catch (error) {
    printError(`The server does not answer: ${reasonFor(error as Error)}.`)
    return 2
  } finally {
    client.disconnect()
  }
}

interface Connected {
  readonly client: Client
  /** Returns why something failed, where the client only says that its connection is closed. */
  readonly reasonFor: (error: Error) => string
}

/** Connects to a server or a Cluster. @throws UsageError if that fails. */
async function openClient(url: string, isCluster: boolean): Promise<Connected> {
  // Bundled separately, so that the other commands start without it.
  const file = new URL('./redis-client.cjs', import.meta.url)
  const { Redis, Cluster } = (await import(file.href)).default
  // A Valkey server speaks the same protocol; the client knows only the older name.
  const address = url.replace(/^valkey/, 'redis')
  const client: Client = isCluster
    ? new Cluster([address], { lazyConnect: true, ...clusterSettings(address) })
    : new Redis(address, {
        ...{ lazyConnect: true, maxRetriesPerRequest: 1, connectTimeout: PATIENCE_MS },
        retryStrategy: () => null,
      })
  let reason = 'no connection'
  client.on('error', (error) => {
    // A Cluster says only that no node was reached, and keeps to itself why.
    const { message, lastNodeError } = error as Error & { lastNodeError?: Error }
    reason = lastNodeError?.message || message || reason
  })
  const reasonFor = ({ message }: Error) => {
    if (/^(MOVED|CLUSTERDOWN|CROSSSLOT)/.test(message) && !isCluster) {
      return `${message} (it is a node of a Cluster: give --cluster)`
    }
    return (/closed|startup nodes/i.test(message) ? reason : message).replace(/\.$/, '')
  }
  try {
    await client.connect()
  } catch (error) {
    client.disconnect()
    // A URL may contain a password, so it is not repeated.
    throw new UsageError(`The server cannot be reached: ${reasonFor(error as Error)}.`)
  }
  return { client, reasonFor }
}

/** What the URL says of the first node holds for the nodes that it names, too. */
function clusterSettings(address: string) {
  const { protocol, username, password } = new URL(address)
  const isEncrypted = protocol === 'rediss:'
  return {
    clusterRetryStrategy: () => null,
    // A certificate is for a name, not for the address behind it.
    ...(isEncrypted ? { dnsLookup: keepName } : {}),
    redisOptions: {
      connectTimeout: PATIENCE_MS,
      ...(username ? { username: decodeURIComponent(username) } : {}),
      ...(password ? { password: decodeURIComponent(password) } : {}),
      ...(isEncrypted ? { tls: {} } : {}),
    },
  }
}

const keepName = (name: string, found: (error: null, name: string) => void) => found(null, name)

async function clear(store: SwarmStore, scope: string, fingerprint?: string): Promise<number> {
  if (fingerprint !== undefined) {
    const listed = await loopsOf(store, scope, MOST_LISTED)
    // The table shows the end of a fingerprint, which is enough to name it, as is all that it shows.
    const matching = listed.filter(
      (state) => state.fingerprint.endsWith(fingerprint) || nameOf(state) === fingerprint,
    )
    const [found] = matching
    if (!found || matching.length > 1) {
      printError(
        matching.length > 1
          ? `${matching.length} latched fingerprints end with "${fingerprint}".`
          : `"${fingerprint}" is not latched in the scope "${scope}".`,
      )
      return 1
    }
    for (const name of clearedWith(found.fingerprint)) await store.clear(scope, name)
    write(`Lifted ${printable(found.fingerprint)}.\n`)
    return 0
  }
  await store.clear(scope)
  write(`Forgot everything in the scope "${printable(scope)}".\n`)
  return 0
}

/** Returns what is latched and is a loop: counts of hand-overs are none by themselves. */
async function loopsOf(
  store: SwarmStore,
  scope: string,
  most = MOST_SHOWN,
): Promise<readonly SwarmState[]> {
  const states = await store.latched(scope, MOST_LISTED, { details: true })
  return states.filter(({ fingerprint }) => !countsHandOvers(fingerprint)).slice(0, most)
}

async function printOnce(store: SwarmStore, scope: string, asJson: boolean): Promise<number> {
  const states = await loopsOf(store, scope)
  const text = asJson
    ? printableLines(JSON.stringify(states, null, 2))
    : describe(scope, states).join('\n')
  write(`${text}\n`)
  return 0
}

/** Draws the table until the user quits, or the server is gone. */
async function watch(store: SwarmStore, scope: string): Promise<number> {
  let isEnded = false
  let wake = () => {}
  const end = () => {
    isEnded = true
    wake()
  }
  process.once('SIGINT', end)
  process.once('SIGTERM', end)
  // The alternate screen, so that the previous content comes back.
  write('\u001b[?1049h')
  try {
    while (!isEnded) {
      const states = await loopsOf(store, scope)
      const time = new Date().toLocaleTimeString()
      const lines = crop(describe(scope, states))
      write(`\u001b[H\u001b[J${lines.join('\n')}\n\n${dim(`${time}   Ctrl+C ends`)}\n`)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, EVERY_MS)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    return 0
  } finally {
    write('\u001b[?1049l')
  }
}

/** Leaves out what does not fit on the terminal. */
function crop(lines: readonly string[]): readonly string[] {
  const most = Math.max(4, (process.stdout.rows || Number.POSITIVE_INFINITY) - 3)
  return lines.length <= most ? lines : [...lines.slice(0, most - 1), dim('…')]
}

/**
 * Returns the table, line by line. Where the terminal is too narrow for it, who latched a fingerprint has
 * a line of its own.
 */
function describe(scope: string, states: readonly SwarmState[]): readonly string[] {
  const name = printable(scope)
  if (states.length === 0) return [`Nothing is latched in the scope "${name}".`]
  const rows = states.map((state) =>
    [
      nameOf(state),
      String(state.total),
      String(state.workers),
      ago(state, state.latchedSince),
      left(state),
      whoOf(state),
    ].map(printable),
  )
  const columns = process.stdout.columns || Number.POSITIVE_INFINITY
  const table = [['latched', 'reports', 'workers', 'since', 'ends in', 'by'], ...rows]
  const widths =
    rows[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? []
  const isWide = widths.reduce((sum, width) => sum + width + 2, -2) <= columns
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  const [first = '', ...others] = table.flatMap((cells, index) => {
    if (isWide) return [line(cells)]
    const short = line(cells.slice(0, -1)).slice(0, columns)
    return index === 0 ? [short] : [short, `  by ${cells.at(-1)}`.slice(0, columns)]
  })
  const count = states.length === 1 ? 'One fingerprint is' : `${states.length} fingerprints are`
  const samples = states.flatMap((state) =>
    state.sample ? [printable(`${nameOf(state)}  ${state.sample}`).slice(0, columns)] : [],
  )
  return [
    yellow(`${count} latched in the scope "${name}".`),
    '',
    bold(first),
    ...others,
    ...(samples.length > 0 ? ['', ...samples.map(dim)] : []),
  ]
}

/** Returns the kind, the tool and the last digits of the fingerprint. */
function nameOf({ fingerprint }: SwarmState): string {
  const [, kind, tool, id] = /^(\w+):(.*):([0-9a-f]{16})$/.exec(fingerprint) ?? []
  return id === undefined ? fingerprint : `${kind} ${tool} ${id.slice(-8)}`
}

/** Returns who latched it, and the first of the other workers. */
function whoOf({ latchedBy, workerIds = [] }: SwarmState): string {
  const shown = workerIds.slice(0, 3).join(' ')
  const more = workerIds.length > 3 ? ` +${workerIds.length - 3}` : ''
  return [latchedBy ?? '', shown && `(${shown}${more})`].filter(Boolean).join(' ')
}

const ago = ({ now = Date.now() }: SwarmState, time: number | undefined): string =>
  time === undefined ? '' : `${duration(now - time)} ago`

const left = ({ now = Date.now(), latchedUntil }: SwarmState): string =>
  duration(latchedUntil - now)

function duration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000))
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`
}
