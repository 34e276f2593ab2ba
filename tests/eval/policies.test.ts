/** The policies are options that the engine takes, and do what is said of them. */

import { LoopDetector, presets } from 'loophound'
import { describe, expect, it } from 'vitest'
import { alarmsOf, eventsOf, NOT_YET, POLICIES, readOptions } from './harness.js'

/** The first alarm on calls named by letters, each with a result of its own or always the same. */
function firstAlarm(policy: string, letters: string, output?: string): number | undefined {
  const events = [...letters].flatMap((name, index) => [
    { t: 'call', name, args: {} },
    { t: 'result', name, ok: true, output: output ?? `result ${index}` },
  ])
  const options = POLICIES.find(({ id }) => id === policy)?.options
  if (!options) throw new Error(`no policy ${policy}`)
  return alarmsOf(options, eventsOf({ source: 'made_up', events }))[0]?.call
}

describe('the list', () => {
  it('has every preset, and each name once', () => {
    const ids = POLICIES.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const ours = POLICIES.filter(({ group }) => group === 'presets').map(({ id }) => id)
    expect(ours.toSorted()).toEqual(Object.keys(presets).toSorted())
  })

  it.each(POLICIES.map((policy) => [policy.id, policy] as const))('%s is valid', (_, policy) => {
    new LoopDetector(policy.options).free()
    expect(policy.about).toMatch(/^[^|]+\.$/)
  })

  it('says of what is left out what is missing', () => {
    for (const { missing } of NOT_YET) expect(missing).toMatch(/^[^|]+\.$/)
  })
})

describe('a policy speaks at its call, and not before', () => {
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
  ])('%s: %s', (policy, letters) => {
    expect(firstAlarm(policy, letters)).toBe(letters.length - 1)
  })

  it.each([
    ['result-3', 'AAA'],
    ['openhands', 'AAAA'],
    ['openhands', 'XABABA'],
    ['crush', 'AABABACAA'],
  ])('%s: %s with equal results', (policy, letters) => {
    expect(firstAlarm(policy, letters, 'same')).toBe(letters.length - 1)
    expect(firstAlarm(policy, letters)).toBe(undefined)
  })

  it.each([
    ['same-3', 'AABAA'],
    ['gemini-cli', 'ABCDEF'.repeat(6)],
    ['result-3', 'ABABABAB'],
    ['openhands', 'ABCABCABC'],
    ['crush', 'ABABABABABAB'],
    ['same-tool-5', 'AAAABAAAA'],
  ])('%s is silent on %s', (policy, letters) => {
    expect(firstAlarm(policy, letters, 'same')).toBe(undefined)
  })
})

describe('the command line', () => {
  const ids = (args: string[]) => readOptions(args).policies.map(({ id }) => id)

  it('takes all policies, those asked for, or balanced where one is looked at', () => {
    expect(ids([])).toEqual(POLICIES.map(({ id }) => id))
    expect(ids(['--only', 'roo,guard'])).toEqual(['roo', 'guard'])
    expect(ids(['--misses'])).toEqual(['balanced'])
    expect(ids(['--alarms', 'window'])).toEqual(['window'])
    expect(ids(['--show', 'some/id', '--only', 'nudge'])).toEqual(['nudge'])
    expect(ids(['--breadth', '--only', 'roo'])).toEqual(['roo'])
  })

  it('tells which view is asked for', () => {
    expect(readOptions([]).view).toBe(null)
    const views = ['ablation', 'thresholds', 'validation', 'breadth', 'cost', 'write']
    for (const view of views) expect(readOptions([`--${view}`]).view).toBe(view)
  })

  it.each([
    [['--only', 'nobody'], 'no policy "nobody"'],
    [['guard'], 'one word too many'],
    [['--misses', '--json'], 'only one'],
    [['--write', '--only', 'guard'], '--write does not go with --only'],
    [['--ablation', '--only', 'guard'], '--ablation does not go with --only'],
    [['--ablation', '--thresholds'], 'only one'],
    [['--colour'], "Unknown option '--colour'"],
  ])('refuses %s', (args, message) => {
    expect(() => readOptions(args)).toThrow(message)
  })
})
