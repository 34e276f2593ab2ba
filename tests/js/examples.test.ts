/** The samples say what they are there to say, and the replay shows it. */

import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify, stripVTControlCharacters } from 'node:util'
import { type LoopDetectorOptions, type PresetName, presets, scan } from 'loophound'
import { describe, expect, it, vi } from 'vitest'

// A busy machine may be slow; that is not what is tested.
vi.setConfig({ testTimeout: 60_000 })

const FOLDER = fileURLToPath(new URL('../../examples/', import.meta.url))
const PRESETS = Object.keys(presets) as PresetName[]
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.json'))

interface Sample {
  title: string
  preset: PresetName
  options?: LoopDetectorOptions
}

function sample(name: string): Sample {
  return JSON.parse(readFileSync(`${FOLDER}${name}.json`, 'utf8'))
}

/** Runs the replay as a user would, in a pipe of the given width. */
async function run(args: string[], env: Record<string, string> = {}) {
  const { FORCE_COLOR: _, NO_COLOR: __, ...rest } = process.env
  return promisify(execFile)(process.execPath, [`${FOLDER}replay.mjs`, ...args], {
    env: { ...rest, COLUMNS: '100', ...env },
  })
}

/** What each sample shows, in order, as the replay words it. */
const EXPECTED: Record<string, string[]> = {
  'balanced-chant': [
    'NUDGE warning · chant · text ×',
    'I have added the logs. I will now mark the task as complete.',
    'BLOCK warning · chant · text ×',
  ],
  'balanced-cycle': ['NUDGE notice · cycle · read_file ×4', 'cycle of 2', 'old_str was not found'],
  'balanced-no-progress': [
    'NUDGE notice · no-progress · bash ×5',
    'Files changed in between: src/tax.ts',
    'AssertionError: expected 10.01 to equal',
  ],
  'balanced-variants': [
    'NUDGE notice · same-error · bash ×5',
    'NUDGE warning · same-error · bash ×7',
  ],
  'cycles-edit-test': [
    'NUDGE notice · cycle · ',
    'NUDGE warning · cycle · ',
    'STOP critical · cycle · ',
    'LOOP_DETECTED',
  ],
  'cycles-three-calls': ['NUDGE notice · cycle · ', 'cycle of 3'],
  'guard-batches': [
    'NUDGE warning · exact-repeat · get_status ×6',
    "'get_status' called 6 times consecutively with identical arguments",
    'a fresh chance',
    'STOP critical · exact-repeat · get_status ×5',
  ],
  'guard-iteration-cap': ['STOP', 'iteration-cap'],
  healthy: ['calls, nothing to say'],
  'nudge-failure-cascade': ['NUDGE warning · failure-cascade', 'write_file', 'read_file'],
  'nudge-near-repeats': ['NUDGE warning · fuzzy-repeat · grep ×4'],
  'nudge-same-call': [
    'NUDGE notice · exact-repeat · read_file ×3',
    'NUDGE warning · exact-repeat · read_file ×4',
    'NUDGE warning · exact-repeat · read_file ×5',
    'NUDGE critical · exact-repeat · read_file ×6',
    'BLOCK critical · exact-repeat · read_file ×7',
    'Further identical calls will be rejected.',
  ],
  'nudge-summary': ['NUDGE warning · summary'],
  'nudge-test-fix': ['NUDGE warning · test-fix', "You've had 3 consecutive test failures"],
  'openai-chat': ['NUDGE notice · cycle · ', 'cycle of 2'],
  swarm: ['NUDGE critical · global · web_search ×10', 'GLOBAL DOOM LOOP: 10 calls to web_search'],
  'window-scattered': ['STOP critical · windowed-repeat · search_tickets ×3', 'LOOP_DETECTED'],
}

describe('the samples', () => {
  it('are all expected to show something', () => {
    expect(Object.keys(EXPECTED).sort()).toEqual(FILES.map((name) => name.slice(0, -5)).sort())
  })

  it('have at least one for each preset', () => {
    const used = Object.keys(EXPECTED).map((name) => sample(name).preset)
    for (const preset of PRESETS) expect(used).toContain(preset)
  })

  it.each(PRESETS)('the healthy one is healthy to %s', (preset) => {
    const report = scan(sample('healthy'), { preset })
    expect(report.findings).toEqual([])
    expect(report.calls).toBeGreaterThan(30)
  })
})

describe('the replay', () => {
  it('shows each sample with its verdicts, in order, and a summary', async () => {
    const { stdout } = await run([])
    const sections = new Map(
      stdout
        .split(/^━━ /m)
        .slice(1)
        .map((section) => [/ · ([\w-]+)\.json$/m.exec(section)?.[1], section]),
    )
    for (const [name, lines] of Object.entries(EXPECTED)) {
      const section = sections.get(name) ?? ''
      let from = 0
      for (const line of lines) {
        const at = section.indexOf(line, from)
        expect(at, `${name}: ${line}\n${section}`).toBeGreaterThanOrEqual(0)
        from = at + line.length
      }
    }
    expect(stdout).toMatch(
      /\n17 transcripts, \d+ calls: 16 with verdicts, 1 without\.\nTo look at them, .* npm run playground\n$/,
    )
  })

  it('is plain in a pipe, coloured when told to, and keeps to the width', async () => {
    const plain = await run(['nudge-same-call'])
    expect(plain.stdout).not.toContain('\u001b')
    const coloured = await run(['nudge-same-call'], { FORCE_COLOR: '1' })
    expect(coloured.stdout).toContain('\u001b[33m')
    expect(stripVTControlCharacters(coloured.stdout)).toBe(plain.stdout)
    const narrow = await run(['guard-batches', 'healthy'], { COLUMNS: '40' })
    for (const line of narrow.stdout.split('\n')) {
      expect([...line].length, line).toBeLessThanOrEqual(40)
    }
  })

  it('takes another preset', async () => {
    const { stdout } = await run(['--preset', 'guard', 'cycles-edit-test.json'])
    expect(stdout).toContain('guard · cycles-edit-test.json')
    expect(stdout).toContain('nothing to say')
  })

  it('takes any transcript', async () => {
    const file = fileURLToPath(new URL('fixtures/session.jsonl', import.meta.url))
    const { stdout } = await run(['--preset', 'nudge', file])
    expect(stdout).toContain('━━ session.jsonl  nudge · session.jsonl')
    expect(stdout).toContain('exact-repeat · find ×3')
  })

  it('explains itself', async () => {
    const { stdout } = await run(['--help'])
    expect(stdout).toContain('--preset <name>')
  })

  it.each([
    [['--preset', 'strict'], '--preset must be one of balanced, nudge, guard, cycles, window'],
    [['nowhere.json'], 'nowhere.json: no such file'],
    [['--colour'], '--colour'],
    [[`${FOLDER}replay.mjs`], 'replay.mjs: transcript: looked for JSON or JSON lines'],
  ])('says what is wrong with %j', async (args, message) => {
    const failure = await run(args).then(
      () => expect.fail('it went well'),
      (error: { code: number; stderr: string }) => error,
    )
    expect(failure.code).toBe(1)
    expect(failure.stderr).toContain(message)
  })
})
