// Reads the corpus: which trajectories are needed, as the lines they are stored in. Parsing them is
// most of the work and is left to the workers.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Failure, writeError } from '../support/cli.mjs'
import { inRoot } from '../support/files.mjs'

const DEFAULT = '../shared/corpus'
const ENDING = '.jsonl.gz'
const ORACLE = 'oracle_labels'

/** Runs of strong models, all of which are looked at: they hardly ever loop. */
export const STRONG = ['miniswe_gemini3pro', 'tau_gpt4o_airline']

/** The corpus' folder; null where there is none and that is no failure. */
export function findCorpus(given, usual = inRoot(DEFAULT)) {
  // npm changes to the project's root; what was typed is seen from where it was typed.
  const folder = given ? path.resolve(process.env.INIT_CWD ?? '', given) : usual
  if (existsSync(path.join(folder, 'labels.jsonl'))) return folder
  const missing = `There is no corpus in ${folder}: labels.jsonl is not there.`
  const next = 'Say where it is: npm run eval -- --corpus <dir>'
  if (given || process.env.CI === 'true') throw new Failure(missing, next)
  writeError(`${missing}\n${next}\n`)
  return null
}

/**
 * The labels by id, and the trajectories that scoring needs, all there are, or the one with the
 * given id.
 *
 * @param {string} folder
 * @param {{ id?: string, all?: boolean }} which
 * @returns {{ labels: Map<string, object>, lines: string[] }}
 */
export function readCorpus(folder, { id, all } = {}) {
  const labels = byId(readFileSync(path.join(folder, 'labels.jsonl'), 'utf8').split('\n'))
  const isScored = (other, source) => STRONG.includes(source) || labels.has(other)
  const isWanted = id ? (other) => other === id : all ? () => true : isScored
  const lines = sourcesIn(folder).flatMap((source) =>
    linesOf(path.join(folder, source + ENDING)).filter((line) => isWanted(idOf(line), source)),
  )
  if (id && lines.length === 0) throw new Failure(`No trajectory has the id ${id}.`)
  return { labels, lines }
}

/** What the corpus' rules say of every trajectory, by id; null where there are no such labels. */
export function readOracle(folder) {
  const file = path.join(folder, ORACLE + ENDING)
  return existsSync(file) ? byId(linesOf(file)) : null
}

const byId = (rows) =>
  new Map(rows.filter(Boolean).map((row) => [JSON.parse(row).id, JSON.parse(row)]))

function sourcesIn(folder) {
  const files = readdirSync(folder).filter((name) => name.endsWith(ENDING))
  return files.map((name) => name.slice(0, -ENDING.length)).filter((name) => name !== ORACLE)
}

function linesOf(file) {
  return gunzipSync(readFileSync(file)).toString('utf8').split('\n').filter(Boolean)
}

/** The id stands first on its line; only if it does not, the whole line is parsed for it. */
function idOf(line) {
  const start = /^\{"id": ?("(?:[^"\\]|\\.)*")/.exec(line)
  return start ? JSON.parse(start[1]) : JSON.parse(line).id
}
