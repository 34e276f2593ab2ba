/** `loophound scan` and `loophound explain`: what they read, what they print, how they exit. */

import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { inRoot } from '../docs/pages.js'
import { fine, HOSTILE, jsonl, stuck } from '../report/sample.mjs'
import { noticeMissing, sharedPath } from '../support/shared.js'
import { zip, zstd } from '../transcripts/packed.js'
import { loophound, temporaryFolder } from './run.js'

const folder = temporaryFolder()
const sample = (name: string) => inRoot(`examples/${name}.json`)

/** Writes a file into a folder of its own. */
function put(name: string, content: string | Uint8Array): string {
  const file = path.join(folder, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, content)
  return file
}

const forty = Array.from({ length: 40 }, (_, index) => [
  { t: 'call', name: 'read', args: { path: 'a' }, id: `${index}` },
  { t: 'result', id: `${index}`, ok: true, output: 'the same' },
]).flat()

const mixed = path.join(folder, 'mixed')
put('mixed/a/stuck.jsonl', jsonl(stuck))
put('mixed/fine.json', JSON.stringify(fine))
put('mixed/broken.jsonl', '{"t":\nnope')
put('mixed/package.json', '{"name":"x"}')
put('mixed/node_modules/x/also.jsonl', jsonl(stuck))

