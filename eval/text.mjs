// Streams every text of the corpus through the detector and counts the alarms.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { markdownTable } from 'markdown-table'
import { buildAll } from '../scripts/build/all.mjs'
import { bold, dim, main, readOptions, write } from '../scripts/support/cli.mjs'
import { replaceSections } from '../scripts/support/files.mjs'
import { eventsOf } from './replay.mjs'
import { findCorpus } from './sets.mjs'

const HELP = `Counts the alarms of the text detectors on real texts.

  npm run eval:text [-- <options>]

  --corpus <dir>   the folder of trajectories; ../shared/corpus by default
  --alarms         list each alarm with what was repeated
  --write          also write the figures into docs/text.md
  --help           print this text
`

/** Characters in a chunk of the stream. */
const CHUNK = 20

/** Only the detectors that look at text. */
const OPTIONS = { preset: 'balanced', detectors: { 'no-progress': false } }

const ENDING = '.jsonl.gz'
const ORACLE = 'oracle_labels'
/** The oracle's kinds that are text loops. The oracle is slow and sees whole runs. */
const ORACLE_KINDS = { chant_in_text: 'chant', monologue_repeat: 'monologue' }

/**
 * @typedef {{ id: string, source: string, kinds: Set<string>, events: any[] }} Run A run that has
 *   texts. `kinds` holds `chant` or `monologue` if a person, a reporter or the oracle says so.
 * @typedef {{ id: string, source: string, isKnown: boolean, isChant: boolean, verdict: any }} Alarm
 */

if (import.meta.filename === process.argv[1]) await main(evaluateCorpus)

async function evaluateCorpus() {
  const options = readOptions(HELP, { corpus: '', alarms: false, write: false })
  if (options === undefined) return
  const folder = findCorpus(options.corpus)
  if (folder === null) return
  await buildAll()
  const figures = evaluate(await import('../pkg/dist/index.js'), readRuns(folder))
  const result = describe(figures)
  write(`\n${result}\n`)
  if (options.alarms) listAlarms(figures)
  if (options.write) replaceSections('docs/text.md', { evaluation: result })
}

/** Reads the runs of the corpus that have texts. @returns {Generator<Run>} */
export function* readRuns(folder) {
  const known = knownKinds(folder)
  const files = readdirSync(folder).filter((name) => name.endsWith(ENDING))
  for (const source of files.map((name) => name.slice(0, -ENDING.length))) {
    if (source === ORACLE) continue
    for (const run of rowsOf(path.join(folder, source + ENDING))) {
      if (!run.events.some(({ t }) => t === 'text')) continue
      const kinds = known.get(run.id) ?? new Set()
      if (/^chant/.test(run.label?.note ?? '')) kinds.add('chant')
      yield { id: run.id, source, kinds, events: eventsOf(run) }
    }
  }
}

/** Returns which runs are known to repeat words, by id. @returns {Map<string, Set<string>>} */
function knownKinds(folder) {
  const known = new Map()
  const add = (id, kind) => known.set(id, (known.get(id) ?? new Set()).add(kind))
  const labels = readFileSync(path.join(folder, 'labels.jsonl'), 'utf8').split('\n').filter(Boolean)
  for (const { id, spans } of labels.map((row) => JSON.parse(row))) {
    for (const { kind } of spans) if (kind === 'chant' || kind === 'monologue') add(id, kind)
  }
  const oracle = path.join(folder, ORACLE + ENDING)
  for (const { id, findings } of existsSync(oracle) ? rowsOf(oracle) : []) {
    for (const { kind } of findings) if (kind in ORACLE_KINDS) add(id, ORACLE_KINDS[kind])
  }
  return known
}

function rowsOf(file) {
  const lines = gunzipSync(readFileSync(file)).toString('utf8').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line))
}

