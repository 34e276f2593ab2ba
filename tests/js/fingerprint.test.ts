/** computeToolFingerprint: readable, bounded, equal everywhere. */

import { computeToolFingerprint } from 'loophound'
import { describe, expect, it } from 'vitest'

describe('computeToolFingerprint', () => {
  it.each<[string, unknown, string]>([
    ['read_file', { path: 'a.ts', encoding: 'utf8' }, 'read_file:{"path":"a.ts"}'],
    ['read_file', '{"encoding":"utf8","path":"a.ts"}', 'read_file:{"path":"a.ts"}'],
    ['grep', { query: 'x', path: 'src', n: 1 }, 'grep:{"path":"src","query":"x"}'],
    ['move', { to: 'b', from: 'a' }, 'move:{"from":"a","to":"b"}'],
    ['run_tests', undefined, 'run_tests:{}'],
    ['run_tests', {}, 'run_tests:{}'],
    ['sql', 'SELECT 1', 'sql:SELECT 1'],
    ['bash', { command: 'head -n 5 foo.ts' }, 'bash:file_read:foo.ts'],
    ['bash', { command: 'cat foo.ts | wc' }, 'bash:{"command":"cat foo.ts | wc"}'],
  ])('%s(%j)', (name, args, fingerprint) => {
    expect(computeToolFingerprint(name, args)).toBe(fingerprint)
  })

  it('has at most 200 characters, and long ones still differ', () => {
    const content = 'é'.repeat(1000)
    const one = computeToolFingerprint('write', { content: `${content}1` })
    const two = computeToolFingerprint('write', { content: `${content}2` })
    expect(one).toMatch(/…#[0-9a-f]{16}$/)
    expect([...one].length).toBeLessThanOrEqual(200)
    expect(two).not.toBe(one)
  })

  it('refuses a name that is not a string', () => {
    expect(() => computeToolFingerprint(undefined as unknown as string)).toThrow(
      new TypeError('computeToolFingerprint(name): name must be a string; got undefined'),
    )
  })
})