describe('loophound scan of a file', () => {
  it('exits with 1 when there is a loop, and shows it', async () => {
    const args = ['scan', '--preset', 'nudge', sample('nudge-same-call')]
    const { code, stdout, stderr } = await loophound(args)
    expect([code, stderr]).toEqual([1, ''])
    expect(stdout).toContain('exact-repeat  read_file({"path":"config/settings.yaml"})')
    expect(stdout).toContain('1 loop found. Wasted: ')
    expect(stdout).not.toContain('\u001b')
    for (const line of stdout.split('\n').slice(1)) expect(line.length).toBeLessThanOrEqual(100)
  })

  it('exits with 0 when there is none', async () => {
    const { code, stdout } = await loophound(['scan', sample('healthy')])
    expect(code).toBe(0)
    expect(stdout).toContain('No loop found')
  })

  it('finds one loop in forty identical reads', async () => {
    const { code, stdout } = await loophound(['scan', '-', '--json'], JSON.stringify(forty))
    expect(code).toBe(1)
    const { version, sessions, totals } = JSON.parse(stdout)
    expect(version).toBe(1)
    expect(sessions).toHaveLength(1)
    expect(sessions[0]).toMatchObject({
      file: '-',
      format: 'events',
      calls: 40,
      results: 40,
      errors: 0,
      agents: 1,
      userMessages: 0,
      tokens: null,
      skipped: [],
    })
    expect(sessions[0].loops).toHaveLength(1)
    expect(sessions[0].loops[0]).toMatchObject({
      kind: 'no-progress',
      agent: '',
      from: 0,
      to: 39,
      calls: 40,
      wasted: 39,
    })
    expect(totals).toMatchObject({ sessions: 1, stuck: 1, calls: 40, loops: 1 })
    expect(totals.waste.calls).toBe(39)
  })

  it('unpacks gzip, Zstandard and the zip of Inspect', async () => {
    const long = jsonl(Array.from({ length: 20 }, () => stuck).flat())
    put('packed/session.jsonl.gz', gzipSync(jsonl(stuck)))
    put('packed/rollout-1.jsonl.zst', zstd(long))
    const messages = (id: string) => [
      { role: 'user', content: 'q' },
      { role: 'assistant', content: '', tool_calls: [{ id, function: 'ls', arguments: {} }] },
      { role: 'tool', tool_call_id: id, function: 'ls', content: 'a.txt' },
    ]
    const log = zip({
      'header.json': JSON.stringify({ version: 2, eval: { task: 'x' } }),
      'samples/1_epoch_1.json': JSON.stringify({ id: 1, epoch: 1, messages: messages('1') }),
      'samples/2_epoch_1.json': JSON.stringify({ id: 2, epoch: 1, messages: messages('2') }),
    })
    put('packed/log.eval', log)
    put('packed/cut.jsonl.zst', zstd(long).subarray(0, 300_000))
    const where = path.join(folder, 'packed')
    const { code, stdout, stderr } = await loophound(['scan', where, '--json'])
    expect(code).toBe(1)
    const { sessions, totals, failures } = JSON.parse(stdout)
    expect(totals).toMatchObject({ sessions: 3 })
    const found = (name: string) =>
      sessions.find(({ file }: { file: string }) => path.basename(file) === name)
    expect(found('session.jsonl.gz').loops).toHaveLength(3)
    expect(found('rollout-1.jsonl.zst').calls).toBe(20 * found('session.jsonl.gz').calls)
    expect(found('log.eval')).toMatchObject({ format: 'inspect', agents: 2, calls: 2, results: 2 })
    expect(failures).toHaveLength(1)
    expect(stderr).toContain('cut.jsonl.zst cannot be read')
  })

  it('reads large packed files in blocks, and refuses a line without end', async () => {
    const output = 'x'.repeat(200_000)
    const many = Array.from({ length: 200 }, (_, index) => [
      { t: 'call', name: 'read', args: { path: `${index}.txt` } },
      { t: 'result', output: `${index} ${output}` },
    ])
    const text = jsonl(many.flat())
    expect(text.length).toBeGreaterThan(40_000_000)
    put('blocks/many.jsonl.gz', gzipSync(text, { level: 1 }))
    put('blocks/many.jsonl.zst', zstd(text))
    put('blocks/bomb.json.gz', gzipSync(Buffer.alloc(140_000_000), { level: 1 }))
    const { stdout } = await loophound(['scan', path.join(folder, 'blocks'), '--json'])
    const { sessions, failures } = JSON.parse(stdout)
    expect(sessions.map(({ calls }: { calls: number }) => calls)).toEqual([200, 200])
    expect(failures).toHaveLength(1)
    expect(failures[0].reason).toContain('a line of more than 128 MiB')
  })

  it('takes options and prices from files', async () => {
    const options = put('options.json', '{"preset":"window","threshold":50,"window":100}')
    const { code } = await loophound(['scan', '--options', options, sample('nudge-same-call')])
    expect(code).toBe(0)
    const prices = put(
      'prices.json',
      '{"date":"2026-01-02","models":{"gpt-5-codex":{"in":0,"out":1e6}}}',
    )
    const file = path.join(mixed, 'fine.json')
    const { stdout } = await loophound(['scan', '--prices', prices, '--json', file])
    const report = JSON.parse(stdout)
    expect(report.prices).toBe('2026-01-02')
    expect(report.totals.cost).toBe(8 * 150)
  })

  const broken = put('broken.json', '{"what": ')
  const nothing = put('nothing.jsonl', '')

  it.each([
    [['scan'], 'Which transcript?'],
    [['scan', 'none.json'], 'There is no file none.json.'],
    [['scan', 'none-*.json'], 'There is no file none-*.json.'],
    [['scan', broken], 'broken.json cannot be read: transcript: looked for JSON'],
    [
      ['scan', nothing],
      'nothing.jsonl cannot be read: transcript: looked for JSON or JSON lines; found empty',
    ],
    [['scan', inRoot('package.json')], 'package.json cannot be read: transcript: found an object'],
    [['scan', '--preset', 'best', broken], 'options.preset must be one of'],
    [['scan', '--options', broken, broken], '--options '],
    [['scan', '--prices', broken, broken], '--prices '],
    [['scan', '--prices', inRoot('package.json'), broken], 'there are no prices'],
    [['scan', '--format', 'sarf', sample('healthy')], '--format must be sarif, junit, github or'],
    [['scan', '--since', '2099-01-01', path.dirname(sample('healthy'))], 'No file was changed'],
    [['scan', '--since', 'soon', broken], '--since must be'],
    [['scan', '--min-wasted', '-1', broken], '--min-wasted'],
    [['scan', '--agent', 'nobody'], '--agent must be one of claude-code, codex'],
    [['scan', '--agent', 'pi'], 'There are no sessions of pi in '],
    [['scan', '--colour', broken], "Unknown option '--colour'."],
    [['scan', '--preset'], '--preset'],
  ])('%j exits with 2, and says what to do', async (args, message) => {
    const home = path.join(folder, 'nowhere')
    const { code, stdout, stderr } = await loophound(args, '', { env: { HOME: home } })
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(message)
    expect(stderr.trim().split('\n').length).toBe(2)
    expect(stderr).not.toContain('it is a bug')
  })
})

