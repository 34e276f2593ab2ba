/** The tables of docs/options.md are what the presets say and what the engine allows. */

import {
  LoopDetector,
  type LoopDetectorOptions,
  type LoopKind,
  type PresetName,
  presets,
  SwarmDetector,
} from 'loophound'
import { describe, expect, it } from 'vitest'
import { codeIn, codesIn, type Row, readPage, tableUnder } from './pages.js'

const page = readPage('docs/options.md')
const NAMES = Object.keys(presets) as PresetName[]

/** `2 to 10000` as its two ends; the window stands for itself. */
function boundsIn(text: string, window: number): [least: number, most: number] {
  const [, least, most] = /(\d+) to (?:(\d+)|the `window`)/.exec(text) ?? []
  if (least === undefined) throw new Error(`no bounds in: ${text}`)
  return [Number(least), most === undefined ? window : Number(most)]
}

/** Both ends are allowed, or refused for another reason; what is beyond them is refused for them. */
function expectBounds([least, most]: [number, number], make: (value: number) => unknown): void {
  const allowed = `from ${least} to ${most}`
  for (const value of [least - 1, most + 1]) {
    expect(() => make(value)).toThrow(`must be a whole number ${allowed}; got ${value}`)
  }
  for (const value of [least, most]) {
    let message = ''
    try {
      make(value)
    } catch (error) {
      message = (error as Error).message
    }
    expect(message).not.toContain(allowed)
  }
}

describe('values', () => {
  const rows = tableUnder(page, '## Values')
  const numbers = rows.filter((row) => / to /.test(row.allowed ?? ''))
  const words = rows.filter((row) => !numbers.includes(row))

  it('are those of the presets, and all of them', () => {
    const structured = [
      'preset',
      'patience',
      'atMost',
      'tools',
      'detectors',
      'messages',
      'advice',
      'observe',
      'tables',
    ]
    for (const name of NAMES) {
      const shown = rows.map((row) => [codeIn(row.option), JSON.parse(codeIn(row[name]))])
      const real = Object.entries(presets[name]).filter(([key]) => !structured.includes(key))
      expect(shown).toEqual(real)
    }
  })

  it.each(numbers.map((row) => [codeIn(row.option), row.allowed as string] as const))(
    '%s may be %s',
    (option, allowed) => {
      for (const preset of NAMES) {
        const parts = allowed.split('; in `balanced` ')
        const text = (preset === 'balanced' && parts[1]) || (parts[0] as string)
        const bounds = boundsIn(text, presets[preset].window as number)
        expectBounds(bounds, (value) => new LoopDetector({ preset, [option]: value }))
      }
    },
  )

  it.each(words.map((row) => [codeIn(row.option), row] as const))('%s is a word', (option, row) => {
    expect(() => new LoopDetector({ [option]: 'other' })).toThrow(
      `options.${option} must be one of ${codesIn(row.allowed as string).join(', ')}; got "other"`,
    )
  })
})

