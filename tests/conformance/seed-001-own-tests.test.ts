/**
 * Follows seeds/001_12db55a645ee1ded.txt (preset `guard`), "Tests": each of its unit tests, under
 * its own name and in its order.
 */

import { LoopDetector, type ToolCall } from 'loophound'
import { describe, expect, it } from 'vitest'

const CONSECUTIVE_REPEAT_THRESHOLD = 5

function call(name: string, args: string): ToolCall {
  return { name, args, id: 'x' }
}

describe('the unit tests of seed 001', () => {
  it('no_loop_on_unique_calls', () => {
    const d = new LoopDetector('guard')
    expect(d.recordBatch([call('Edit', '{"path":"a.rs"}')]).action).toBe('continue')
    expect(d.recordBatch([call('Edit', '{"path":"b.rs"}')]).action).toBe('continue')
    expect(d.recordBatch([call('Bash', '{"cmd":"ls"}')]).action).toBe('continue')
  })

  it('detects_consecutive_identical_calls', () => {
    const d = new LoopDetector('guard')
    const tc = call('Edit', '{"path":"src/main.rs"}')
    for (let i = 0; i < CONSECUTIVE_REPEAT_THRESHOLD - 1; i++) {
      expect(d.recordBatch([tc]).action).toBe('continue')
    }
    // Should trigger feedback on threshold
    expect(d.recordBatch([tc]).action).toBe('nudge')
  })

  it('different_tool_resets_consecutive_count', () => {
    const d = new LoopDetector('guard')
    const tc = call('Edit', '{"path":"src/main.rs"}')
    // Almost at threshold
    for (let i = 0; i < CONSECUTIVE_REPEAT_THRESHOLD - 2; i++) {
      expect(d.recordBatch([tc]).action).toBe('continue')
    }
    // Different tool resets the count
    expect(d.recordBatch([call('Bash', '{"cmd":"test"}')]).action).toBe('continue')
    // Back to same tool — starts from 1 again
    for (let i = 0; i < CONSECUTIVE_REPEAT_THRESHOLD - 1; i++) {
      expect(d.recordBatch([tc]).action).toBe('continue')
    }
    expect(d.recordBatch([tc]).action).toBe('nudge')
  })

  it('read_edit_test_cycle_never_triggers', () => {
    // The most common coding workflow should NEVER trigger.
    const d = new LoopDetector('guard')
    const testCmd = '{"command":"cargo test"}'
    const readArgs = '{"path":"src/lib.rs"}'
    for (let cycle = 0; cycle < 20; cycle++) {
      const editArgs = `{"path":"src/lib.rs","old":"v${cycle}"}`
      expect(d.recordBatch([call('Read', readArgs)]).action, `read, ${cycle}`).toBe('continue')
      expect(d.recordBatch([call('Edit', editArgs)]).action, `edit, ${cycle}`).toBe('continue')
      expect(d.recordBatch([call('Bash', testCmd)]).action, `test, ${cycle}`).toBe('continue')
    }
  })

  it('feedback_then_hard_stop', () => {
    const d = new LoopDetector('guard')
    const tc = call('Read', '{"path":"stuck.rs"}')
    // First detection → feedback
    for (let i = 0; i < CONSECUTIVE_REPEAT_THRESHOLD; i++) d.recordBatch([tc])
    // The last record returned InjectFeedback — now simulate the caller clearing state and the
    // model looping again
    expect(d.verdict.action).toBe('nudge')
    d.clearAfterFeedback()
    // Second detection → hard stop
    for (let i = 0; i < CONSECUTIVE_REPEAT_THRESHOLD; i++) d.recordBatch([tc])
    expect(d.verdict.action).toBe('stop')
  })

  it('parallel_calls_same_tool_not_a_loop', () => {
    // 10 parallel Read calls with DIFFERENT args in one batch — not a loop
    const d = new LoopDetector('guard')
    const batch = Array.from({ length: 10 }, (_, i) => call('Read', `{"path":"file${i}.rs"}`))
    expect(d.recordBatch(batch).action).toBe('continue')
  })

  it('same_tool_different_args_not_consecutive', () => {
    // Same tool name but different args each time — not consecutive
    const d = new LoopDetector('guard')
    for (let i = 0; i < 20; i++) {
      const args = `{"command":"ls -variant-${i}"}`
      expect(d.recordBatch([call('Bash', args)]).action, `call ${i}`).toBe('continue')
    }
  })

  it('recent_names_tracks_last_five', () => {
    const d = new LoopDetector('guard')
    for (let i = 0; i < 8; i++) d.recordBatch([call(`Tool${i}`, '{}')])
    const names = d.recentNames()
    expect(names).toHaveLength(5)
    expect(names[0]).toBe('Tool3')
    expect(names[4]).toBe('Tool7')
  })
})