describe('loophound scan of a folder', () => {
  it('goes on after a broken file, and names it', async () => {
    const { code, stdout, stderr } = await loophound(['scan', mixed])
    expect(code).toBe(1)
    expect(stderr).toMatch(/^loophound: .*broken\.jsonl cannot be read: .+\n$/)
    expect(stdout).toContain('3 loops found in 1 of 2 sessions.')
    expect(stdout).toContain('1 file could not be read')
    expect(stdout).toContain('no transcript: 1 file')
    expect(stdout).not.toContain('node_modules')
    expect(stdout).toMatch(/tool +calls +errors +wasted/)
  })

  it('takes a folder of events of OpenHands as one session, and finds the history of Aider', async () => {
    const event = (kind: string, index: number, fields: object) =>
      put(
        `kept/events/event-${String(index).padStart(5, '0')}-x.json`,
        JSON.stringify(
          { id: `${index}`, kind, source: 'agent', tool_name: 'ls', ...fields },
          null,
          2,
        ),
      )
    for (let call = 0; call < 6; call++) {
      const fields = { tool_call_id: `${call}`, llm_response_id: `${call}`, tool_call: {} }
      event('ActionEvent', 2 * call, fields)
      event('ObservationEvent', 2 * call + 1, { ...fields, observation: { content: 'same' } })
    }
    put(
      'kept/.aider.chat.history.md',
      '# aider chat started at 2026-01-01 10:00:00\n\n#### hello\n',
    )
    put('kept/README.md', '# not a transcript')
    const { stdout, stderr } = await loophound(['scan', path.join(folder, 'kept'), '--json'])
    expect(stderr).toBe('')
    const { sessions, totals } = JSON.parse(stdout)
    expect(totals).toMatchObject({ sessions: 2, stuck: 1, calls: 6, results: 6, otherFiles: 0 })
    expect(sessions.map(({ format }: { format: string }) => format)).toEqual([
      'openhands-v1',
      'aider',
    ])
    expect(sessions[0].file).toBe(path.join(folder, 'kept', 'events'))
  })

  it('says how many records were broken', async () => {
    const file = put('half.jsonl', `${jsonl(fine)}\n{"t":"call","na`)
    const { stdout } = await loophound(['scan', file])
    expect(stdout).toContain('1 broken record left out')
  })

  it('takes settings, and files with nothing in them, for no transcripts', async () => {
    put('void/tsconfig.json', '{\n  // Paths\n  "include": ["src",],\n}')
    put('void/fine.json', JSON.stringify(fine))
    put('void/todos.json', '[]')
    put('void/empty.json', '')
    put('void/empty.jsonl', '')
    const { code, stdout, stderr } = await loophound(['scan', path.join(folder, 'void'), '--json'])
    expect(code).toBe(0)
    expect(stderr).toBe('')
    expect(JSON.parse(stdout).totals).toMatchObject({ sessions: 1, otherFiles: 4, failedFiles: 0 })
  })

  it('says that a folder cannot be read', async () => {
    const before = `import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module'
      fs.accessSync = () => { throw new Error('EACCES: permission denied') }
      syncBuiltinESMExports()`
    const { code, stderr } = await loophound(['scan', mixed], '', { before })
    expect([code, stderr]).toEqual([2, expect.stringContaining('mixed cannot be read: permission')])
  })

  it('cannot tell when no loop is found and a file is broken', async () => {
    put('unsure/fine.json', JSON.stringify(fine))
    put('unsure/broken.jsonl', 'nope')
    const { code, stdout } = await loophound(['scan', path.join(folder, 'unsure')])
    expect(code).toBe(2)
    expect(stdout).toContain('No loop found')
  })

  it('takes globs, and several names', async () => {
    const { stdout } = await loophound(['scan', '**/fine.json', 'a', '--json'], '', { cwd: mixed })
    expect(JSON.parse(stdout).sessions.map(({ file }: { file: string }) => file)).toEqual([
      path.join('a', 'stuck.jsonl'),
      'fine.json',
    ])
  })

  it('spreads many files over threads, and finds the same', { timeout: 300_000 }, async () => {
    const many = Array.from({ length: 80 }, (_, index) =>
      put(
        `many/${index}.jsonl`,
        jsonl(Array.from({ length: index % 4 === 0 ? 20 : 1 }, () => stuck).flat()),
      ),
    )
    expect(many).toHaveLength(80)
    const { code, stdout } = await loophound(['scan', path.join(folder, 'many'), '--jsonl'])
    expect(code).toBe(1)
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines).toHaveLength(81)
    expect(lines.at(-1).totals).toMatchObject({ sessions: 80, stuck: 80 })
    expect(new Set(lines.slice(0, -1).map(({ file }) => file)).size).toBe(80)
  })

  it('leaves out old files and small loops', async () => {
    const old = put('old/stuck.jsonl', jsonl(stuck))
    put('old/fine.json', JSON.stringify(fine))
    utimesSync(old, 1, 1)
    const where = path.dirname(old)
    expect((await loophound(['scan', where, '--since', '7d'])).code).toBe(0)
    expect((await loophound(['scan', where, '--since', '1970-01-01'])).code).toBe(1)
    const { stdout } = await loophound(['scan', old, '--min-wasted', '14', '--json'])
    const [session] = JSON.parse(stdout).sessions
    expect(session.loops.map(({ wasted }: { wasted: number }) => wasted)).toEqual([23, 14])
    expect(session.waste.calls).toBe(37)
    const none = await loophound(['scan', old, '--min-wasted', '24'])
    expect(none.code).toBe(0)
    expect(none.stdout).toContain('No loop that wasted at least 24 calls (3 left out), ')
    const some = await loophound(['scan', old, '--min-wasted', '14'])
    expect(some.stdout).toContain('1 smaller loop left out')
  })

  it.each([
    ['claude-code', '.claude/projects/x/s.jsonl'],
    ['codex', '.codex/sessions/2026/11/18/rollout-1.jsonl'],
    ['gemini-cli', '.gemini/tmp/x/chats/session-1.jsonl'],
    ['pi', '.pi/agent/sessions/x/s.jsonl'],
  ])('knows where %s keeps its sessions', async (agent, name) => {
    put(`home-${agent}/${name}`, jsonl(stuck))
    const env = { HOME: path.join(folder, `home-${agent}`) }
    const { code, stdout } = await loophound(['scan', '--agent', agent, '--json'], '', { env })
    expect(code).toBe(1)
    expect(JSON.parse(stdout).totals.sessions).toBe(1)
  })

  it('says how to get sessions out of opencode', async () => {
    const env = { HOME: path.join(folder, 'nowhere') }
    const { code, stderr } = await loophound(['scan', '--agent', 'opencode'], '', { env })
    expect(code).toBe(2)
    expect(stderr).toContain('opencode export')
  })
})

