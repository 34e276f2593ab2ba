/**
 * Follows seeds/000_e86adbddeb19d315.txt (preset `nudge`), "Detection Mechanism" and
 * "Fingerprinting Details", in the order of its sentences.
 */

import { computeToolFingerprint, LoopDetector } from 'loophound'
import { describe, expect, it } from 'vitest'
import { call, repeat, run } from '../support/events.js'
import { actions, detections, last } from '../support/verdicts.js'

const PRIMARY_KEYS = [
  'path',
  'file_path',
  'command',
  'pattern',
  'query',
  'url',
  'content',
  'filename',
  'offset',
  'limit',
]

function nudge(): LoopDetector {
  return new LoopDetector('nudge')
}

/** The fingerprint of a command given to the shell. */
function ofCommand(command: string): string {
  return computeToolFingerprint('bash', { command })
}

describe('Every tool call is converted into a fingerprint', () => {
  it('a stable hash: the same call gives the same one, on every machine and in every release', () => {
    expect(computeToolFingerprint('read_file', { path: 'a.ts' })).toBe('read_file:{"path":"a.ts"}')
    expect(computeToolFingerprint('read_file', { path: 'a.ts' })).toBe('read_file:{"path":"a.ts"}')
    expect(computeToolFingerprint('read_file', { path: 'a.ts', offset: 0, limit: 10 })).toBe(
      'read_file:{"limit":10,"offset":0,"path":"a.ts"}',
    )
  })

  it('of the tool name …', () => {
    const args = { path: 'a.ts' }
    expect(computeToolFingerprint('read_file', args)).not.toBe(
      computeToolFingerprint('write_file', args),
    )
  })

  it('… plus its primary arguments', () => {
    expect(computeToolFingerprint('read_file', { path: 'a.ts' })).not.toBe(
      computeToolFingerprint('read_file', { path: 'b.ts' }),
    )
  })

  it('does not depend on the order of keys, nor on whether arguments come as text or object', () => {
    const fingerprint = computeToolFingerprint('read_file', { path: 'a.ts', limit: 5 })
    expect(computeToolFingerprint('read_file', { limit: 5, path: 'a.ts' })).toBe(fingerprint)
    expect(computeToolFingerprint('read_file', '{ "limit": 5, "path": "a.ts" }')).toBe(fingerprint)
  })

  it('is readable and bounded: what is long is cut, and still told apart', () => {
    const long = 'x'.repeat(5000)
    const one = computeToolFingerprint('write_file', { content: `${long}1` })
    const two = computeToolFingerprint('write_file', { content: `${long}2` })
    expect(one).toMatch(/^write_file:\{"content":"xxx.*…#[0-9a-f]{16}$/)
    expect([...one].length).toBeLessThanOrEqual(200)
    expect(two).not.toBe(one)
  })
})

describe('computeToolFingerprint() extracts only primary argument keys for comparison', () => {
  describe.each(PRIMARY_KEYS)('primary key `%s`', (key) => {
    it('is compared: another value is another fingerprint', () => {
      expect(computeToolFingerprint('probe', { [key]: 'one' })).toBe(`probe:{"${key}":"one"}`)
      expect(computeToolFingerprint('probe', { [key]: 'two' })).toBe(`probe:{"${key}":"two"}`)
    })

    it('alone decides: what stands beside it is not compared', () => {
      expect(computeToolFingerprint('probe', { [key]: 'one', note: 'x' })).toBe(
        `probe:{"${key}":"one"}`,
      )
    })

    it('makes the fourth call with the same value a loop, whatever the others say', () => {
      const events = [1, 2, 3, 4].map((note) => call('probe', { [key]: 'same', note }))
      const verdicts = run(nudge(), events)
      expect(actions(verdicts)).toEqual(['continue', 'continue', 'continue', 'nudge'])
      expect(last(verdicts).kind).toBe('fuzzy-repeat')
    })

    it('keeps calls apart when its value changes', () => {
      const events = Array.from({ length: 8 }, (_, i) => call('probe', { [key]: i, note: 'same' }))
      expect(detections(run(nudge(), events))).toEqual([])
    })
  })

  it.each(['cmd', 'file', 'text', 'timeout', 'description', 'Path', 'old_string'])(
    '`%s` is not one of the ten',
    (key) => {
      expect(computeToolFingerprint('probe', { path: 'a', [key]: 'x' })).toBe('probe:{"path":"a"}')
    },
  )

  it('compares the full arguments when no primary key is present', () => {
    expect(computeToolFingerprint('probe', { b: 1, a: { d: 2, c: 3 } })).toBe(
      'probe:{"a":{"c":3,"d":2},"b":1}',
    )
    expect(computeToolFingerprint('run_tests')).toBe('run_tests:{}')
    const events = Array.from({ length: 8 }, (_, i) => call('probe', { note: 'same', i }))
    expect(detections(run(nudge(), events))).toEqual([])
  })

  it('twenty different offsets never trigger', () => {
    const events = Array.from({ length: 20 }, (_, i) =>
      call('read_file', { path: 'big.log', offset: i * 200, limit: 200 }),
    )
    expect(detections(run(nudge(), events))).toEqual([])
  })
})

describe('Bash file-read normalization: commands targeting the same file are identical', () => {
  it.each(['cat foo.ts', 'head foo.ts', 'tail foo.ts'])(
    '`%s` is bash:file_read:foo.ts',
    (command) => {
      expect(ofCommand(command)).toBe('bash:file_read:foo.ts')
    },
  )

  it.each([
    'cat -n foo.ts',
    'cat -A foo.ts',
    'cat -b foo.ts',
    'cat -s foo.ts',
    'cat -v foo.ts',
    'cat -n -e foo.ts',
    'cat --number foo.ts',
    'cat -- foo.ts',
    'head -5 foo.ts',
    'head -n 5 foo.ts',
    'head -n5 foo.ts',
    'head -c 100 foo.ts',
    'head -v foo.ts',
    'head --lines=5 foo.ts',
    'head --lines 5 foo.ts',
    'head foo.ts -n 5',
    'tail -20 foo.ts',
    'tail -f foo.ts',
    'tail -n 20 foo.ts',
    'tail -n +20 foo.ts',
    'tail -n 20 -f foo.ts',
    '  cat   foo.ts  ',
  ])('flags are ignored: `%s`', (command) => {
    expect(ofCommand(command)).toBe('bash:file_read:foo.ts')
  })

  it.each(['cat "foo.ts"', "cat 'foo.ts'", 'head -n 5 "foo.ts"', "tail -f 'foo.ts'"])(
    'quotes are ignored: `%s`',
    (command) => {
      expect(ofCommand(command)).toBe('bash:file_read:foo.ts')
    },
  )

  it('a quoted path may hold spaces', () => {
    expect(ofCommand('cat "my notes.md"')).toBe('bash:file_read:my notes.md')
    expect(ofCommand("head -n 5 'my notes.md'")).toBe('bash:file_read:my notes.md')
  })

  it('the file is part of it', () => {
    expect(ofCommand('cat bar.ts')).toBe('bash:file_read:bar.ts')
    expect(ofCommand('cat /etc/foo.ts')).toBe('bash:file_read:/etc/foo.ts')
  })

  it.each(['bash', 'Bash', 'shell'])('whatever the shell tool is called: %s', (tool) => {
    expect(computeToolFingerprint(tool, { command: 'head foo.ts' })).toBe('bash:file_read:foo.ts')
  })

  it('only commands of a shell: another tool keeps its `command`', () => {
    expect(computeToolFingerprint('probe', { command: 'cat foo.ts' })).toBe(
      'probe:{"command":"cat foo.ts"}',
    )
  })

  it.each([
    'cat',
    'cat -n',
    'head -n 5',
    'cat foo.ts bar.ts',
    'ls foo.ts',
    'rm foo.ts',
    'catalog foo.ts',
    'echo cat foo.ts',
  ])('`%s` is not the reading of one file', (command) => {
    expect(ofCommand(command)).toBe(`bash:${JSON.stringify({ command })}`)
  })

  it('reading one file in four ways is a loop at the fourth, not before', () => {
    const commands = ['cat foo.ts', 'head -n 50 foo.ts', 'tail foo.ts', 'cat -n "foo.ts"']
    const verdicts = run(
      nudge(),
      commands.map((command) => call('bash', { command })),
    )
    expect(actions(verdicts)).toEqual(['continue', 'continue', 'continue', 'nudge'])
    expect(last(verdicts)).toMatchObject({ kind: 'fuzzy-repeat', tool: 'bash', count: 4 })
  })

  it('reading four files is not', () => {
    const events = ['a', 'b', 'c', 'd', 'e'].map((file) => call('bash', { command: `cat ${file}` }))
    expect(detections(run(nudge(), events))).toEqual([])
  })
})

describe('Complex bash commands bypass file-read normalization and use full args', () => {
  it.each([
    ['pipes `|`', 'cat foo.ts | wc -l'],
    ['pipes `|`', 'cat foo.ts|wc'],
    ['pipes `||`', 'cat foo.ts || true'],
    ['redirects `>`', 'cat foo.ts > copy.ts'],
    ['redirects `>`', 'cat foo.ts >copy.ts'],
    ['redirects `>>`', 'cat foo.ts >> copy.ts'],
    ['redirects `2>&1`', 'cat foo.ts 2>&1'],
    ['redirects `<`', 'cat < foo.ts'],
    ['redirects `<<`', 'cat <<EOF foo.ts'],
    ['semicolons `;`', 'cat foo.ts; ls'],
    ['semicolons `;`', 'cat foo.ts;'],
    ['ampersands `&`', 'tail -f foo.ts &'],
    ['ampersands `&&`', 'cat foo.ts && ls'],
    ['also inside quotes', 'cat "foo|bar.ts"'],
  ])('containing %s: %s', (_, command) => {
    expect(ofCommand(command)).toBe(`bash:${JSON.stringify({ command })}`)
  })

  it('full args: also those that are not primary', () => {
    const args = { command: 'cat foo.ts | wc -l', timeout: 5 }
    expect(computeToolFingerprint('bash', args)).toBe(`bash:${JSON.stringify(args)}`)
    const events = [1, 2, 3, 4, 5].map((timeout) => call('bash', { ...args, timeout }))
    expect(detections(run(nudge(), events))).toEqual([])
  })

  it('only these three: `&` and `<` leave optional arguments out, as in a simple command', () => {
    for (const command of ['npm ci && npm test', 'sort < names.txt', 'serve &']) {
      const args = { command, timeout: 5 }
      expect(computeToolFingerprint('bash', args)).toBe(`bash:${JSON.stringify({ command })}`)
      const events = [1, 2, 3, 4].map((timeout) => call('bash', { command, timeout }))
      expect(actions(run(nudge(), events)).at(-1)).toBe('nudge')
    }
  })

  it('so that four different ones on the same file are no loop', () => {
    const commands = [
      'cat foo.ts | wc -l',
      'cat foo.ts > copy.ts',
      'cat foo.ts; ls',
      'cat < foo.ts',
      'cat foo.ts && ls',
    ]
    const events = commands.map((command) => call('bash', { command }))
    expect(detections(run(nudge(), events))).toEqual([])
  })

  it('and three times the same one is', () => {
    const events = repeat(3, call('bash', { command: 'cat foo.ts | wc -l' }))
    expect(actions(run(nudge(), events))).toEqual(['continue', 'continue', 'nudge'])
  })
})