/**
 * Counts texts and alarms.
 *
 * @param {{ LoopDetector: any, replay: any }} engine
 * @param {Iterable<Run>} runs
 * @returns Counts for each source (`innocent`: characters of runs not known to repeat words), the
 *   alarms within a streamed text, and those from turn to turn.
 */
export function evaluate({ LoopDetector, replay }, runs) {
  const sources = {}
  /** @type {Alarm[]} */
  const streams = []
  /** @type {Alarm[]} */
  const turns = []
  const detector = new LoopDetector(OPTIONS)
  for (const { id, source, kinds, events } of runs) {
    sources[source] ??= { runs: 0, texts: 0, characters: 0, innocent: 0 }
    const counts = sources[source]
    const alarm = (verdict) => ({
      ...{ id, source, isKnown: kinds.size > 0, isChant: kinds.has('chant'), verdict },
    })
    counts.runs++
    for (const { t, text } of events) {
      if (t !== 'text') continue
      counts.texts++
      counts.characters += text.length
      if (kinds.size === 0) counts.innocent += text.length
      detector.reset()
      const verdict = streamText(detector, text)
      if (verdict) streams.push(alarm(verdict))
    }
    detector.reset()
    const verdict = summaryOf(replay(detector, events))
    if (verdict) turns.push(alarm(verdict))
  }
  detector.free()
  return { sources, streams, turns }
}

/** Returns the first verdict on a text that is not `continue`. */
function streamText(detector, text) {
  for (let at = 0; at < text.length; at += CHUNK) {
    const verdict = detector.pushText(text.slice(at, at + CHUNK))
    if (verdict.action !== 'continue') return verdict
  }
  return null
}

/** Returns the first verdict that is a summary loop. */
function summaryOf(steps) {
  for (const { verdict } of steps) if (verdict.kind === 'summary') return verdict
  return null
}

/** The figures as Markdown, which also reads well in a terminal. */
function describe({ sources, streams, turns }) {
  const rows = Object.entries(sources).map(([name, { runs, texts, characters }]) => {
    const own = streams.filter(({ source }) => source === name)
    const cells = [runs, texts, characters, own.length, own.filter(({ isKnown }) => isKnown).length]
    return [`\`${name}\``, ...cells.map((value) => value.toLocaleString('en'))]
  })
  const header = ['source', 'runs', 'texts', 'characters', 'alarms', 'on runs known to repeat']
  const align = header.map((_, column) => (column ? 'r' : 'l'))
  const innocent = Object.values(sources).reduce((sum, source) => sum + source.innocent, 0)
  const falseAlarms = streams.filter(({ isKnown }) => !isKnown).length
  const chants = new Set(streams.filter(({ isChant }) => isChant).map(({ id }) => id)).size
  const unknown = turns.filter(({ isKnown }) => !isKnown).map(({ id }) => `\`${id}\``)
  return [
    markdownTable([header, ...rows], { align }),
    '',
    `- **False alarms: ${falseAlarms}** on the ${innocent.toLocaleString('en')} characters of runs that are not known to repeat: ${((falseAlarms * 1e6) / innocent).toFixed(2)} per million.`,
    `- Chants that users reported in issue trackers: ${chants} runs found.`,
    `- Summary loops: ${turns.length} runs, ${turns.length - unknown.length} of them known to repeat${unknown.length > 0 ? `; the other ${unknown.length}: ${unknown.join(', ')}` : ''}.`,
  ].join('\n')
}

function listAlarms({ streams, turns }) {
  for (const [title, alarms] of [
    ['Within a text', streams],
    ['From turn to turn', turns],
  ]) {
    write(`\n${bold(title)}\n`)
    for (const { id, isKnown, verdict } of alarms) {
      const { level, details, count } = verdict
      const what = details
        ? `${details.repeats} × ${JSON.stringify(details.unit)}`
        : `${count} turns`
      write(`${isKnown ? 'known  ' : bold('unknown')} ${level.padEnd(8)} ${id} ${dim(what)}\n`)
    }
  }
}