describe('loophound scan of a large file', () => {
  const large = path.join(folder, 'large.jsonl')
  // A session that goes on and on, with a loop at its end.
  const text = jsonl([
    { t: 'user' },
    ...Array.from({ length: 50 }, (_, index) => [
      { t: 'call', name: 'read', args: { path: `${index}.txt` }, id: `${index}` },
      { t: 'result', id: `${index}`, ok: true, output: `${index} `.repeat(5000) },
    ]).flat(),
  ])
  const times = Math.ceil(100e6 / text.length)
  const handle = openSync(large, 'w')
  for (let written = 0; written < times; written++) writeSync(handle, text)
  writeSync(handle, jsonl(stuck))
  closeSync(handle)
  const peak =
    'process.on("exit", () => process.stderr.write("peak " + process.resourceUsage().maxRSS))'

  it('needs little memory for it', { timeout: 300_000 }, async () => {
    const node = ['--max-old-space-size=48']
    const { code, stdout, stderr } = await loophound(['scan', large, '--json'], '', {
      before: peak,
      node,
    })
    expect(code).toBe(1)
    expect(JSON.parse(stdout).totals.calls).toBeGreaterThan(50 * times)
    const megabytes = Number(/peak (\d+)/.exec(stderr)?.[1]) / 1000
    expect(megabytes).toBeLessThan(250)
  })

  it('reads standard input in the same way', { timeout: 300_000 }, async () => {
    const node = ['--max-old-space-size=48']
    const input = readFileSync(large, 'utf8')
    const { code, stdout, stderr } = await loophound(['scan', '-', '--json'], input, { node })
    expect(stderr).toBe('')
    expect(code).toBe(1)
    expect(JSON.parse(stdout).totals.calls).toBeGreaterThan(50 * times)
  })

  it('reads a document on one line as a whole', { timeout: 300_000 }, async () => {
    const events = [{ t: 'user', text: 'x'.repeat(34e6) }, ...forty]
    const document = put('document.json', JSON.stringify({ events }))
    const { stdout, stderr } = await loophound(['scan', document, '--json'])
    expect(stderr).toBe('')
    expect(JSON.parse(stdout).totals).toMatchObject({ calls: 40, loops: 1 })
  })

  it('shows on a terminal how fast it goes and what is left', { timeout: 300_000 }, async () => {
    const before = 'process.stderr.isTTY = true'
    const { code, stdout, stderr } = await loophound(['scan', large, mixed], '', { before })
    expect(code).toBe(1)
    expect(stderr).toMatch(/━+─+ \d+ of 5 files {2}\d+ MB\/s {2}(?:\d+[hms])+ left/)
    expect(stdout).not.toContain('MB/s')
    const { stderr: quiet } = await loophound(['scan', mixed])
    expect(quiet).not.toContain('MB/s')
  })
})

