// Measures what a character of streamed text costs: loophound, peers, and copying it into the engine.
import { readdirSync, readFileSync } from 'node:fs'
import { buildAll } from '../scripts/build/all.mjs'
import { main, readOptions, write } from '../scripts/support/cli.mjs'
import { inRoot, replaceSections } from '../scripts/support/files.mjs'
import { installPeers, loadGemini, loadQwen } from './peers.mjs'
import { ratios, spread, takeTurns } from './statistics.mjs'
import { table } from './tables.mjs'

const HELP = `Measures what a character of streamed text costs.

  npm run bench:text [-- <options>]

  --write   also write the figures into docs/text.md
  --help    print this text
`

/** Characters in a chunk. */
const CHUNKS = [1, 20, 200]
const ROUNDS = { rounds: 7, warmUp: 2 }

await main(async () => {
  const options = readOptions(HELP, { write: false })
  if (options === undefined) return
  await buildAll()
  await installPeers()
  const contestants = await loadContestants()
  const text = proseOfTheDocumentation()
  const columns = CHUNKS.map((size) => measure(contestants, text, size))
  const result = [
    table(
      ['detector', ...CHUNKS.map((size) => `chunks of ${size}`)],
      contestants.map(({ name }, row) => [name, ...columns.map((column) => column[row])]),
    ),
    `Nanoseconds per character, on ${text.length.toLocaleString('en')} characters of prose: the medians of ${ROUNDS.rounds} rounds, and the ratio to loophound.`,
  ].join('\n\n')
  write(`\n${result}\n`)
  if (options.write) replaceSections('docs/text.md', { benchmark: result })
})

/** Returns the contestants; each makes a detector, which takes a chunk and tells whether it loops. */
async function loadContestants() {
  const { LoopDetector } = await import('../pkg/dist/index.js')
  const [gemini, qwen] = await Promise.all([loadGemini(), loadQwen()])
  const content = (value) => ({ type: 'content', value })
  return [
    {
      name: 'loophound',
      create() {
        const detector = new LoopDetector()
        return {
          push: (chunk) => detector.pushText(chunk).action !== 'continue',
          free: () => detector.free(),
        }
      },
    },
    {
      name: gemini.name,
      create() {
        const service = gemini.create()
        return { push: (chunk) => service.addAndCheck(content(chunk)).count > 0 }
      },
    },
    {
      name: qwen.name,
      create() {
        const service = qwen.create()
        return { push: (chunk) => service.addAndCheckHeuristicLoops(content(chunk)) }
      },
    },
    {
      name: 'encodeInto alone',
      create() {
        const encoder = new TextEncoder()
        const bytes = new Uint8Array(64 * 1024)
        return { push: (chunk) => encoder.encodeInto(chunk, bytes).written < 0 }
      },
    },
  ]
}

/** Returns a cell for each contestant. */
function measure(contestants, text, size) {
  const chunks = []
  for (let at = 0; at < text.length; at += size) chunks.push(text.slice(at, at + size))
  const alarms = contestants.map(() => 0)
  const jobs = contestants.map(({ create }, index) => ({
    work: text.length,
    run() {
      const { push, free } = create()
      for (const chunk of chunks) if (push(chunk)) alarms[index]++
      free?.()
    },
  }))
  const times = takeTurns(jobs, ROUNDS)
  return times.map((own, index) => {
    const [time, ratio] = [spread(own).median, ratios(own, times[0]).median]
    const alarm = alarms[index] > 0 ? ', false alarm' : ''
    return `${short(time)} ns (${ratio === 1 ? '1' : short(ratio)}×${alarm})`
  })
}

function short(value) {
  return value < 10 ? value.toFixed(value < 1 ? 2 : 1) : Math.round(value).toLocaleString('en')
}

/**
 * Returns the sentences of this project's documentation, without code, tables, lists and headings,
 * which make peers skip or reset.
 */
function proseOfTheDocumentation() {
  const pages = readdirSync(inRoot('docs')).filter((name) => name.endsWith('.md'))
  const files = ['README.md', 'CONTRIBUTING.md', ...pages.map((name) => `docs/${name}`)]
  return files.map((file) => proseOf(readFileSync(inRoot(file), 'utf8'))).join(' ')
}

function proseOf(markdown) {
  return markdown
    .replace(/^```[\s\S]*?^```$/gm, '')
    .split('\n')
    .map((line) => line.replace(/^[-*+] |^\d+\. /, ''))
    .filter((line) => /^[A-Z`*]/.test(line) && !line.includes('|'))
    .join(' ')
    .replace(/[`*#>_]|\[|\]\([^)]*\)/g, '')
}
