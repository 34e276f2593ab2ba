// The texts of the corpus, run by run, and which runs are known to go in circles with words.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { eventsOf } from '../../eval/replay.mjs'

const ENDING = '.jsonl.gz'
const ORACLE = 'oracle_labels'
/** What a slow oracle, which sees whole runs, calls a loop of words. */
const ORACLE_KINDS = { chant_in_text: 'chant', monologue_repeat: 'monologue' }

/**
 * @yields {{ id: string, source: string, kinds: Set<string>, events: object[] }} A run that has texts;
 *   `kinds` holds `chant` or `monologue` if a person, a reporter or the oracle says so.
 */
export function* readTexts(folder) {
  const known = knownKinds(folder)
  for (const source of sourcesIn(folder)) {
    for (const run of rowsOf(path.join(folder, source + ENDING))) {
      if (!run.events.some(({ t }) => t === 'text')) continue
      const kinds = known.get(run.id) ?? new Set()
      if (/^chant/.test(run.label?.note ?? '')) kinds.add('chant')
      yield { id: run.id, source, kinds, events: eventsOf(run) }
    }
  }
}

function knownKinds(folder) {
  const known = new Map()
  const add = (id, kind) => {
    if (kind) known.set(id, (known.get(id) ?? new Set()).add(kind))
  }
  const labels = readFileSync(path.join(folder, 'labels.jsonl'), 'utf8').split('\n').filter(Boolean)
  for (const { id, spans } of labels.map((row) => JSON.parse(row))) {
    for (const { kind } of spans)
      add(
        id,
        ['chant', 'monologue'].find((name) => name === kind),
      )
  }
  const oracle = path.join(folder, ORACLE + ENDING)
  for (const { id, findings } of existsSync(oracle) ? rowsOf(oracle) : []) {
    for (const { kind } of findings) add(id, ORACLE_KINDS[kind])
  }
  return known
}

function sourcesIn(folder) {
  const files = readdirSync(folder).filter((name) => name.endsWith(ENDING))
  return files.map((name) => name.slice(0, -ENDING.length)).filter((name) => name !== ORACLE)
}

function rowsOf(file) {
  const lines = gunzipSync(readFileSync(file)).toString('utf8').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line))
}
