// Checks the adapters with the real frameworks, in every supported major, and the hook with the events
// of its hosts.
import { Listr, PRESET_TIMER } from 'listr2'
import { markdownTable } from 'markdown-table'
import spawn, { SubprocessError } from 'nano-spawn'
import { buildAll } from '../../scripts/build/all.mjs'
import { bold, Failure, main, readOptions, red, write } from '../../scripts/support/cli.mjs'
import { environment } from '../../scripts/support/files.mjs'
import { capture } from '../../scripts/support/process.mjs'
import { copyOf, nodeFor, prepare, selectFixtures, writeLock } from './fixtures.mjs'
import { checkHosts, selectHosts } from './hooks.mjs'

const HELP = `Checks the adapters with the real frameworks, in every supported major, and the hook with the
recorded events of its hosts.

  npm run test:adapters [-- <options>]

  --only <names>   only fixtures and hosts whose names begin so: ai,mcp-1,codex
  --lock <name>    write the lock file of a fixture first
  --help           print this text
`

/** The checks that every adapter has. A driver's own checks are counted in the last column. */
const COLUMNS = [
  ...['types', 'loop', 'stream', 'healthy', 'hooks', 'parallel', 'throws', 'apart', 'resume'],
  ...['observe', 'swarm', 'outcome', 'inject', 'chant', 'example'],
]

/** @typedef {{ id: string, ok: boolean, note?: string, error?: string }} Outcome */

await main(async () => {
  const options = readOptions(HELP, { only: '', lock: '' })
  if (options === undefined) return
  if (options.lock) await writeLock(options.lock)
  const words = options.only || options.lock
  const hosts = selectHosts(words)
  const fixtures = selectFixtures(words, hosts.length > 0)
  await buildAll()
  if (fixtures.length > 0) await prepare(fixtures)
  const outcomes = new Map()
  const tasks = fixtures.map((fixture) => ({
    title: fixture.title,
    async task() {
      const own = await checksOf(fixture)
      outcomes.set(fixture.title, own)
      const failed = own.filter(({ ok }) => !ok).length
      if (failed > 0) throw new Error(`${failed} of ${own.length} checks failed`)
    },
  }))
  if (hosts.length > 0) {
    tasks.push({
      title: `loophound hook: ${hosts.join(', ')}`,
      async task() {
        const found = await checkHosts(hosts)
        for (const [host, own] of found) outcomes.set(`hook: ${host}`, own)
        const failed = [...found.values()].flat().filter(({ ok }) => !ok).length
        if (failed > 0) throw new Error(`${failed} checks failed`)
      },
    })
  }
  const renderer = { timer: PRESET_TIMER }
  await new Listr(tasks, {
    exitOnError: false,
    rendererOptions: renderer,
    fallbackRendererOptions: renderer,
  }).run()
  report(outcomes)
})

/** @returns {Promise<Outcome[]>} */
async function checksOf(fixture) {
  try {
    return [await checkTypes(fixture), ...(await runChecks(fixture))]
  } catch (error) {
    return [{ id: 'start', ok: false, error: `${error.message}\n${error.next ?? ''}` }]
  }
}

/** Do the examples compile against the framework's own types? @returns {Promise<Outcome>} */
async function checkTypes({ name }) {
  const result = await capture('tsc', ['--project', copyOf(name, 'examples')])
  return { id: 'types', ok: result?.code === 0, error: result?.output ?? 'tsc is missing' }
}

/** Runs the scenario in a process of its own; it prints each outcome as JSON. */
async function runChecks({ name, node }) {
  // The AI SDK and others warn about what the checks do on purpose.
  const env = environment({ NO_COLOR: '1', NODE_NO_WARNINGS: '1' })
  const args = [copyOf(name, 'scenario/main.mjs'), name]
  const ended = await spawn(nodeFor(node), args, { cwd: copyOf(name), env, stdin: 'ignore' }).catch(
    (error) => error,
  )
  // A framework may print lines of its own.
  const lines = ended.stdout.split('\n').filter((line) => line.startsWith('{"id":'))
  /** @type {Outcome[]} */
  const outcomes = lines.map((line) => JSON.parse(line))
  if (!(ended instanceof SubprocessError)) return outcomes
  return [...outcomes, { id: 'end', ok: false, error: `${ended.message}\n${ended.output}` }]
}

/** Prints the table, what failed, and why checks do not apply. */
function report(outcomes) {
  const rows = [...outcomes].map(([title, own]) => {
    const marks = COLUMNS.map((id) => mark(own.find((outcome) => outcome.id === id)))
    const others = own.filter(({ id }) => !COLUMNS.includes(id))
    const passed = others.filter(({ ok }) => ok).length
    return [title, ...marks, others.length > 0 ? `${passed}/${others.length}` : '–']
  })
  write(`\n${markdownTable([['framework or host', ...COLUMNS, 'own'], ...rows])}\n`)

  const notes = new Map()
  const failures = []
  for (const [title, own] of outcomes) {
    for (const { id, ok, note, error } of own) {
      if (note) notes.set(`${id}: ${note}`, [...(notes.get(`${id}: ${note}`) ?? []), title])
      if (!ok) failures.push({ title: `${title}, ${id}`, error })
    }
  }
  if (notes.size > 0) write('\n')
  for (const [note, titles] of notes) write(`– ${note} (${titles.join(', ')})\n`)
  for (const { title, error } of failures) {
    const text = String(error).trimEnd().split('\n').slice(0, 40).join('\n')
    write(`\n${red('✗')} ${bold(title)}\n${text.replace(/^/gm, '    ')}\n`)
  }
  const all = [...outcomes.values()].flat().length
  write(`\n${all - failures.length} of ${all} checks passed.\n`)
  if (failures.length > 0) throw new Failure(`${failures.length} checks failed.`)
}

/** @param {Outcome | undefined} outcome */
function mark(outcome) {
  if (outcome === undefined) return '?'
  if (!outcome.ok) return '✗'
  return outcome.note ? '–' : '✓'
}