describe('formats for CI', () => {
  const run = async (format: string) =>
    (await loophound(['scan', mixed, '--format', format])).stdout

  it('SARIF has a result for each loop, with its rule and its file', async () => {
    const log = JSON.parse(await run('sarif'))
    expect(log.version).toBe('2.1.0')
    const [{ tool, results, invocations }] = log.runs
    const rules = tool.driver.rules.map(({ id }: { id: string }) => id)
    expect(results).toHaveLength(3)
    for (const { ruleId, level, message, locations } of results) {
      expect(rules).toContain(ruleId)
      expect(['warning', 'error']).toContain(level)
      expect(message.text).toMatch(/calls wasted/)
      expect(locations[0].physicalLocation.artifactLocation.uri).toMatch(/stuck\.jsonl$/)
    }
    expect(invocations[0].toolExecutionNotifications).toHaveLength(1)
  })

  it('JUnit has a test for each file: passed, failed, or an error', async () => {
    const text = await run('junit')
    expect(text).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites /)
    expect(text).toContain('tests="3" failures="1" errors="1"')
    expect(text.match(/<testcase /g)).toHaveLength(3)
    expect(text.match(/<failure /g)).toHaveLength(1)
    expect(text.match(/<error /g)).toHaveLength(1)
    expect(tagsOf(text)).toEqual([])
  })

  it('GitHub has an annotation for each loop and each broken file', async () => {
    const lines = (await run('github')).trim().split('\n')
    expect(lines).toHaveLength(4)
    for (const line of lines)
      expect(line).toMatch(/^::(warning|error) file=[^:,]+,title=[^:,]+::.+$/)
  })
})

/** The tags that are open at the end of XML; throws where one is closed that is not open. */
function tagsOf(xml: string): string[] {
  const open: string[] = []
  for (const [, closes, name = '', empty] of xml.matchAll(/<(\/?)([a-z]+)(?:\s[^<>]*?)?(\/?)>/g)) {
    if (closes) expect(open.pop()).toBe(name)
    else if (!empty) open.push(name)
  }
  return open
}

describe('--redact', () => {
  it('shows no arguments, no output and no folders', async () => {
    const html = path.join(folder, 'redacted.html')
    const args = ['scan', mixed, '--redact', '--json', '--html', html]
    const { stdout } = await loophound(args)
    for (const text of [stdout, readFileSync(html, 'utf8')]) {
      for (const secret of ['settings.yaml', 'example.com', 'npm test', 'Expected 3', folder]) {
        expect(text).not.toContain(secret)
      }
    }
    expect(JSON.parse(stdout).totals.loops).toBe(3)
  })
})

