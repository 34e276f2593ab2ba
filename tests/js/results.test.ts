/** Which call a result belongs to. Failing shell commands make it visible. */

import { LoopDetector, type ToolResult, type Verdict } from 'loophound'
import { describe, expect, it } from 'vitest'

/** What the n-th failing command in a row is called. */
const CASCADE = { kind: 'failure-cascade', count: 3 }

function withDetector(test: (detector: LoopDetector) => void): void {
  const detector = new LoopDetector('nudge')
  try {
    test(detector)
  } finally {
    detector.free()
  }
}

function shell(detector: LoopDetector, command: string, id?: string): void {
  detector.record('bash', { command }, id)
}

function fail(detector: LoopDetector, result: ToolResult = {}): Verdict {
  return detector.recordResult({ ok: false, output: 'Permission denied', ...result })
}

describe('a result without an id', () => {
  it('belongs to the oldest unanswered call', () =>
    withDetector((detector) => {
      for (const command of ['make a', 'make b', 'make c']) shell(detector, command)
      expect(fail(detector).action).toBe('continue')
      expect(fail(detector).action).toBe('continue')
      expect(fail(detector)).toMatchObject(CASCADE)
    }))

  it('belongs to the oldest unanswered call of its name', () =>
    withDetector((detector) => {
      detector.record('read_file', { path: 'a' })
      for (const command of ['make a', 'make b', 'make c']) shell(detector, command)
      for (let i = 0; i < 2; i++) fail(detector, { name: 'bash' })
      expect(fail(detector, { name: 'bash' })).toMatchObject(CASCADE)
    }))

  it('of a name that was not called is ignored', () =>
    withDetector((detector) => {
      for (const command of ['make a', 'make b', 'make c']) shell(detector, command)
      for (let i = 0; i < 3; i++) fail(detector, { name: 'zsh' })
      expect(fail(detector).action).toBe('continue')
    }))
})

describe('a result with an id', () => {
  it('belongs to the call with that id, in any order', () =>
    withDetector((detector) => {
      detector.record('read_file', { path: 'a' }, 'read')
      for (const id of ['1', '2', '3']) shell(detector, `make ${id}`, id)
      fail(detector, { id: '3' })
      expect(fail(detector, { id: 'read' }).action).toBe('continue')
      fail(detector, { id: '1' })
      expect(fail(detector, { id: '2' })).toMatchObject(CASCADE)
    }))

  it('counts once, however often it is reported', () =>
    withDetector((detector) => {
      for (const id of ['1', '2', '3']) shell(detector, `make ${id}`, id)
      for (let i = 0; i < 5; i++) expect(fail(detector, { id: '1' }).action).toBe('continue')
      fail(detector, { id: '2' })
      expect(fail(detector, { id: '3' })).toMatchObject(CASCADE)
    }))

  it('of an unknown call is ignored', () =>
    withDetector((detector) => {
      shell(detector, 'make a', '1')
      for (let i = 0; i < 5; i++) expect(fail(detector, { id: `x${i}` }).action).toBe('continue')
    }))
})

describe('results', () => {
  it('before any call are ignored', () =>
    withDetector((detector) => {
      for (let i = 0; i < 5; i++) expect(fail(detector).action).toBe('continue')
    }))

  it('may be missing', () =>
    withDetector((detector) => {
      for (let i = 0; i < 5000; i++) shell(detector, `make ${i}`, `id-${i}`)
      for (const id of ['4999', '4998']) fail(detector, { id: `id-${id}` })
      expect(fail(detector, { id: 'id-4997' })).toMatchObject(CASCADE)
    }))

  it('with and without ids may be mixed', () =>
    withDetector((detector) => {
      shell(detector, 'make a')
      shell(detector, 'make b', 'b')
      shell(detector, 'make c')
      fail(detector, { id: 'b' })
      fail(detector)
      expect(fail(detector)).toMatchObject(CASCADE)
    }))

  it('that succeed end the cascade', () =>
    withDetector((detector) => {
      for (const ok of [false, false, true, false, false]) {
        shell(detector, 'make')
        shell(detector, 'make other')
        expect(detector.recordResult({ ok }).action).toBe('continue')
        detector.recordResult({ ok: true })
      }
    }))

  it('may be of any type', () =>
    withDetector((detector) => {
      const cycle: Record<string, unknown> = {}
      cycle.self = cycle
      for (const output of [undefined, null, 0, '', {}, [1n], cycle, new Map(), new Error('no')]) {
        detector.record('read_file', { path: 'a' })
        detector.recordResult({ output })
        detector.record('list', {})
        detector.recordResult({})
      }
    }))
})

describe('the outcome of a test run', () => {
  let edits = 0
  const run = (detector: LoopDetector, result: ToolResult) => {
    detector.record('bash', { command: 'npm test' })
    const verdict = detector.recordResult(result)
    detector.record('edit_file', { path: 'a', content: String(edits++) })
    detector.recordResult({ ok: true, output: 'done' })
    return verdict
  }

  it('is read from its output, also when the tool says ok', () =>
    withDetector((detector) => {
      const output = 'Tests  2 failed | 5 passed (7)'
      expect(run(detector, { ok: true, output }).action).toBe('continue')
      expect(run(detector, { ok: true, output }).action).toBe('continue')
      expect(run(detector, { ok: true, output })).toMatchObject({ kind: 'test-fix', count: 3 })
    }))

  it('ends the cycle when it is good', () =>
    withDetector((detector) => {
      for (const failed of [true, true, false, true, true]) {
        const output = failed ? 'Tests  1 failed (1)' : 'Tests  1 passed (1)'
        expect(run(detector, { ok: !failed, output }).action).toBe('continue')
      }
    }))
})
