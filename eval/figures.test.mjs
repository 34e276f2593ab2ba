import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import * as engine from 'loophound'
import { describe, expect, it } from 'vitest'
import { checkTargets, figuresOf, runsOf } from './figures.mjs'
import { chartsOf, mergeResults, pageOf, readResults } from './page.mjs'
import { POLICIES } from './policies.mjs'
import { alarmsOf, eventsOf } from './replay.mjs'
import { score } from './score.mjs'
import { dataFolder, readSets, VIEWS } from './sets.mjs'
import { select } from './show.mjs'
import { change, isBetter, knobsOf } from './studies.mjs'

const view = (id) => VIEWS.find((candidate) => candidate.id === id)
const policy = { id: 'balanced', group: 'presets' }

/** A session with alarms of the given actions at calls 5, 6, … */
function session(group, expect, actions = [], fields = {}) {
  const alarms = actions.map((action, index) => ({ call: 5 + index, action, kind: 'cycle' }))
  const spans = expect === 'loop' ? [{ from: 4, to: 9, kind: 'cycle' }] : []
  const byPolicy = { balanced: alarms }
  return {
    ...{ id: `${group}-${actions.join('-')}`, source: 'made_up', group, expect, spans, calls: 100 },
    ...{ alarms: { turns: byPolicy, calls: byPolicy }, trials: {}, ...fields },
  }
}

describe('figures', () => {
  it('of modern sessions tell work from loops, and leave out what nobody read', () => {
    const sessions = [
      session('today', 'work'),
      session('today', 'work', ['nudge', 'block']),
      session('older', 'loop', ['nudge', 'stop']),
      session('older', 'loop'),
      session('older', null, ['stop']),
    ]
    const [row] = figuresOf(view('modern-calls'), sessions, [policy]).policies
    expect(row.today).toMatchObject({
      sessions: 2,
      calls: 200,
      alarmed: 1,
      blocked: 1,
      stopped: 0,
      rate: 5,
    })
    expect(row.loops).toMatchObject({ sessions: 2, found: 1, blocked: 1, stopped: 1, delay: 1 })
    expect(row.unread).toMatchObject({ sessions: 1, alarmed: 1 })
    expect(row.precisions).toEqual({ alarm: 1 / 2, block: 1 / 2, stop: 1 })
  })

  it('of scenarios are those of their groups', () => {
    const sessions = [
      ...[session('clear', 'work', ['nudge']), session('clear', 'work', ['stop'])],
      ...[session('contested', 'work', ['block']), session('realistic', 'loop', ['nudge'])],
    ]
    const figures = figuresOf(view('scenarios'), sessions, [policy])
    const [row] = figures.policies
    expect(row.clear).toEqual({ sessions: 2, alarmed: 2, blocked: 1, stopped: 1 })
    expect(row.contested).toMatchObject({ sessions: 1, blocked: 1 })
    expect(row.realistic).toMatchObject({ sessions: 1, alarmed: 1, delay: 1 })
    expect(checkTargets([figures]).map(({ isMet }) => isMet)).toEqual([false, false, true])
  })
})

describe('the sessions that are shown', () => {
  const results = [
    {
      id: 'a/1',
      result: 'false alarm',
      source: 'codex',
      group: 'today',
      alarms: [{ kind: 'cycle', action: 'stop' }],
    },
    { id: 'a/2', result: 'miss', source: 'java', group: 'older', alarms: [] },
    {
      id: 'b/3',
      result: 'hit',
      source: 'java',
      group: 'older',
      alarms: [{ kind: 'variant', action: 'nudge' }],
    },
  ]
  it.each([
    [[], ['a/1', 'a/2']],
    [['all'], ['a/1', 'a/2', 'b/3']],
    [['b/'], ['b/3']],
    [['older', 'miss'], ['a/2']],
    [['stop'], ['a/1']],
    [['nothing'], []],
  ])('match every word of %j', (words, ids) => {
    expect(select(results, words).map(({ id }) => id)).toEqual(ids)
  })
})

