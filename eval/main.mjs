/**
 * `npm run eval`: measures how well the presets, other agents' rules and published packages
 * distinguish loops from work.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { POLICIES } from './policies.mjs'
import { dataFolder, readSets, SETS, VIEWS } from './sets.mjs'

const HELP = `Measures loop detection on recorded and made-up sessions.

  npm run eval [-- <options>]

  --data <dir>            the folder with corpus/ and scenarios/; ../shared if absent
  --sets <set,…>          only these sets: ${SETS.map(({ id }) => id).join(', ')}
  --only <policy,…>       only these policies
  --peers                 also run published packages; installs them into .tools/eval-peers (1 GB)

  --show <view> [word…]   list false alarms and missed loops, or the sessions that match every word:
                          part of an id, a result (false, miss, hit, quiet), a source, group, kind,
                          action, or "all". Views: ${VIEWS.map(({ id }) => id).join(', ')}
  --trace <id>            a session with the verdicts in it; part of an id will do
      --calls             replay it call by call, not by turn
      --around <n>        so many calls around each alarm
  --diff <file>           sessions whose result differs from an earlier --json output
  --study <name>          ablation, thresholds or breadth: studies of balanced
  --json                  print everything as JSON
  --write                 update docs/evaluation.md and its charts with what was measured
  --help                  this text

--show, --trace and --diff look at balanced unless --only names another policy:
${POLICIES.map(({ id }) => id).join(', ')}.
`

/** A mistake of the user, shown without a stack trace. */
class UsageError extends Error {}

// A reader that closes the pipe early, such as head, is not an error.
process.stdout.on('error', (error) => process.exit(error.code === 'EPIPE' ? 0 : 1))

try {
  await main(readOptions(process.argv.slice(2)))
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}

function readOptions(args) {
  const text = { type: 'string' }
  const flag = { type: 'boolean', default: false }
  const { values, positionals } = parse(args, {
    ...{ data: text, sets: text, only: text, show: text, trace: text, around: text, diff: text },
    ...{ study: text, peers: flag, calls: flag, json: flag, write: flag, help: flag },
  })
  if (positionals.length > 0 && !values.show) {
    throw new UsageError(`"${positionals[0]}" is one word too many; see --help.`)
  }
  const isSingle = values.show || values.trace || values.diff
  const policies = choose('policy', values.only ?? (isSingle ? 'balanced' : undefined), POLICIES)
  const views = VIEWS.filter(({ id, set }) => !values.show || [id, set].includes(values.show))
  if (views.length === 0) choose('view', values.show, VIEWS)
  const sets = values.show ? views.map(({ set }) => set).join(',') : values.sets
  return {
    ...values,
    ...{ policies, views, words: positionals },
    sets: choose('set', sets, SETS).map(({ id }) => id),
    around: values.around === undefined ? null : Number(values.around),
  }
}

function parse(args, options) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(`${error.message} See --help.`)
  }
}

/** Return the items named in a list separated by commas; all of them if none is named. */
function choose(what, names, items) {
  if (names === undefined) return items
  return names.split(',').map((name) => {
    const item = items.find(({ id }) => id === name.trim())
    const known = items.map(({ id }) => id).join(', ')
    if (!item) throw new UsageError(`There is no ${what} "${name}"; there are: ${known}.`)
    return item
  })
}

async function main(options) {
  if (options.help) return process.stdout.write(HELP)
  const folder = dataFolder(options.data)
  const { found, absent } = readSets(folder, options.sets)
  for (const place of absent) {
    const text = `There is nothing to evaluate in ${place}.`
    if (process.env.CI === 'true') throw new UsageError(text)
    process.stderr.write(`${text} Its figures stay as they are; --data says where it is.\n`)
  }
  buildPackage()
  if (options.trace) return traceSession(found, options)
  if (options.study) return study(found, folder, options)

  const measured = await measure(found, options)
  if (options.show || options.diff) return showSessions(measured, options)
  const { views, closedLoop, targets, absentPeers } = measured
  if (options.json) {
    const results = await resultsByView(measured, options.policies[0].id)
    return print({ views, closedLoop, targets, absentPeers, results })
  }
  const { showFigures } = await import('./show.mjs')
  showFigures(measured)
  if (options.write) await writePage({ views, closedLoop })
}

/**
 * Bring pkg/ up to date. The output of the build goes to stderr: stdout may be read by a
 * program.
 */
function buildPackage() {
  const script = fileURLToPath(new URL('../scripts/build.mjs', import.meta.url))
  const { status } = spawnSync(process.execPath, [script], { stdio: ['ignore', 2, 2] })
  if (status !== 0) throw new UsageError('The build failed; its output is above.')
}

