// Measures how fast `loophound scan` reads a folder of sessions, next to JSON.parse alone.
import { spawn } from 'node:child_process'
import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { buildAll } from '../scripts/build/all.mjs'
import { main, readOptions, write } from '../scripts/support/cli.mjs'
import { inRoot, replaceSections } from '../scripts/support/files.mjs'
import { table } from './tables.mjs'

const HELP = `Measures how fast a folder of 2,000 sessions is scanned.

  npm run bench:scan [-- <options>]

  --large            scan one large file instead, and print how much memory that takes
  --megabytes <n>    how large it is (1000 if absent)
  --write            also write the figures of the folder into docs/scan.md
  --help             print this text
`

const SESSIONS = 2000
const MEGABYTE = 1e6
/** The goals: megabytes in a second on two cores, and megabytes of memory. */
const GOAL = { rate: 50, memory: 300 }

/** Files whose contents the sessions read. */
const sources = readdirSync(inRoot('js/transcripts')).map((name) => [
  name,
  readFileSync(inRoot('js/transcripts', name), 'utf8'),
])

await main(async () => {
  const options = readOptions(HELP, { write: false, large: false, megabytes: 1000 })
  if (options === undefined) return
  await buildAll()
  const folder = mkdtempSync(path.join(tmpdir(), 'loophound-bench-'))
  try {
    if (options.large) {
      write(await scanLarge(folder, options.megabytes))
      return
    }
    const bytes = makeSessions(folder)
    const parse = parseAll(folder)
    const scan = await scanAll(folder, SESSIONS)
    const megabytes = (seconds) => `${(bytes / MEGABYTE / seconds).toFixed(0)} MB`
    const rate = (seconds) => `${megabytes(seconds)}/s`
    const [average = 0] = loadavg()
    const load =
      average > availableParallelism() * 1.2
        ? `The machine had other work (load ${average.toFixed(1)}): the CPU time tells more than the time. `
        : ''
    const result = [
      table(
        ['', 'time', 'rate', 'CPU time', 'for a second of CPU', 'peak memory'],
        [
          [
            '`loophound scan`, all cores',
            `${scan.seconds.toFixed(1)} s`,
            rate(scan.seconds),
            `${scan.cpu.toFixed(1)} s`,
            megabytes(scan.cpu),
            `${scan.memory.toFixed(0)} MB`,
          ],
          [
            '`JSON.parse` of each line, one thread',
            `${parse.seconds.toFixed(1)} s`,
            rate(parse.seconds),
            `${parse.cpu.toFixed(1)} s`,
            megabytes(parse.cpu),
            '',
          ],
        ],
      ),
      `${SESSIONS.toLocaleString('en')} sessions of Claude Code, ${(bytes / MEGABYTE).toFixed(0)} MB of JSON lines, on ${availableParallelism()} cores, Node ${process.versions.node}. ${load}The goals are ${GOAL.rate} MB/s on two cores and less than ${GOAL.memory} MB.`,
    ].join('\n\n')
    write(`\n${result}\n`)
    if (options.write) replaceSections('docs/scan.md', { benchmark: result })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

/** Scans a file of many megabytes, and says how fast that was and how much memory it took. */
async function scanLarge(folder, megabytes) {
  const file = openSync(path.join(folder, 'large.jsonl'), 'w')
  let bytes = 0
  for (let number = 0; bytes < megabytes * MEGABYTE; number++)
    bytes += writeSync(file, session(number))
  closeSync(file)
  const { seconds, cpu, memory } = await scanAll(folder, 1)
  const size = (bytes / MEGABYTE).toFixed(0)
  return `One file of ${size} MB: ${seconds.toFixed(1)} s, ${cpu.toFixed(1)} s of CPU time, ${memory.toFixed(0)} MB of memory at most.\n`
}

/** Writes sessions of Claude Code, each of another length, and returns their size. */
function makeSessions(folder) {
  let bytes = 0
  for (let index = 0; index < SESSIONS; index++) {
    const text = session(index)
    bytes += Buffer.byteLength(text)
    writeFileSync(path.join(folder, `session-${index}.jsonl`), text)
  }
  return bytes
}

/** A session of reads, edits and tests over the files of this repository, with real contents. */
function session(number) {
  const lines = []
  const calls = 20 + (number % 41)
  const line = (fields) => {
    const uuid = `${number}-${lines.length}`
    const parentUuid = lines.length === 0 ? null : `${number}-${lines.length - 1}`
    const timestamp = new Date(1.76e12 + number * 1e6 + lines.length * 5000).toISOString()
    lines.push(JSON.stringify({ uuid, parentUuid, sessionId: `${number}`, timestamp, ...fields }))
  }
  line({ type: 'user', message: { role: 'user', content: 'Mend the reader.' } })
  for (let index = 0; index < calls; index++) {
    // One session in ten reads the same file again and again.
    const [name, text] = sources[(number % 10 === 0 ? number : number + index) % sources.length]
    const id = `toolu_${number}_${index}`
    const usage = { input_tokens: 12, output_tokens: 180, cache_read_input_tokens: 20_000 + index }
    const content = [
      { type: 'text', text: `Now I look at ${name}, step ${index}.` },
      { type: 'tool_use', id, name: 'Read', input: { file_path: `/project/${name}` } },
    ]
    const message = {
      id: `msg_${number}_${index}`,
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content,
      usage,
    }
    line({ type: 'assistant', message })
    const result = { type: 'tool_result', tool_use_id: id, content: text }
    line({
      type: 'user',
      message: { role: 'user', content: [result] },
      toolUseResult: { file: text.slice(0, 2000) },
    })
  }
  return `${lines.join('\n')}\n`
}

function parseAll(folder) {
  const begun = performance.now()
  const used = process.cpuUsage()
  let records = 0
  for (const name of readdirSync(folder)) {
    for (const line of readFileSync(path.join(folder, name), 'utf8').split('\n')) {
      if (line !== '' && JSON.parse(line) !== null) records += 1
    }
  }
  if (records < SESSIONS) throw new Error('the sessions are empty')
  const { user, system } = process.cpuUsage(used)
  return { seconds: (performance.now() - begun) / 1000, cpu: (user + system) / 1e6 }
}

/** Runs the command, and reads how much memory it had at most from its own report. */
function scanAll(folder, expected) {
  const probe =
    'process.on("exit",()=>{const r=process.resourceUsage();process.stderr.write("peak "+r.maxRSS+" cpu "+(r.userCPUTime+r.systemCPUTime)+"\\n")})'
  const begun = performance.now()
  const args = [inRoot('pkg/dist/cli.js'), 'scan', folder]
  const child = spawn(process.execPath, [
    '--import',
    `data:text/javascript,import{isMainThread}from'node:worker_threads';if(isMainThread)${encodeURIComponent(probe)}`,
    ...args,
  ])
  let told = ''
  child.stdout.on('data', (text) => {
    told += text
  })
  child.stderr.on('data', (text) => {
    told += text
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', () => {
      const seconds = (performance.now() - begun) / 1000
      const [, peak, cpu] = /peak (\d+) cpu (\d+)/.exec(told) ?? []
      const sessions = /of ([\d,]+) sessions/.exec(told)?.[1] ?? '1'
      if (!peak || sessions !== expected.toLocaleString('en')) reject(new Error(told))
      else resolve({ seconds, cpu: Number(cpu) / 1e6, memory: (Number(peak) * 1024) / MEGABYTE })
    })
  })
}