describe('the stored figures', () => {
  const row = (id, hits) => ({ id, hits })
  const old = {
    views: [
      {
        id: 'labels',
        sessions: 1,
        policies: [row('balanced', 1), row('openclaw', 2), row('gone', 3)],
      },
      { id: 'scenarios', sessions: 2, policies: [row('balanced', 4)] },
    ],
    closedLoop: [],
    studies: { breadth: [] },
  }

  it('stay where nothing new was measured, and go with their policy', () => {
    const measured = { views: [{ id: 'labels', sessions: 9, policies: [row('balanced', 7)] }] }
    expect(mergeResults(old, measured)).toEqual({
      views: [
        { id: 'labels', sessions: 9, policies: [row('balanced', 7), row('openclaw', 2)] },
        { id: 'scenarios', sessions: 2, policies: [row('balanced', 4)] },
      ],
      ...{ closedLoop: [], studies: { breadth: [] } },
    })
  })

  it('are those of the page and of its charts', () => {
    const results = readResults()
    const root = fileURLToPath(new URL('..', import.meta.url))
    const files = { 'docs/evaluation.md': pageOf(results), ...chartsOf(results) }
    for (const [file, text] of Object.entries(files)) {
      expect([file, readFileSync(path.join(root, file), 'utf8') === text]).toEqual([file, true])
      expect(text).not.toMatch(/undefined|NaN|\[object/)
    }
  })
})

describe('studies', () => {
  const preset = {
    ...{ preset: 'balanced', threshold: 3, window: 40, rawLength: 200, identity: 'canonical' },
    patience: { poll: 10, likeness: 60 },
    detectors: { 'exact-repeat': false, chant: { rungs: [{ at: 1 }], threshold: 5, cooldown: 1 } },
  }

  it('vary every number that decides when something is a loop', () => {
    const knobs = knobsOf(preset)
    const values = knobs.map(({ name, variants }) => [
      name,
      variants.map(({ id }) => id.split(' ')[1]),
    ])
    expect(values).toEqual([
      ['threshold', ['1', '2', '4', '5']],
      ['window', ['20', '30', '60', '80']],
      ['patience.poll', ['6', '8', '12', '14']],
      ['patience.likeness', ['40', '50', '70', '80']],
      ['detectors.chant.threshold', ['3', '4', '6', '7']],
    ])
    expect(knobs.at(-1).variants[0].options).toEqual({
      ...{ preset: 'balanced', detectors: { chant: { threshold: 3 } } },
    })
  })

  it('show what changed, and a dot where no digit does', () => {
    const text = (value) => (value === null ? '–' : value.toFixed(2))
    expect(change(text, 0.5, 0.25)).toBe('+0.25')
    expect(change(text, 0.25, 0.5)).toBe('−0.25')
    expect(change(text, 0.5, 0.504)).toBe('·')
    expect(change(text, 0.5, null)).toBe('0.50')
    expect(change(text, null, 0.5)).toBe('–')
  })

  it('prefer a higher F1 that is no louder', () => {
    expect(isBetter({ f1: 0.9, rate: 0 }, { f1: 0.8, rate: 0 })).toBe(true)
    expect(isBetter({ f1: 0.8, rate: 0 }, { f1: 0.8, rate: 0 })).toBe(false)
    expect(isBetter({ f1: 0.9, rate: 0.3 }, { f1: 0.8, rate: 0.1 })).toBe(false)
    expect(isBetter({ f1: 0.7, rate: 0.1 }, { f1: 0.8, rate: 0.3 })).toBe(true)
  })
})

describe('policies', () => {
  it('hold every preset, and each name once', () => {
    const ids = POLICIES.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const presets = POLICIES.filter(({ group }) => group === 'presets').map(({ id }) => id)
    expect(presets.toSorted()).toEqual(Object.keys(engine.presets).toSorted())
  })

  /** The first alarm on calls named by letters, each with a result of its own or always the same. */
  const firstAlarm = (id, letters, output) => {
    const events = [...letters].flatMap((name, index) => [
      { t: 'call', name, args: {} },
      { t: 'result', name, ok: true, output: output ?? `result ${index}` },
    ])
    const { options } = POLICIES.find((candidate) => candidate.id === id)
    return alarmsOf(engine, options, eventsOf({ events }), 'turns')[0]?.call
  }

  it.each([
    ['same-3', 'AAA'],
    ['roo', 'AAAA'],
    ['same-5', 'AAAAA'],
    ['gemini-cli', 'AAAAA'],
    ['gemini-cli', 'XABABABABAB'],
    ['gemini-cli', 'ABCDE'.repeat(5)],
    ['forgecode', 'AAA'],
    ['forgecode', 'XABCDEFGABCDEFGABCDEFG'],
    ['same-tool-5', 'AAAAA'],
  ])('%s speaks at the last call of %s, and not before', (id, letters) => {
    expect(firstAlarm(id, letters)).toBe(letters.length - 1)
  })

  it.each([
    ['result-3', 'AAA'],
    ['openhands', 'AAAA'],
    ['openhands', 'XABABA'],
    ['crush', 'AABABACAA'],
  ])('%s speaks at the last call of %s if the results are equal', (id, letters) => {
    expect(firstAlarm(id, letters, 'same')).toBe(letters.length - 1)
    expect(firstAlarm(id, letters)).toBe(undefined)
  })

  it.each([
    ['same-3', 'AABAA'],
    ['gemini-cli', 'ABCDEF'.repeat(6)],
    ['result-3', 'ABABABAB'],
    ['openhands', 'ABCABCABC'],
    ['crush', 'ABABABABABAB'],
    ['same-tool-5', 'AAAABAAAA'],
  ])('%s is silent on %s', (id, letters) => {
    expect(firstAlarm(id, letters, 'same')).toBe(undefined)
  })
})

const corpus = path.join(dataFolder(), 'corpus/README.md')
describe('the corpus’ own baselines', () => {
  const isThere = existsSync(corpus)
  it('are reproduced to the last digit printed, or it is known why not', () => {
    if (!isThere && process.env.CI === 'true') throw new Error(`${corpus} is not there`)
    if (!isThere) return console.warn(`${corpus} is not there: the baselines were not checked`)
    const { found } = readSets(dataFolder(), ['labels'])
    const labelled = found[0].sessions.filter(({ group }) => group === 'labelled')
    const sessions = labelled.map((entry) => ({
      ...entry,
      events: eventsOf(JSON.parse(entry.line)),
    }))
    const table = readFileSync(corpus, 'utf8').split('\n')
    for (const { id, options, baseline, differs } of POLICIES.filter((entry) => entry.baseline)) {
      const replayed = sessions.map(({ events, ...entry }) => ({
        ...entry,
        alarms: { turns: { [id]: alarmsOf(engine, options, events, 'turns') } },
      }))
      const { precision, recall, f1, delay } = score(runsOf(replayed, 'turns', id))
      const ours = [precision, recall, f1]
        .map((value) => value.toFixed(2))
        .concat(String(delay.median))
      const row = table.find((line) => line.startsWith(`| ${baseline} |`)) ?? ''
      const theirs = row
        .split('|')
        .slice(2, 6)
        .map((cell) => cell.trim())
      expect([id, theirs.join() === ours.join()]).toEqual([id, !differs])
    }
  })
})
