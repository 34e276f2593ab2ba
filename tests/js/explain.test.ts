/** `explain()` tells why the latest answer is what it is. */

import { describe, expect, it } from 'vitest'
import { detector } from '../support/made.js'

describe('an explanation', () => {
  it('is empty before the first call', () => {
    const { verdict, call, result, loops, patterns } = detector().explain()
    expect([verdict.action, call, result, loops]).toEqual(['continue', null, null, []])
    expect(patterns.map(({ kind }) => kind)).toContain('no-progress')
    expect(patterns.every(({ active }) => !active)).toBe(true)
  })

  it('shows how close a pattern is, and what the result counted as', () => {
    const host = detector()
    for (const turn of [1, 2]) {
      host.record('read_file', { path: 'a.ts' }, `${turn}`)
      host.recordResult({ id: `${turn}`, output: 'text' })
    }
    const { call, result, patterns } = host.explain()
    expect(call).toMatchObject({ index: 1, effect: 'read', label: 'read_file({"path":"a.ts"})' })
    expect(result).toMatchObject({ evidence: 'informative', sameResults: 2, unchangedRepeats: 2 })
    expect(patterns.find(({ kind }) => kind === 'no-progress')).toEqual({
      kind: 'no-progress',
      count: 2,
      threshold: 3,
      active: false,
    })
  })

  it('names the loop, its evidence and the hardest action that allows', () => {
    const host = detector()
    for (let turn = 0; turn < 3; turn++) {
      host.record('bash', { command: 'cat missing' }, `${turn}`)
      host.recordResult({
        id: `${turn}`,
        ok: false,
        output: 'cat: missing: No such file or directory',
      })
    }
    const before = host.explain()
    expect(before.loops).toEqual([
      { kind: 'no-progress', evidence: 'proven', atMost: 'stop', action: expect.any(String) },
    ])
    expect(before.result).toMatchObject({ failed: true, sameResults: 3 })
  })

  it('says that a call was refused, and keeps polls apart', () => {
    const host = detector('nudge')
    for (let turn = 0; turn < 7; turn++) host.record('read', { path: 'a' })
    expect(host.explain().call).toMatchObject({ index: 6, refused: true })
    const poll = detector()
    poll.record('bash', { command: 'sleep 5' }, 'a')
    poll.recordResult({ id: 'a', ok: true, output: '' })
    expect(poll.explain().result).toMatchObject({ waiting: true, evidence: 'empty' })
  })

  it('lists each kind once: of patterns that share one, the closer to its threshold', () => {
    const host = detector()
    const listed = () => host.explain().patterns.filter(({ kind }) => kind === 'no-progress')
    expect(listed()).toMatchObject([{ count: 0, threshold: 3 }])
    host.recordBatch(Array.from({ length: 8 }, () => ({ name: 'roll', args: {} })))
    expect(listed()).toMatchObject([{ count: 8, threshold: 9 }])
    const kinds = host.explain().patterns.map(({ kind }) => kind)
    expect(kinds).toEqual([...new Set(kinds)])
  })

  it('starts again when a person spoke', () => {
    const host = detector()
    for (let turn = 0; turn < 9; turn++) {
      const calls = Array.from({ length: 9 }, () => ({ name: 'bash', args: { command: 'make' } }))
      host.recordBatch(calls)
      for (const _ of calls) host.recordResult({ ok: false, output: 'error: no rule' })
    }
    const counts = () => host.explain().patterns.filter(({ kind }) => kind !== 'iteration-cap')
    expect(counts().some(({ active }) => active)).toBe(true)
    host.userMessage()
    expect(counts().filter(({ count, active }) => count > 1 || active)).toEqual([])
    expect(host.explain()).toMatchObject({ call: null, result: null, loops: [] })
  })

  it('counts in the presets of the reference implementations, too', () => {
    for (const [preset, kind] of [
      ['nudge', 'exact-repeat'],
      ['guard', 'exact-repeat'],
      ['cycles', 'cycle'],
      ['window', 'windowed-repeat'],
    ] as const) {
      const host = detector(preset)
      const before = host.explain().patterns.find((one) => one.kind === kind)
      host.record('read', { path: 'a' })
      host.record('read', { path: 'a' })
      const after = host.explain().patterns.find((one) => one.kind === kind)
      expect(after?.threshold).toBe(before?.threshold)
      expect(after?.count).toBe(2)
    }
  })
})
