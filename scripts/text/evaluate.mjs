// What the detector says to each text, streamed, and to each run's turns of text.

/** Streams come in pieces about this long. */
const CHUNK = 20

/** Only what looks at text. */
const OPTIONS = { preset: 'balanced', detectors: { 'no-progress': false } }

/**
 * @returns {object} Per source: texts, characters and how many of these are in runs not known to go
 *   in circles with words; and all alarms, each with its run.
 */
export function evaluate({ LoopDetector, replay }, runs) {
  const sources = new Map()
  const streams = []
  const turns = []
  const detector = new LoopDetector(OPTIONS)
  for (const run of runs) {
    const source = sources.get(run.source) ?? { texts: 0, characters: 0, innocent: 0, runs: 0 }
    sources.set(run.source, source)
    source.runs++
    for (const { t, text } of run.events) {
      if (t !== 'text') continue
      source.texts++
      source.characters += text.length
      if (run.kinds.size === 0) source.innocent += text.length
      detector.reset()
      const verdict = stream(detector, text)
      if (verdict) streams.push({ ...about(run), verdict })
    }
    const verdict = summaryOf({ detector, replay }, run.events)
    if (verdict) turns.push({ ...about(run), verdict })
  }
  detector.free()
  return { sources: Object.fromEntries(sources), streams, turns }
}

function about({ id, source, kinds }) {
  return { id, source, isKnown: kinds.size > 0, isChant: kinds.has('chant') }
}

/** The first verdict on a text that is not `continue`. */
function stream(detector, text) {
  for (let at = 0; at < text.length; at += CHUNK) {
    const verdict = detector.pushText(text.slice(at, at + CHUNK))
    if (verdict.action !== 'continue') return verdict
  }
  return null
}

/** The first summary loop of a run. */
function summaryOf({ detector, replay }, events) {
  detector.reset()
  for (const { verdict } of replay(detector, events)) {
    if (verdict.kind === 'summary') return verdict
  }
  return null
}
