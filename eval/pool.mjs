/**
 * Replays sessions under many policies on all cores. This file has both sides: `replayAll`
 * distributes portions, and the default export processes one in a worker thread.
 */
import os from 'node:os'
import Tinypool from 'tinypool'
import * as engine from '../pkg/dist/index.js'
import { trialsOf } from './closed-loop.mjs'
import { alarmsOf, eventsOf } from './replay.mjs'

/** Sessions per portion: small enough that no core waits long for the last one. */
const PORTION = 8

/**
 * @typedef {object} Plan
 * @property {readonly { id: string, options: object }[]} policies
 * @property {readonly string[]} replays Ways to replay: `turns`, `calls`.
 * @property {readonly string[]} [trials] Ids of the policies that meet simulated agents, too.
 * @property {number} [most] How many alarms of a session are wanted; all if absent.
 */

/**
 * Replay sessions.
 *
 * @param {readonly import('./sets.mjs').Session[]} sessions
 * @param {Plan} plan
 * @param {string} what Named in the progress on stderr.
 * @returns {Promise<object[]>} For each session, in order: itself without its line, `calls`,
 *   `alarms[replay][policy]` and, for loops, `trials[policy]`.
 */
export async function replayAll(sessions, { policies, ...rest }, what) {
  // Options are plain data, so they can be sent to a thread.
  const plan = { ...rest, policies: policies.map(({ id, options }) => ({ id, options })) }
  const pool = new Tinypool({ filename: import.meta.url, maxThreads: os.availableParallelism() })
  const progress = showProgress(sessions.length, `${what}, by ${policies.length} policies`)
  const portions = []
  for (let from = 0; from < sessions.length; from += PORTION) {
    portions.push(sessions.slice(from, from + PORTION))
  }
  try {
    const replayed = await Promise.all(
      portions.map(async (portion) => {
        const answers = await pool.run({ sessions: portion, plan })
        progress.add(portion.length)
        return answers
      }),
    )
    return replayed.flat().map((answer, index) => {
      const { line: _, ...session } = sessions[index]
      return { ...session, ...answer }
    })
  } finally {
    progress.end()
    await pool.destroy()
  }
}

/** Process one portion. Runs in a worker thread. */
export default function replayPortion({ sessions, plan }) {
  return sessions.map((session) => {
    try {
      return replayOne(session, plan)
    } catch (error) {
      throw new Error(`${session.id}: ${error.message}`, { cause: error })
    }
  })
}

function replayOne({ line, expect, spans }, { policies, replays, trials = [], most }) {
  const events = eventsOf(JSON.parse(line))
  const alarms = byKey(replays, (way) =>
    byKey(policies, ({ options }) => alarmsOf(engine, options, events, way, most)),
  )
  const tried = expect === 'loop' ? policies.filter(({ id }) => trials.includes(id)) : []
  return {
    calls: events.filter(({ t }) => t === 'call').length,
    alarms,
    trials: byKey(tried, ({ options }) => trialsOf(engine, options, events, spans[0])),
  }
}

/** An object with an entry for each item, by its id or by itself. */
const byKey = (items, of) => Object.fromEntries(items.map((item) => [item.id ?? item, of(item)]))

/** Show on stderr how far the work is: one moving line, or one every ten seconds in a log. */
export function showProgress(total, what) {
  const isLive = Boolean(process.stderr.isTTY)
  const started = Date.now()
  let done = 0
  const tell = () => {
    const seconds = Math.round((Date.now() - started) / 1000)
    const text = `${String(seconds).padStart(3)} s  ${done} of ${total} ${what}`
    process.stderr.write(isLive ? `\r\u001b[2K${text}` : `${text}\n`)
  }
  const timer = setInterval(tell, isLive ? 200 : 10_000)
  tell()
  return {
    add(count) {
      done += count
    },
    end() {
      clearInterval(timer)
      if (isLive) process.stderr.write('\r\u001b[2K')
    },
  }
}
