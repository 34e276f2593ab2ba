/** Tools whose calls are told apart by a function of the host's. */

import type { LoopDetectorOptions } from 'loophound'
import { describe, expect, it } from 'vitest'
import { detector } from '../support/made.js'

describe('identity functions', () => {
  function seen(args: unknown): unknown {
    let got: unknown
    detector({
      tools: {
        t: {
          identity: (given) => {
            got = given
          },
        },
      },
    }).record('t', args)
    return got
  }

  it('get the arguments, parsed if they are JSON', () => {
    const args = { a: 1 }
    expect(seen(args)).toBe(args)
    expect(seen('{"a": [1, 2]}')).toEqual({ a: [1, 2] })
    expect(seen('not json')).toBe('not json')
    expect(seen(undefined)).toBe(undefined)
  })

  it('decide what is the same', () => {
    const byHost: LoopDetectorOptions = {
      preset: 'nudge',
      tools: { fetch: { identity: (args) => new URL((args as { url: string }).url).host } },
    }
    const hound = detector(byHost)
    hound.record('fetch', { url: 'https://a.example/1' })
    hound.record('fetch', { url: 'https://a.example/2' })
    expect(hound.record('fetch', { url: 'https://a.example/3' })).toMatchObject({
      kind: 'exact-repeat',
      count: 3,
    })
    expect(hound.record('fetch', { url: 'https://b.example/3' }).action).toBe('continue')
  })

  it('may return data, or nothing to compare as usual', () => {
    const hound = detector({
      preset: 'nudge',
      tools: {
        data: { identity: (args) => [(args as { a: number }).a] },
        usual: { identity: () => null },
      },
    })
    for (const b of [1, 2]) hound.record('data', { a: 1, b })
    expect(hound.record('data', { a: 1, b: 3 }).count).toBe(3)
    for (const b of [1, 2, 3]) expect(hound.record('usual', { b }).action).toBe('continue')
  })

  it('that throw are named, and nothing is recorded', () => {
    const cause = new Error('boom')
    const hound = detector({
      tools: {
        t: {
          identity: () => {
            throw cause
          },
        },
      },
    })
    const expected = new TypeError('options.tools.t.identity threw: boom', { cause })
    expect(() => hound.record('t')).toThrow(expected)
    expect(() => hound.recordBatch([{ name: 'a' }, { name: 't' }])).toThrow(expected)
    expect(hound.recentNames()).toEqual([])
  })
})
