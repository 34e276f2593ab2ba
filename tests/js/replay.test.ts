/** replay(): recorded events, one step at a time. */

import { type AgentEvent, LoopDetector, type ReplayStep, replay } from 'loophound'
import { describe, expect, it } from 'vitest'

const call = (name: string): AgentEvent => ({ t: 'call', name })

function steps(events: AgentEvent[], preset: 'guard' | 'nudge' = 'nudge'): ReplayStep[] {
  const detector = new LoopDetector(preset)
  try {
    return [...replay(detector, events)]
  } finally {
    detector.free()
  }
}

describe('replay', () => {
  it('yields a step for each report to the detector', () => {
    const events: AgentEvent[] = [
      { t: 'user', text: 'go' },
      { t: 'text', text: 'so' },
      call('a'),
      call('b'),
      { t: 'result', output: 'x' },
      { t: 'chunk', text: 'hm' },
      { t: 'text', text: 'done' },
    ]
    expect(
      steps(events).map(({ kind, event, call, events }) => [kind, event, call, events.length]),
    ).toEqual([
      ['user', 0, -1, 1],
      ['turn', 1, -1, 0],
      ['text', 1, -1, 1],
      ['calls', 3, 1, 2],
      ['result', 4, 1, 1],
      ['turn', 5, 1, 0],
      ['chunk', 5, 1, 1],
      ['text', 6, 1, 1],
    ])
  })

  describe('calls of one turn that ran one after the other', () => {
    const called = (turn?: number): AgentEvent => ({ t: 'call', name: 'read', turn })
    const ran = (turn?: number): AgentEvent[] => [called(turn), { t: 'result', output: 'the same' }]
    const replayed = (...events: (AgentEvent | AgentEvent[])[]) =>
      steps(events.flat()).map(
        ({ kind, events }) => `${kind}${events.length > 1 ? ` ${events.length}` : ''}`,
      )

    it('are one batch, and their results come when the turn is over', () => {
      expect(replayed({ t: 'turn' }, ran(1), ran(1), { t: 'turn' }, ran(2))).toEqual([
        ...['turn', 'calls 2', 'result', 'result'],
        ...['turn', 'calls', 'result'],
      ])
    })

    it('are told by their turn alone, too', () => {
      expect(replayed(ran(1), ran(1), ran(2), call('other'))).toEqual([
        ...['turn', 'calls 2', 'result', 'result'],
        ...['turn', 'calls', 'result'],
        ...['turn', 'calls'],
      ])
      expect(replayed([called(1), called(2)])).toEqual([...['turn', 'calls', 'turn', 'calls']])
    })

    it('are steps without it', () => {
      expect(replayed(ran(), ran())).toEqual([
        ...['turn', 'calls', 'result'],
        ...['turn', 'calls', 'result'],
      ])
    })

    it('may have texts, and words of the harness, between them', () => {
      const reminder = { t: 'user', text: 'x', origin: 'harness' } as const
      expect(
        replayed({ t: 'turn' }, ran(1), { t: 'text', text: 'so' }, reminder, ran(1), {
          t: 'user',
        }),
      ).toEqual(['turn', 'text', 'calls 2', 'result', 'result', 'user'])
    })

    it('are not ended by a late result of an earlier turn', () => {
      expect(replayed({ t: 'turn' }, called(1), { t: 'turn' }, { t: 'result' }, ran(2))).toEqual([
        'turn',
        'calls',
        'turn',
        'result',
        'calls',
        'result',
      ])
    })

    it('are held back up to a limit', () => {
      const kinds = replayed({ t: 'turn' }, Array.from({ length: 600 }, () => ran(1)).flat())
      expect(kinds.filter((kind) => kind.startsWith('calls'))).toEqual([
        ...['calls 256', 'calls 256', 'calls 88'],
      ])
      expect(kinds.filter((kind) => kind === 'turn')).toHaveLength(1)
    })
  })

  it('lets the host use the detector between steps', () => {
    const detector = new LoopDetector('guard')
    const events = Array.from({ length: 30 }, (): AgentEvent[] => [
      call('a'),
      { t: 'result' },
    ]).flat()
    const said: string[] = []
    for (const { verdict, call } of replay(detector, events)) {
      if (verdict.action === 'continue') continue
      said.push(`${verdict.action} at ${call}`)
      if (verdict.action === 'stop') break
      detector.clearAfterFeedback()
    }
    expect(said).toEqual(['nudge at 4', 'stop at 9'])
    expect(detector.recentNames()).toHaveLength(5)
    detector.free()
  })

  it('takes any iterable, and checks what it gets', () => {
    const detector = new LoopDetector()
    expect([...replay(detector, new Set([call('a')]))]).toHaveLength(2)
    const bad = [call('a'), { t: 'call' }] as AgentEvent[]
    expect(() => [...replay(detector, bad)]).toThrow(
      new TypeError('replay(events): item 1 (call): name must be a string; got undefined'),
    )
    detector.free()
  })
})
