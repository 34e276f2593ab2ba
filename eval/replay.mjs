/**
 * Replays a stored session to a detector, as a host would have reported it, and collects
 * the alarms.
 *
 * @typedef {{ call: number, action: string, kind: string, count: number, period: number,
 *   since: number, wasted: number, pattern: readonly string[] }} Alarm A verdict other than
 *   `continue`, and the call it belongs to.
 */

/** Marks the place where a stored text was cut. */
const CUT = '…[cut]…'

/** Using up the budget is not a detected loop. */
const BUDGET = 'iteration-cap'

/**
 * Turn a stored session into the events that `replay()` of the package takes.
 *
 * @param {{ source?: string, person?: boolean, events: readonly object[] }} stored
 */
export function eventsOf({ source = '', person = source.startsWith('tau_'), events }) {
  const list = []
  for (const [index, event] of events.entries()) {
    if (event.t !== 'user') list.push(eventOf(event))
    else if (person) list.push({ t: 'user', text: event.text })
    else if (list.at(-1)?.t === 'text' && events[index + 1]?.t === 'call') {
      // The harness wrote this, not a person, so it is left out. The text before it was a
      // separate turn, and must not look like part of the call's turn.
      list.push({ t: 'turn' })
    }
  }
  return list
}

function eventOf(event) {
  const { id, at } = event
  const known = { ...(id === undefined ? {} : { id }), ...(typeof at === 'number' ? { at } : {}) }
  switch (event.t) {
    case 'call':
      return { t: 'call', name: event.name, args: wholeArgs(event), ...known }
    case 'result': {
      const ok = typeof event.ok === 'boolean' ? { ok: event.ok } : {}
      const output = whole(event.output, event.sha)
      return { t: 'result', name: event.name, ...ok, output, ...known }
    }
    case 'text':
      return { t: 'text', text: whole(event.text, event.sha) }
    case 'chunk':
    case 'turn':
    case 'compacted':
      return event
    default:
      throw new TypeError(`no such event: ${event.t}`)
  }
}

/** Mark a text that was cut, so that it equals another exactly when the whole texts did. */
function whole(text, sha) {
  if (!sha) return text
  const mark = `…[cut ${wordOf(sha)}]…`
  return text.includes(CUT) ? text.replace(CUT, mark) : `${text}\n${mark}`
}

function wholeArgs({ args, args_sha: sha }) {
  if (!sha) return args
  return typeof args === 'string' ? whole(args, sha) : { ...args, cut: wordOf(sha) }
}

/**
 * Write a hash in letters that are not hexadecimal digits, so that it does not look
 * volatile.
 */
function wordOf(sha) {
  return sha.replace(/[0-9a-f]/gi, (digit) => 'ghijklmnopqrstuv'[Number.parseInt(digit, 16)])
}

/**
 * Find the result of each call: the one with its id, or the oldest that is still open.
 *
 * @returns {{ call: number, event: number, result: number | null }[]} For each call, by its index:
 *   where it and its result are in the events.
 */
export function pairResults(events) {
  const calls = []
  const open = []
  for (const [index, event] of events.entries()) {
    if (event.t === 'call') {
      const call = { call: calls.length, event: index, result: null }
      calls.push(call)
      open.push({ call, id: event.id, name: event.name })
    } else if (event.t === 'result') {
      const position = open.findIndex(({ id, name }) =>
        event.id ? id === event.id : event.name === undefined || name === event.name,
      )
      if (position >= 0) open.splice(position, 1)[0].call.result = index
    }
  }
  return calls
}

/** Put each result right after its call: what a hook sees, which is asked call by call. */
export function oneByOne(events) {
  const results = new Map()
  for (const { event, result } of pairResults(events)) {
    if (result !== null) results.set(event, result)
  }
  const moved = new Set(results.values())
  return events.flatMap((event, index) => {
    if (moved.has(index)) return []
    return results.has(index) ? [event, events[results.get(index)]] : [event]
  })
}

/**
 * Replay events to a new detector, by turn (adjacent calls are one batch) or call by call.
 *
 * @param {Pick<typeof import('loophound'), 'LoopDetector' | 'replay'>} engine The package.
 * @param {object} options The detector's.
 * @param {readonly object[]} events As `eventsOf` makes them.
 * @param {'turns' | 'calls'} way
 * @yields {{ kind: string, events: object[], call: number, verdict: object }} What was reported in
 *   one go, the call that the verdict belongs to, and the verdict.
 */
export function* play({ LoopDetector, replay }, options, events, way) {
  const detector = new LoopDetector(options)
  try {
    if (way === 'calls') yield* playCalls(detector, oneByOne(events))
    else yield* playTurns(detector, events, replay)
  } finally {
    detector.free()
  }
}

/**
 * A batch is judged at its last call; a result belongs to its call; a text or a turn that leads up
 * to a call belongs to that call, any other to the call before it.
 */
function* playTurns(detector, events, replay) {
  const owners = ownersOf(events)
  for (const { kind, events: told, event, call, verdict } of replay(detector, events)) {
    const leads = [event, event + 1].some((index) => events[index]?.t === 'call')
    const owner = { calls: call, result: owners.get(event) ?? call }[kind]
    yield { kind, events: told, verdict, call: owner ?? (leads ? call + 1 : Math.max(call, 0)) }
  }
}

function* playCalls(detector, events) {
  const owners = ownersOf(events)
  let call = -1
  for (const [index, event] of events.entries()) {
    const isBeforeCall = events[index + 1]?.t === 'call'
    const step = {
      kind: event.t,
      events: [event],
      call: isBeforeCall ? call + 1 : Math.max(call, 0),
    }
    switch (event.t) {
      case 'call':
        call += 1
        yield { ...step, kind: 'calls', call, verdict: detector.record(event) }
        break
      case 'result':
        yield { ...step, call: owners.get(index) ?? call, verdict: detector.recordResult(event) }
        break
      case 'text': {
        const verdict = isBeforeCall
          ? detector.pushText(event.text)
          : detector.recordText(event.text)
        yield { ...step, verdict }
        break
      }
      case 'chunk':
        yield { ...step, verdict: detector.pushText(event.text, event.channel) }
        break
      case 'compacted':
        detector.contextCompacted()
        yield { ...step, verdict: detector.verdict }
        break
      case 'user':
        detector.userMessage()
        yield { ...step, verdict: detector.verdict }
        break
    }
  }
}

/** The call that each result belongs to, by the result's place in the events. */
function ownersOf(events) {
  return new Map(pairResults(events).map(({ call, result }) => [result, call]))
}

/** Steps that only repeat the previous verdict. */
const WITHOUT_VERDICT = ['user', 'compacted']

/** Whether a step is an alarm. */
export function isAlarm({ kind, verdict }) {
  return !WITHOUT_VERDICT.includes(kind) && verdict.action !== 'continue' && verdict.kind !== BUDGET
}

/** @returns {Alarm[]} Every alarm in a session; only the first so many if a number is given. */
export function alarmsOf(engine, options, events, way, most = Number.POSITIVE_INFINITY) {
  const alarms = []
  for (const step of play(engine, options, events, way)) {
    if (isAlarm(step)) alarms.push(alarmOf(step))
    if (alarms.length >= most) break
  }
  return alarms
}

function alarmOf({ call, verdict }) {
  const { action, kind, count, period, since, wasted, pattern } = verdict
  return { call, action, kind, count, period, since, wasted, pattern: [...pattern] }
}
