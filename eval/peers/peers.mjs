/**
 * Runs published loop detectors, unchanged, on the same events: installed into a folder
 * that git ignores, each in a separate process.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { showProgress } from '../pool.mjs'
import { eventsOf, oneByOne } from '../replay.mjs'

const here = path.dirname(fileURLToPath(import.meta.url))
const TOOLS = path.join(here, '../../.tools/eval-peers')
const PYTHON = process.platform === 'win32' ? 'python' : 'python3'

/**
 * If a detector takes longer than this for a session, in milliseconds, the session counts
 * as failed.
 */
const PATIENCE = 60_000

/** Pinned, so that a figure can be measured again. `about` is one sentence for the documentation. */
export const PEERS = [
  {
    id: 'trajectory-fuse',
    ...{ registry: 'pypi', version: '0.3.0' },
    about: 'A circuit breaker: each detection raises, which counts as a stop.',
  },
  {
    id: 'microloop',
    ...{ registry: 'pypi', version: '0.3.0' },
    about:
      'A monitor with a Rust core. It only observes by default: any status but healthy counts as a nudge.',
  },
  {
    id: 'loopguard-runtime',
    ...{ registry: 'pypi', version: '0.2.1' },
    about: 'A monitor with a policy: warn and replan count as a nudge, pause as a block.',
  },
  {
    id: 'aura-guard',
    ...{ registry: 'pypi', version: '0.7.1' },
    about: 'Asked before each call: block, cached answer and rewrite all keep it from running.',
  },
  {
    id: 'openclaw',
    ...{ registry: 'npm', version: '2026.9.6' },
    about:
      'Its check of tool calls, switched on (it is off by default): warning is a nudge, the first critical finding a block, the next a stop.',
  },
  {
    id: '@google/gemini-cli-core',
    ...{ registry: 'npm', version: '0.61.0' },
    about:
      'Its checks of calls and text, without the one that asks a model: the first detection is a nudge, the second a stop.',
  },
].map((peer) => ({ ...peer, group: 'packages' }))

const folderOf = ({ id, version }) => path.join(TOOLS, `${id.replace('/', '-')}-${version}`)

/**
 * Replay sessions to every peer that can be installed.
 *
 * @param {readonly import('../sets.mjs').Session[]} sessions
 * @returns {Promise<{ ran: { peer: object, alarms: object[][], failed: string[] }[], absent: { peer:
 *   object, why: string }[] }>} The alarms of each session, in order, and the ids of sessions that a
 *   peer could not take; the peers that did not install.
 */
export async function runPeers(sessions) {
  const ready = []
  const absent = []
  for (const peer of PEERS) {
    const why = await install(peer)
    if (why === null) ready.push(peer)
    else absent.push({ peer, why })
  }
  const lines = sessions.map(({ line }) => JSON.stringify(oneByOne(eventsOf(JSON.parse(line)))))
  const progress = showProgress(ready.length * lines.length, 'sessions, by published packages')
  const ran = []
  const queue = ready.entries()
  const work = async () => {
    for (const [index, peer] of queue) ran[index] = await runPeer(peer, sessions, lines, progress)
  }
  try {
    await Promise.all(Array.from({ length: os.availableParallelism() }, work))
  } finally {
    progress.end()
  }
  return { ran, absent }
}

/** Install a peer unless it is there. Returns why that failed; null if it did not. */
async function install(peer) {
  const { id, version, registry } = peer
  const folder = folderOf(peer)
  const done = path.join(folder, 'installed')
  if (existsSync(done)) return null
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const quietly = [
    '--ignore-scripts',
    '--no-bin-links',
    '--no-audit',
    '--no-fund',
    '--omit=optional',
  ]
  const [command, args] =
    registry === 'npm'
      ? npm('install', '--prefix', folder, ...quietly, `${id}@${version}`)
      : [PYTHON, ['-m', 'pip', 'install', '--quiet', '--target', folder, `${id}==${version}`]]
  process.stderr.write(`Installing ${id} ${version} into .tools/eval-peers.\n`)
  const { code, errors } = await run(command, args)
  if (code !== 0) return errors.trim().split('\n').at(-1) || `${command} ended with ${code}`
  writeFileSync(done, '')
  return null
}

/** npm as it was started, so that it works on every platform. */
function npm(...args) {
  const started = process.env.npm_execpath
  return started?.endsWith('.js') ? [process.execPath, [started, ...args]] : ['npm', args]
}

function run(command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] })
    let errors = ''
    child.stderr.setEncoding('utf8').on('data', (text) => {
      errors += text
    })
    child.on('error', ({ message }) => resolve({ code: -1, errors: message }))
    child.on('close', (code) => resolve({ code, errors }))
  })
}

/** Run a peer. If it ends or hangs at a session, it is started again after it. */
async function runPeer(peer, sessions, lines, progress) {
  const alarms = []
  const failed = []
  let worker = null
  for (const [index, line] of lines.entries()) {
    worker ??= startPeer(peer)
    const answer = await worker.ask(line)
    progress.add(1)
    if (answer === null) {
      failed.push(sessions[index].id)
      worker = null
    }
    alarms.push((answer ?? []).map((alarm) => ({ ...EMPTY, ...alarm })))
  }
  worker?.end()
  return { peer, alarms, failed }
}

/** The fields that other detectors do not report. */
const EMPTY = { count: 0, period: 0, since: -1, wasted: 0, pattern: [] }

function startPeer(peer) {
  const folder = folderOf(peer)
  const [command, args] =
    peer.registry === 'npm'
      ? [process.execPath, [path.join(here, 'judge.mjs'), peer.id, folder]]
      : [PYTHON, [path.join(here, 'judge.py'), peer.id]]
  const child = spawn(command, args, {
    env: { ...process.env, PYTHONPATH: folder },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  // A broken pipe shows as a missing answer.
  child.stdin.on('error', () => {})
  return {
    async ask(line) {
      const timer = setTimeout(() => child.kill(), PATIENCE)
      child.stdin.write(`${line}\n`)
      const { value, done } = await answers.next()
      clearTimeout(timer)
      return done ? null : JSON.parse(value)
    },
    end: () => child.stdin.end(),
  }
}