/** Replay the sets under every policy, and compute the figures. */
async function measure(sets, { policies, peers, views: wanted }) {
  const { replayAll } = await import('./pool.mjs')
  const { checkTargets, closedLoopFigures, figuresOf } = await import('./figures.mjs')
  const presets = policies.filter(({ group }) => group === 'presets').map(({ id }) => id)
  const measured = { views: [], replayed: {}, absentPeers: [], failedPeers: [] }
  for (const { id, sessions, replays } of sets) {
    const plan = { policies, replays, trials: presets }
    const replayed = await replayAll(sessions, plan, `${id} sessions`)
    const published = peers ? await addPeers(sessions, replayed, measured) : []
    measured.replayed[id] = replayed
    for (const view of wanted.filter(({ set }) => set === id)) {
      measured.views.push(figuresOf(view, replayed, [...policies, ...published]))
    }
  }
  const all = Object.entries(measured.replayed).map(([set, replayed]) => ({ set, replayed }))
  const closedLoop = closedLoopFigures(all, presets)
  return { ...measured, closedLoop, targets: checkTargets(measured.views) }
}

/** Published packages see calls one by one, however a set is replayed. */
async function addPeers(sessions, replayed, measured) {
  const { runPeers } = await import('./peers/peers.mjs')
  const { ran, absent } = await runPeers(sessions)
  for (const { peer, alarms, failed } of ran) {
    for (const [index, session] of replayed.entries()) {
      for (const byPolicy of Object.values(session.alarms)) byPolicy[peer.id] = alarms[index]
    }
    if (failed.length > 0) measured.failedPeers.push({ id: peer.id, sessions: failed })
  }
  measured.absentPeers = absent.map(({ peer, why }) => ({
    id: peer.id,
    version: peer.version,
    why,
  }))
  return ran.map(({ peer, failed }) => ({ ...peer, failed: failed.length }))
}

async function resultsByView({ replayed }, policy) {
  const { resultsOf } = await import('./show.mjs')
  const measured = VIEWS.filter(({ set }) => replayed[set])
  return Object.fromEntries(
    measured.map((view) => [view.id, resultsOf(view, replayed[view.set], policy)]),
  )
}

async function showSessions(measured, { policies, views, words, diff, json }) {
  const { select, showChanges, showResults } = await import('./show.mjs')
  const before = diff
    ? JSON.parse(readFileSync(path.resolve(process.env.INIT_CWD ?? '', diff))).results
    : null
  for (const { id: policy } of policies) {
    const results = await resultsByView(measured, policy)
    for (const view of views.filter(({ id }) => results[id])) {
      const chosen = select(results[view.id], words)
      if (before) showChanges(view, before, results[view.id])
      else if (json) print(chosen)
      else showResults(view, policy, chosen)
    }
  }
}

async function traceSession(sets, { trace: wanted, policies, calls, around }) {
  const sessions = sets.flatMap((set) => set.sessions)
  const exact = sessions.filter(({ id }) => id === wanted)
  const found = exact.length > 0 ? exact : sessions.filter(({ id }) => id.includes(wanted))
  if (found.length === 0) throw new UsageError(`No session has the id ${wanted}.`)
  if (found.length > 1) {
    const ids = found.slice(0, 20).map(({ id }) => `  ${id}`)
    throw new UsageError(
      `${found.length} sessions have "${wanted}" in their id:\n${ids.join('\n')}`,
    )
  }
  const engine = await import('../pkg/dist/index.js')
  const { eventsOf } = await import('./replay.mjs')
  const { trace } = await import('./show.mjs')
  const session = { ...found[0], events: eventsOf(JSON.parse(found[0].line)) }
  for (const policy of policies) trace(engine, session, policy, calls ? 'calls' : 'turns', around)
}

async function study(sets, folder, { study: name, policies, write, json }) {
  const { STUDIES } = await import('./studies.mjs')
  if (!STUDIES[name]) {
    throw new UsageError(
      `There is no study "${name}"; there are: ${Object.keys(STUDIES).join(', ')}.`,
    )
  }
  const tables = await STUDIES[name](sets, { folder, policies })
  const { showTables } = await import('./show.mjs')
  if (json) print(tables)
  else showTables(tables)
  if (write) await writePage({ studies: { [name]: tables } })
}

async function writePage(measured) {
  const { updatePage } = await import('./page.mjs')
  process.stdout.write(`Written: ${updatePage(measured).join(', ')}\n`)
}

function print(value) {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`)
}
