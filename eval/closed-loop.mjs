/**
 * Measures escalation: an agent in a loop gets the messages, and reacts or does not.
 *
 * A recorded session cannot show that, because the agent in it never got a nudge. So a
 * simulated agent behind the package's own `LoopGuard` repeats the stuck stretch of a
 * session.
 *
 * @typedef {{ text: string | null, calls: { name: string, args: unknown, result: object | null }[]
 *   }} Turn
 * @typedef {{ turns: number, nudges: number[], blocks: number[], stop: number | null }} Trial What
 *   happened, by the turn of the loop in which it did, counted from 1.
 */
import { pairResults } from './replay.mjs'
import { quantile } from './score.mjs'

/**
 * What the agent does when it is told to do something else: this many new calls, then the
 * loop again.
 */
export const AGENTS = [
  { id: 'ignores', newCalls: 0, about: 'goes on as if nothing was said' },
  { id: 'one new call', newCalls: 1, about: 'makes one new call, then goes on' },
  { id: 'three new calls', newCalls: 3, about: 'makes three new calls, then goes on' },
]

/** The turns of the loop after which a trial ends by itself. */
export const LIMIT = 200

/**
 * Extract the first stuck stretch of a session, as turns.
 *
 * @param {readonly object[]} events As `eventsOf` makes them.
 * @param {{ from: number, to: number }} span
 * @returns {Turn[]}
 */
export function stuckTurns(events, { from, to }) {
  const calls = pairResults(events)
  const start = from === 0 ? 0 : (calls[from]?.event ?? events.length)
  const end = calls[to + 1]?.event ?? events.length
  const results = new Map(calls.map(({ event, result }) => [event, result]))
  const turns = []
  let text = null
  for (let index = start; index < end; index++) {
    const event = events[index]
    if (event.t === 'call') {
      const result = results.get(index)
      const call = {
        name: event.name,
        args: event.args,
        result: result === null ? null : events[result],
      }
      // Adjacent calls are one turn.
      if (events[index - 1]?.t === 'call' && index > start) turns.at(-1).calls.push(call)
      else turns.push({ text, calls: [call] })
      text = null
    } else if (event.t === 'text') {
      if (text !== null) turns.push({ text, calls: [] })
      text = event.text
    } else if (event.t === 'chunk') {
      // Streamed text is one turn, however it was cut.
      text = (text ?? '') + event.text
    }
  }
  if (text !== null) turns.push({ text, calls: [] })
  return turns
}

/**
 * Let an agent repeat these turns until it is stopped or reaches the limit. Whenever it is
 * nudged or blocked, it makes its new calls first.
 *
 * @param {object} guard A `LoopGuard`, or anything with its methods.
 * @param {readonly Turn[]} turns
 * @param {{ newCalls: number, limit?: number }} agent
 * @returns {Trial}
 */
export function simulate(guard, turns, { newCalls, limit = LIMIT }) {
  const trial = { turns: 0, nudges: [], blocks: [], stop: null }
  let left = 0
  for (let step = 0; step < limit * (newCalls + 1) && trial.turns < limit; step++) {
    let isOn = guard.beginStep()
    if (isOn && guard.takeNudge() !== null) {
      trial.nudges.push(trial.turns)
      left = newCalls
    }
    if (isOn) {
      const turn = left > 0 ? newTurn(step) : turns[trial.turns++ % turns.length]
      left = Math.max(0, left - 1)
      if (takeTurn(guard, turn, step)) {
        trial.blocks.push(trial.turns)
        left = newCalls
      }
      isOn = !guard.endStep()
    }
    if (isOn) continue
    trial.stop = trial.turns
    break
  }
  return trial
}

/** Make the calls of a turn, or say its text. Returns whether a call was blocked. */
function takeTurn(guard, { text, calls }, step) {
  if (text !== null && calls.length > 0) guard.pushText(text)
  if (text !== null && calls.length === 0) guard.text(text)
  const asked = calls.map(({ name, args }, index) => ({ name, args, id: `${step}-${index}` }))
  const decisions = asked.length > 0 ? guard.calls(asked) : []
  for (const [index, { run, reply }] of decisions.entries()) {
    const { result } = calls[index]
    if (!run) guard.result({ id: asked[index].id, ok: false, output: reply })
    else if (result) guard.result({ id: asked[index].id, ok: result.ok, output: result.output })
  }
  return decisions.some(({ run, verdict }) => !run && verdict.action === 'block')
}

/** Make a new call with a new result. */
function newTurn(number) {
  const path = `src/part-${number}/module-${number}.ts`
  const output = `export const value${number} = ${number * 7919}\n// notes on part ${number}\n`
  const call = { name: 'read_file', args: { path }, result: { ok: true, output } }
  return { text: null, calls: [call] }
}

/** Try every agent on the stuck stretch of a session. */
export function trialsOf({ LoopGuard }, options, events, span) {
  const turns = stuckTurns(events, span)
  return AGENTS.map(({ newCalls }) => {
    const guard = new LoopGuard({ detector: options })
    try {
      return simulate(guard, turns, { newCalls })
    } finally {
      guard.free()
    }
  })
}

/**
 * Sum up the trials of one agent.
 *
 * @param {readonly Trial[]} trials
 */
export function summarize(trials) {
  const blocks = trials.flatMap(({ blocks }) => blocks[0] ?? [])
  const stops = trials.flatMap(({ stop }) => stop ?? [])
  const nudges = trials.map(({ nudges }) => nudges.length)
  const hardest = { silent: 0, nudged: 0, blocked: 0, stopped: 0 }
  for (const trial of trials) hardest[hardestOf(trial)] += 1
  return {
    loops: trials.length,
    hardest,
    nudges: { median: quantile(nudges, 0.5), most: Math.max(0, ...nudges) },
    blocked: { loops: blocks.length, turn: quantile(blocks, 0.5) },
    stopped: { loops: stops.length, turn: quantile(stops, 0.5) },
  }
}

function hardestOf({ nudges, blocks, stop }) {
  if (stop !== null) return 'stopped'
  if (blocks.length > 0) return 'blocked'
  return nudges.length > 0 ? 'nudged' : 'silent'
}
