// What every runtime does with the package. Nothing here belongs to a runtime:
// the package comes in as an argument, and one text goes out, which must be byte
// for byte what the native engine writes (native/main.rs).
import { runs } from './events.mjs'

/** Plays every run of events.json; a JSON text with one line for each answer. */
export function runScenario(library) {
  const lines = runs.flatMap((run) => {
    let snapshot
    return run.pieces.flatMap((_, piece) => {
      const played = playPiece(library, run, piece, snapshot)
      snapshot = played.snapshot
      return played.lines
    })
  })
  return format(lines)
}

/**
 * Plays one piece of a run on a new detector, which goes on from the snapshot
 * that the piece before left: as JSON text, as it would travel to another
 * process. The detector is disposed of at the end.
 */
export function playPiece(library, run, piece, snapshot) {
  const subject = run.swarm
    ? new library.SwarmDetector(run.swarm)
    : new library.LoopDetector(run.detector)
  if (snapshot !== undefined) subject.restoreFrom(JSON.parse(snapshot))
  const lines = steps(run.pieces[piece]).map(([method, ...args]) => {
    const target = method === 'computeToolFingerprint' ? library : subject
    const answer = target[method](...args)
    return JSON.stringify({ run: run.name, method, answer: answer ?? null })
  })
  const left = JSON.stringify(subject)
  dispose(subject)
  return { lines, snapshot: left }
}

/** One line for each answer, so that a difference is easy to see. */
export const format = (lines) => `[\n${lines.join(',\n')}\n]`

/** A step is `[method, ...arguments]`, or `[times, ...steps]`. */
function steps(list) {
  return list.flatMap((step) => {
    const [first, ...rest] = step
    if (typeof first !== 'number') return [step]
    return Array.from({ length: first }, () => steps(rest)).flat()
  })
}

function dispose(subject) {
  if (Symbol.dispose) subject[Symbol.dispose]()
  else subject.free()
  // A second time is harmless, as `using` and a `finally` may meet.
  subject.free()
  try {
    subject.toJSON()
  } catch (error) {
    if (error instanceof TypeError) return
    throw error
  }
  throw new Error('a freed detector went on working')
}
