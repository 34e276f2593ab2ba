/** The types are part of the contract: `npm run check` fails when one of these widens. */

import {
  type Action,
  type AgentEvent,
  type computeToolFingerprint,
  type Decision,
  type Explanation,
  type init,
  type Level,
  type LoopDetectionState,
  LoopDetector,
  type LoopDetectorOptions,
  type LoopKind,
  type PresetName,
  presets,
  type ScanFinding,
  type ScanOptions,
  type ScanReport,
  type Snapshot,
  type SwarmDetector,
  scan,
  type TextLoopDetails,
  type ToolCall,
  type ToolResult,
  type Verdict,
} from 'loophound'
import { describe, expect, expectTypeOf, it } from 'vitest'

describe('types', () => {
  it('refuse a call with two kinds of arguments', () => {
    const given = { name: 'read', args: {}, input: {} }
    // @ts-expect-error Which of them is it?
    expect(() => new LoopDetector().record(given)).toThrow('has both args and input')
    // @ts-expect-error Also written in place.
    const call: ToolCall = { name: 'read', arguments: '{}', input: {} }
    expect(call).toBeDefined()
  })

  it('of a verdict are exact', () => {
    expectTypeOf<Verdict['action']>().toEqualTypeOf<'continue' | 'nudge' | 'block' | 'stop'>()
    expectTypeOf<Verdict['level']>().toEqualTypeOf<'none' | 'notice' | 'warning' | 'critical'>()
    expectTypeOf<Verdict['status']>().toEqualTypeOf<'OK' | 'LOOP_DETECTED'>()
    expectTypeOf<Verdict['pattern']>().toEqualTypeOf<readonly string[]>()
    expectTypeOf<Verdict['calls']>().toEqualTypeOf<readonly number[]>()
    expectTypeOf<Verdict['details']>().toEqualTypeOf<TextLoopDetails | null>()
    type Continue = Extract<Verdict, { action: 'continue' }>
    type Other = Exclude<Verdict, { action: 'continue' }>
    expectTypeOf<Pick<Continue, 'kind' | 'message' | 'summary'>>().branded.toEqualTypeOf<{
      readonly kind: null
      readonly message: null
      readonly summary: null
    }>()
    expectTypeOf<Pick<Other, 'kind' | 'message' | 'summary'>>().branded.toEqualTypeOf<{
      readonly kind: LoopKind
      readonly message: string
      readonly summary: string
    }>()
  })

  it('of a decision narrow on run', () => {
    expectTypeOf<Extract<Decision, { run: false }>['reply']>().toEqualTypeOf<string>()
    expectTypeOf<Extract<Decision, { run: true }>['reply']>().toEqualTypeOf<null>()
    expectTypeOf<Action>().toEqualTypeOf<'continue' | 'nudge' | 'block' | 'stop'>()
    expectTypeOf<Level>().toEqualTypeOf<'none' | 'notice' | 'warning' | 'critical'>()
    expectTypeOf<LoopKind>().toEqualTypeOf<
      | 'exact-repeat'
      | 'fuzzy-repeat'
      | 'windowed-repeat'
      | 'cycle'
      | 'no-progress'
      | 'variant'
      | 'same-error'
      | 'failure-cascade'
      | 'test-fix'
      | 'oscillation'
      | 'summary'
      | 'chant'
      | 'global'
      | 'iteration-cap'
    >()
  })

  it('of the detector are those of the contract', () => {
    type Methods = {
      [Key in keyof LoopDetector]: LoopDetector[Key]
    }
    expectTypeOf<Methods>().toExtend<{
      record: {
        (name: string, args?: unknown, id?: string): Verdict
        (call: ToolCall): Verdict
      }
      recordBatch: (calls: readonly ToolCall[]) => Verdict
      recordResult: (result: ToolResult) => Verdict
      recordText: (text: string) => Verdict
      pushText: (chunk: string, channel?: 'text' | 'reasoning' | 'arguments') => Verdict
      beginTurn: () => Verdict
      userMessage: () => void
      contextCompacted: () => void
      isStuck: () => boolean
      recentNames: () => string[]
      clearAfterFeedback: () => void
      extend: (
        by: 'stop' | 'continue50' | 'continue200' | 'continue_50' | 'continue_200' | number,
      ) => number
      explain: () => Explanation
      reset: () => void
      toJSON: () => Snapshot
      restoreFrom: (snapshot: unknown) => void
      free: () => void
      readonly verdict: Verdict
      readonly state: LoopDetectionState
    }>()
    expectTypeOf<ConstructorParameters<typeof LoopDetector>>().toEqualTypeOf<
      [options?: PresetName | LoopDetectorOptions]
    >()
    expectTypeOf<LoopDetector>().toExtend<Disposable>()
    expectTypeOf<SwarmDetector>().toExtend<Disposable>()
  })

  it('of the functions are those of the contract', () => {
    expectTypeOf<typeof computeToolFingerprint>().toEqualTypeOf<
      (name: string, args?: unknown) => string
    >()
    expectTypeOf<typeof init>().toEqualTypeOf<() => Promise<void>>()
    expectTypeOf(scan).returns.toEqualTypeOf<ScanReport>()
    expectTypeOf(scan).parameter(0).toBeUnknown()
    expectTypeOf<ScanOptions>().toExtend<LoopDetectorOptions>()
    expectTypeOf<ScanReport['findings']>().toEqualTypeOf<readonly ScanFinding[]>()
    expectTypeOf(presets).toEqualTypeOf<Readonly<Record<PresetName, LoopDetectorOptions>>>()
    expectTypeOf<PresetName>().toEqualTypeOf<'balanced' | 'nudge' | 'guard' | 'cycles' | 'window'>()
    expectTypeOf<AgentEvent['t']>().toEqualTypeOf<
      'call' | 'result' | 'text' | 'chunk' | 'user' | 'turn' | 'compacted' | 'usage' | 'spawn'
    >()
  })

  it('narrow a verdict to what the host has to handle', () => {
    const detector = new LoopDetector()
    const { action } = detector.record('a')
    const handle = (): string => {
      switch (action) {
        case 'continue':
        case 'nudge':
        case 'block':
        case 'stop':
          return action
        default:
          return action satisfies never
      }
    }
    expect(handle()).toBe('continue')
    detector.free()
  })
})
