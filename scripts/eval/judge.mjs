// What a detector says to a trajectory, and to which call each verdict belongs.
import { pairResults } from '../../examples/replay/results.mjs'

/**
 * @param {{ LoopDetector: Function, replay: Function }} engine The package.
 * @param {object} options The detector's.
 * @param {readonly object[]} events As `eventsOf` makes them.
 * @yields {{ step: object, call: number }} Each step of the replay, and the call it belongs to.
 */
export function* judgeSteps({ LoopDetector, replay }, options, events) {
  const owners = new Map([...pairResults(events)].map(([call, result]) => [result, call]))
  const detector = new LoopDetector(options)
  try {
    for (const step of replay(detector, events)) yield { step, call: callOf(step, events, owners) }
  } finally {
    detector.free()
  }
}

/** Every verdict but `continue`, in order; the first ones, if only so many are wanted. */
export function alarmsOf(engine, options, events, most = Number.POSITIVE_INFINITY) {
  const alarms = []
  for (const { step, call } of judgeSteps(engine, options, events)) {
    if (isAlarm(step)) alarms.push({ call, kind: step.verdict.kind, action: step.verdict.action })
    if (alarms.length >= most) break
  }
  return alarms
}

/** When a person speaks, the step only carries the verdict from before. */
export function isAlarm({ kind, verdict }) {
  return kind !== 'user' && verdict.action !== 'continue'
}

/**
 * A batch is judged when its last call is known; a result belongs to its call; a text or a turn
 * that leads up to a call belongs to that call, any other to the call before it.
 */
function callOf(step, events, owners) {
  if (step.kind === 'calls') return step.call
  if (step.kind === 'result') return owners.get(events[step.event]) ?? step.call
  const leads = [step.event, step.event + 1].some((index) => events[index]?.t === 'call')
  return leads ? step.call + 1 : Math.max(step.call, 0)
}