describe('--html', () => {
  it('is one file of at most 60 KB without its data, and what is in it stays data', async () => {
    const html = path.join(folder, 'report.html')
    const { code } = await loophound(['scan', mixed, '--html', html])
    expect(code).toBe(1)
    const text = readFileSync(html, 'utf8')
    const [, data = ''] =
      /<script type="application\/json" id="report">(.*)<\/script>/.exec(text) ?? []
    expect(Buffer.byteLength(text) - Buffer.byteLength(data)).toBeLessThan(60_000)
    expect(data).not.toContain('<')
    expect(JSON.stringify(JSON.parse(data))).toContain(JSON.stringify(HOSTILE).slice(1, -1))
    expect(text).toContain("default-src 'none'")
    expect(text).not.toMatch(/https?:\/\/(?!www\.w3\.org)[^"\s]*\.(js|css|png|woff2?)/)
  })

  it('lists the calls of the most wasteful sessions, so that it stays small', async () => {
    const times = [30, 20, 25, 22, 28]
    const names = times.map((count, index) =>
      put(`wasteful/${index}.jsonl`, jsonl(Array.from({ length: count }, () => stuck).flat())),
    )
    const page = path.join(folder, 'wasteful.html')
    await loophound(['scan', path.join(folder, 'wasteful'), '--html', page])
    const [, data = ''] = /id="report">(.+)<\/script>/.exec(readFileSync(page, 'utf8')) ?? []
    const { sessions } = JSON.parse(data)
    const listed = sessions.map(({ timeline }: { timeline: object[] | null }) => timeline?.length)
    expect(listed).toEqual([2700, 2520, 2250, 1980, undefined])
    expect(sessions[0].file).toBe(names[0])
  })

  it('that cannot be written is an error', async () => {
    const html = path.join(folder, 'no', 'such', 'folder.html')
    const { code, stderr } = await loophound(['scan', sample('healthy'), '--html', html])
    expect(code).toBe(2)
    expect(stderr).toContain('--html ')
  })
})

describe('loophound explain', () => {
  const file = path.join(mixed, 'a', 'stuck.jsonl')

  it('has a line for each call', async () => {
    const { code, stdout } = await loophound(['explain', file])
    expect(code).toBe(0)
    const lines = stdout.trimEnd().split('\n')
    expect(lines).toHaveLength(78)
    expect(lines[20]).toMatch(/^ +21 {2}read\(.+same 3 times; no-progress 3 of 3; nudge$/)
  })

  it('says all about one call', async () => {
    const { stdout } = await loophound(['explain', file, '21'])
    expect(stdout).toContain('Call 21: read({"path":"config/settings.yaml"})')
    expect(stdout).toMatch(/no-progress +3 of 3 +a loop/)
    expect(stdout).toContain('allows stop at most; decided: nudge')
    expect(stdout).toContain('The model would have read')
    const patterns = stdout.split('Patterns\n')[1]?.split('\n\n')[0] ?? ''
    const kinds = patterns.split('\n').map((row) => row.trim().split(' ')[0])
    expect(kinds).toContain('variant')
    expect(kinds).toEqual([...new Set(kinds)])
    const other = await loophound(['explain', file, '3', '--agent', 'researcher'])
    expect(other.stdout).toContain('Call 3: fetch(')
  })

  it.each([
    [['explain'], 'Which transcript?'],
    [['explain', 'none.json'], 'There is no file none.json.'],
    [['explain', mixed], 'is a folder. Name one transcript in it.'],
    [['explain', file, '79'], 'There is no call 79; there are 78.'],
    [['explain', file, '--agent', 'x'], 'There is no agent "x"'],
  ])('%j exits with 2', async (args, message) => {
    const { code, stderr } = await loophound(args)
    expect(code).toBe(2)
    expect(stderr).toContain(message)
    expect(stderr).not.toContain('it is a bug')
  })
})

describe('real transcripts', () => {
  const real = sharedPath('transcripts')
  if (!real) noticeMissing('transcripts')

  it.runIf(real)(
    'are read from their folder, and named ones too, with the figures expected',
    async () => {
      const rows = readFileSync(`${real}/expect.jsonl`, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
      const files = rows.map(({ file }) => path.join(real ?? '', file))
      const { code, stdout, stderr } = await loophound(['scan', '--json', ...files])
      expect(stderr).toBe('')
      const { sessions, totals } = JSON.parse(stdout)
      expect(code).toBe(totals.loops > 0 ? 1 : 0)
      expect(sessions).toHaveLength(rows.length)
      for (const row of rows) {
        const session = sessions.find(
          ({ file }: { file: string }) => path.basename(file) === row.file,
        )
        for (const key of [
          'format',
          'calls',
          'results',
          'errors',
          'agents',
          'userMessages',
          'tokens',
        ]) {
          if (row[key] === null || row[key] === undefined) continue
          expect([row.file, key, session[key]]).toEqual([row.file, key, row[key]])
        }
      }
    },
  )
})