describe('patterns', () => {
  const rows = tableUnder(page, '## Patterns')

  /** A preset's threshold for a pattern: its own, or the one at the top. */
  function threshold(options: LoopDetectorOptions, kind: LoopKind): number | undefined {
    const detector = options.detectors?.[kind]
    if (typeof detector !== 'object') return undefined
    if (detector.threshold !== undefined) return detector.threshold
    return kind === 'fuzzy-repeat' ? options.fuzzyThreshold : options.threshold
  }

  it.each(NAMES)('have the thresholds of %s', (name) => {
    const kinds = Object.keys(presets[name].detectors ?? {}) as LoopKind[]
    const shown = rows.map((row) => [codeIn(row.pattern), row[name]])
    expect(shown).toEqual(
      kinds.map((kind) => [kind, String(threshold(presets[name], kind) ?? 'off')]),
    )
  })

  it('begin with the thresholds of the last column', () => {
    for (const row of rows) {
      const kind = codeIn(row.pattern) as LoopKind
      // A preset whose only pattern is another one, which makes room.
      const [preset, main] =
        kind === 'cycle' ? (['window', 'windowed-repeat'] as const) : (['cycles', 'cycle'] as const)
      const options = { preset, detectors: { [main]: false, [kind]: true } }
      expect(`${kind} ${firstCount(kind, options)}`).toBe(`${kind} ${row['when switched on']}`)
    }
  })

  /** What is done over and over to make a pattern, at the i-th time. */
  function callFor(kind: LoopKind, i: number): [tool: string, args: object] {
    const [old_str, new_str] = i % 2 ? ['a', 'b'] : ['b', 'a']
    switch (kind) {
      case 'test-fix':
        return ['run_tests', {}]
      case 'fuzzy-repeat':
        return ['bash', { path: 'x', n: i }]
      case 'variant':
        return ['bash', { command: `run the same old thing, ${['now', 'again'][i % 2]}` }]
      case 'same-error':
        return ['bash', { command: 'abcdefghi'[i]?.repeat(9) }]
      case 'oscillation':
        return ['edit_file', { path: 'x', old_str, new_str }]
      default:
        return ['bash', { path: 'x' }]
    }
  }

  /** At which count a pattern is first reported. */
  function firstCount(kind: LoopKind, options: LoopDetectorOptions): number {
    const detector = new LoopDetector(options)
    for (let i = 0; i < 20; i++) {
      const ok = kind === 'oscillation'
      const verdicts =
        kind === 'summary'
          ? [detector.recordText('so far')]
          : kind === 'chant'
            ? [detector.pushText('I will look at it again. ')]
            : [
                detector.record(...callFor(kind, i)),
                detector.recordResult({ ok, output: 'an error, the same' }),
              ]
      const found = verdicts.find((verdict) => verdict.kind === kind)
      if (found) return found.count
    }
    return 0
  }

  it('may have the thresholds the text says', () => {
    const text = page.text.split('\n').find((line) => line.startsWith('- `threshold` may be'))
    expect(text).toContain(
      '1 to 1000000 for `failure-cascade`, `test-fix`, `summary` and `oscillation`, 2 to 1000000 for `no-progress`, `variant`, `same-error` and `chant`',
    )
    const make = (kind: string) => (threshold: number) =>
      new LoopDetector({ detectors: { [kind]: { threshold } } })
    const kinds = rows.map((row) => codeIn(row.pattern))
    const counts = ['failure-cascade', 'test-fix', 'summary', 'oscillation']
    const streaks = ['no-progress', 'variant', 'same-error', 'chant']
    const window = presets.balanced.window as number
    for (const kind of kinds) {
      const most = [...counts, ...streaks].includes(kind) ? 1_000_000 : window
      expectBounds([counts.includes(kind) ? 1 : 2, most], make(kind))
    }
  })
})

describe('rungs', () => {
  it('are those of the presets, and all of them', () => {
    const shown = tableUnder(page, '## Rungs').map((row: Row) => ({
      preset: codeIn(row.preset),
      pattern: codeIn(row.pattern),
      climb: codeIn(row.climb),
      rungs: row.rungs,
    }))
    const real = NAMES.flatMap((preset) =>
      Object.entries(presets[preset].detectors ?? {}).flatMap(([pattern, detector]) => {
        if (typeof detector !== 'object') return []
        const rungs = detector.rungs?.map(({ at, action, level }) => `${at} ${action} ${level}`)
        return { preset, pattern, climb: detector.climb, rungs: rungs?.join(', ') }
      }),
    )
    expect(shown).toEqual(real)
  })
})

describe('evidence', () => {
  const rows = tableUnder(page, '## What may be done about a loop')
  const classes = rows.map((row) => codeIn(row.class))

  it.each(NAMES)('allows the same in %s', (name) => {
    const shown = rows.map((row) => [codeIn(row.class), codeIn(row['at most'])])
    expect(shown).toEqual(Object.entries(presets[name].atMost ?? {}))
  })

  it('is of these classes and no others', () => {
    expect(() => new LoopDetector({ atMost: { other: 'stop' } as object })).toThrow(
      `options.atMost.other is not a kind of evidence; allowed: ${classes.join(', ')}`,
    )
  })

  it('allows these actions and no others', () => {
    const row = tableUnder(page, '## Tools').find((row) => row.field === '`atMost`')
    const actions = codesIn(row?.allowed as string).join(', ')
    for (const options of [
      { atMost: { proven: 'halt' } },
      { tools: { x: { atMost: 'halt' } } },
      { detectors: { cycle: { atMost: 'halt' } } },
    ]) {
      expect(() => new LoopDetector(options as object)).toThrow(
        `must be one of ${actions}; got "halt"`,
      )
    }
  })

  it('counts for a tool before a pattern, and for a pattern before a class', () => {
    const isStopped = (options: LoopDetectorOptions) => {
      const detector = new LoopDetector(options)
      for (let i = 0; i < 30; i++) {
        if (detector.record('bash', { command: 'make' }).action === 'stop') return true
        detector.recordResult({ ok: false, output: 'make: no rule' })
      }
      return false
    }
    const atMost = { proven: 'nudge' } as const
    const detectors = { 'no-progress': { atMost: 'stop' } } as const
    const tools = { bash: { atMost: 'nudge' } } as const
    expect(isStopped({ atMost })).toBe(false)
    expect(isStopped({ atMost, detectors })).toBe(true)
    expect(isStopped({ atMost, detectors, tools })).toBe(false)
  })
})

