/**
 * Reads the three sets of sessions that are scored. They are outside this repository, in
 * `../shared` unless another folder is given; a missing set is left out.
 *
 * @typedef {{ from: number, to: number, kind: string }} Span A stretch of calls in which the agent
 *   is stuck, by call index, both ends included.
 * @typedef {object} Session
 * @property {string} id
 * @property {string} source Name of the file it comes from.
 * @property {string} group What it is counted under; see the functions below.
 * @property {'loop' | 'work' | null} expect What the session is known to be; null where nobody knows.
 * @property {Span[]} spans Where it is stuck; empty for work.
 * @property {string} note Why it is labelled so.
 * @property {string} line The session as it is stored: one line of JSON. Workers parse it.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'

const ENDING = '.jsonl.gz'
const LABELS = 'labels.jsonl'
const ORACLE = `oracle_labels${ENDING}`

/** Sources of two strong models, which rarely loop. */
export const STRONG = ['miniswe_gemini3pro', 'tau_gpt4o_airline']

/**
 * Modern sources full of loops: sessions that nobody has read there may or may not be
 * loops.
 */
const OLDER = ['sweagent_java_2024']

/**
 * The sets, in the order in which they are shown. Each is replayed in one or two ways.
 * `isTunedOn` says whether the values of `balanced` were chosen with its help; `about`
 * describes its content.
 */
export const SETS = [
  {
    ...{ id: 'labels', folder: 'corpus', replays: ['turns'], read: readLabelled, isTunedOn: true },
    about: 'real sessions of older agents that people read and labelled',
  },
  {
    ...{ id: 'modern', folder: 'corpus/modern', replays: ['turns', 'calls'], read: readModern },
    isTunedOn: true,
    about: "real sessions of today's coding agents, and of older models that often loop",
  },
  {
    ...{ id: 'scenarios', folder: 'scenarios', replays: ['turns'], read: readScenarios },
    isTunedOn: true,
    about:
      'made-up sessions: work that looks like a loop, and loops that look like work. They are meant to be hard, so do not expect these rates in the field',
  },
]

/** Each set with each way of replaying it: what a table is about, and what `--show` takes. */
export const VIEWS = SETS.flatMap(({ id, replays }) =>
  replays.map((replay) => ({
    id: replays.length > 1 ? `${id}-${replay}` : id,
    set: id,
    replay,
  })),
)

const root = fileURLToPath(new URL('..', import.meta.url))

/** Find the folder that holds `corpus/` and `scenarios/`. */
export function dataFolder(given) {
  // npm runs scripts in the project's root; a path that was typed is relative to where that was.
  return given ? path.resolve(process.env.INIT_CWD ?? '', given) : path.join(root, '../shared')
}

/**
 * Find the folder of the old corpus, for commands that only need that.
 *
 * @returns {string | null} Null where there is none, which is told on stderr.
 * @throws {Error} If there is none, and the folder was given or this is CI.
 */
export function findCorpus(given) {
  const folder = given ? dataFolder(given) : path.join(dataFolder(), 'corpus')
  if (existsSync(path.join(folder, LABELS))) return folder
  const text = `There is no corpus in ${folder}: ${LABELS} is not there.`
  if (given || process.env.CI === 'true') throw new Error(text)
  process.stderr.write(`${text}\n`)
  return null
}

/**
 * Read the sets with these ids.
 *
 * @returns {{ found: { id: string, replays: string[], sessions: Session[] }[], absent: string[] }}
 *   The sets, and the folders of those that are not there.
 */
export function readSets(folder, ids) {
  const found = []
  const absent = []
  for (const { id, folder: name, replays, read } of SETS.filter((set) => ids.includes(set.id))) {
    const place = path.join(folder, name)
    const sessions = existsSync(place) ? read(place) : []
    if (sessions.length === 0) absent.push(place)
    else found.push({ id, replays, sessions })
  }
  return { found, absent }
}

/**
 * Read what people labelled, and every session of the strong models.
 *
 * Groups: `labelled` is what precision and recall are about; `strong` is not labelled, or not
 * clearly; `borderline` is not scored.
 */
function readLabelled(folder) {
  const labels = readLabels(folder)
  return linesIn(folder).flatMap(({ id, source, line }) => {
    const label = labels.get(id)
    const isStrong = STRONG.includes(source)
    if (!label && !isStrong) return []
    const group = label && !label.borderline ? 'labelled' : isStrong ? 'strong' : 'borderline'
    const expect =
      group === 'borderline' || (label?.borderline && label.stuck) ? null : expected(label)
    return [session({ id, source, line, group, expect }, label)]
  })
}

/**
 * Read the sessions of today's agents, and those of older models.
 *
 * Groups: `today`, where no session was found to be stuck, so that every alarm is suspect; `older`,
 * where only what was read and labelled is scored.
 */
function readModern(folder) {
  const labels = readLabels(folder)
  return linesIn(folder).map(({ id, source, line }) => {
    const label = labels.get(id)
    const group = OLDER.includes(source) ? 'older' : 'today'
    const isKnown = label
      ? !(label.borderline && (label.stuck || group === 'older'))
      : group === 'today'
    return session({ id, source, line, group, expect: isKnown ? expected(label) : null }, label)
  })
}

/**
 * Read the invented sessions. Their groups are `clear`, `contested`, `realistic`,
 * `adversarial`.
 */
function readScenarios(folder) {
  return linesIn(folder).map(({ id, source, line }) => {
    const { expect, label, title } = JSON.parse(line)
    const isLoop = expect === 'loop'
    const spans = isLoop ? [{ from: 0, to: Number.MAX_SAFE_INTEGER, kind: 'scenario' }] : []
    const group = label.split(' ')[0]
    return session(
      { id, source, line, group, expect: isLoop ? 'loop' : 'work' },
      { spans, reason: title },
    )
  })
}

/** Read every session of the old corpus that its oracle, a slow set of rules, has labelled. */
export function readOracle(folder) {
  const place = path.join(folder, 'corpus')
  const file = path.join(place, ORACLE)
  if (!existsSync(file)) return null
  const oracle = byId(linesOf(file))
  const known = linesIn(place).filter(({ id }) => oracle.has(id))
  return {
    oracle,
    sessions: known.map((line) => session({ ...line, group: 'oracle', expect: null })),
  }
}

const expected = (label) => (label?.stuck ? 'loop' : 'work')

function session(fields, label) {
  return { ...fields, spans: label?.spans ?? [], note: label?.reason ?? '' }
}

function readLabels(folder) {
  const file = path.join(folder, LABELS)
  return existsSync(file) ? byId(readFileSync(file, 'utf8').split('\n')) : new Map()
}

const byId = (lines) =>
  new Map(lines.filter(Boolean).map((line) => [JSON.parse(line).id, JSON.parse(line)]))

/** Every session stored in a folder, as its line. */
function linesIn(folder) {
  const files = readdirSync(folder).filter((name) => name.endsWith(ENDING) && name !== ORACLE)
  return files.sort().flatMap((name) =>
    linesOf(path.join(folder, name)).map((line) => ({
      id: idOf(line),
      source: name.slice(0, -ENDING.length),
      line,
    })),
  )
}

function linesOf(file) {
  return gunzipSync(readFileSync(file)).toString('utf8').split('\n').filter(Boolean)
}

/** Return the id of a line. It usually comes first; only otherwise is the whole line parsed. */
function idOf(line) {
  const start = /^\{"id": ?("(?:[^"\\]|\\.)*")/.exec(line)
  return start ? JSON.parse(start[1]) : JSON.parse(line).id
}