describe('patience', () => {
  const rows = tableUnder(page, '## Patience')

  it.each(NAMES)('is the same in %s', (name) => {
    const shown = rows.map((row) => [codeIn(row.field), Number(codeIn(row.value))])
    expect(Object.fromEntries(shown)).toEqual(presets[name].patience)
  })

  it.each(rows.map((row) => [codeIn(row.field), row.allowed as string] as const))(
    '%s may be %s',
    (field, allowed) => {
      expectBounds(
        boundsIn(allowed, 0),
        (value) => new LoopDetector({ patience: { [field]: value } }),
      )
    },
  )
})

describe('tools', () => {
  const rows = tableUnder(page, '## Tools')

  it('have these fields and no others', () => {
    const fields = rows.map((row) => codeIn(row.field))
    expect(() => new LoopDetector({ tools: { x: { other: 1 } as object } })).toThrow(
      `options.tools.x.other is not an option; allowed: ${fields.join(', ')}`,
    )
  })

  it('are of these classes', () => {
    const classes = rows.find((row) => row.field === '`class`')?.allowed as string
    expect(() => new LoopDetector({ tools: { x: { class: 'y' as 'shell' } } })).toThrow(
      `must be one of ${codesIn(classes).join(', ')}; got "y"`,
    )
  })

  it.each(['threshold', 'fuzzyThreshold'])('may have a %s of their own', (field) => {
    const allowed = rows.find((row) => row.field === `\`${field}\``)?.allowed as string
    expectBounds(
      boundsIn(allowed, 10),
      (value) => new LoopDetector({ preset: 'nudge', tools: { x: { [field]: value } } }),
    )
  })
})

describe('advice', () => {
  it('has a row for each topic, with its text', () => {
    const rows = tableUnder(page, '### Advice')
    const shown = rows.map((row) => [codeIn(row.topic), row.text?.replaceAll('<br>', '\n')])
    expect(Object.fromEntries(shown)).toEqual(presets.balanced.advice)
  })
})

describe('texts', () => {
  it('use no placeholder that is not in the table', () => {
    const known = tableUnder(page, '## Texts').flatMap((row) => codesIn(row.placeholder as string))
    const texts = NAMES.map((name) => JSON.stringify(presets[name].messages)).join('')
    for (const [placeholder] of texts.matchAll(/\{\w+\}/g)) expect(known).toContain(placeholder)
  })
})

describe('word lists', () => {
  const lists = [...page.text.matchAll(/^`(\w+)`: .*\n\n> (.+)$/gm)]

  it.each(NAMES)('are those of %s', (name) => {
    const shown = lists.map(([, list, words]) => [list, codesIn(words as string)])
    expect(Object.fromEntries(shown)).toEqual(presets[name].tables)
  })
})

describe('the swarm', () => {
  const rows = tableUnder(page, "## The swarm's")
  const row = (option: string) => rows.find((row) => codeIn(row.option) === option) as Row
  const standard = (option: string) => Number(codeIn(row(option).default))

  it('has these options and no others', () => {
    const options = rows.map((row) => codeIn(row.option)).join(', ')
    expect(() => new SwarmDetector({ other: 1 } as object)).toThrow(
      `options.other is not an option; allowed: ${options}`,
    )
  })

  it.each(['threshold', 'capacity', 'maxWorkers'])('allows %s as the table says', (option) => {
    const bounds = boundsIn(row(option).allowed as string, Number.NaN)
    expectBounds(bounds, (value) => new SwarmDetector({ minWorkers: 1, [option]: value }))
  })

  it('allows as many workers to be asked for as are told apart', () => {
    expect(row('minWorkers').allowed).toBe('1 to `maxWorkers`')
    const make = (minWorkers: number) => () => new SwarmDetector({ maxWorkers: 5, minWorkers })
    expect(make(0)).toThrow(RangeError)
    expect(make(6)).toThrow('options.minWorkers must be a whole number from 1 to 5; got 6')
    expect(make(5)).not.toThrow()
  })

  it('has the defaults of the table', () => {
    const swarm = new SwarmDetector()
    expect(swarm.stats().capacity).toBe(standard('capacity'))
    const calls = standard('threshold')
    for (let i = 1; i < calls; i++) {
      expect(swarm.recordFingerprint(`w${i % standard('minWorkers')}`, 't', 'f').kind).toBeNull()
    }
    expect(swarm.recordFingerprint('w0', 't', 'f').kind).toBe('global')
    for (let i = 0; i <= standard('maxWorkers'); i++) swarm.recordFingerprint(`${i}`, 't', 'g')
    expect(swarm.info('g')?.workerCount).toBe(standard('maxWorkers'))
  })
})
