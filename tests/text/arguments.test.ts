/** Arguments of calls as they stream: whole files are fine, degenerate text is found. */

import { LoopDetector } from 'loophound'
import { describe, expect, it } from 'vitest'
import { lines, random, randomChunksOf, reports, SIZES, stream } from './support.js'

const next = random(21)
const below = (most: number) => Math.floor(next() * most)
const hex = (digits: number) =>
  Array.from({ length: digits }, () => below(16).toString(16)).join('')
const bytes = (count: number) => Buffer.from(Array.from({ length: count }, () => below(256)))
const row = (columns: number) => Array.from({ length: columns }, () => 0)

/** What files hold, as the content of a call that writes one. */
const FILES: Readonly<Record<string, string>> = {
  base64: bytes(30_000).toString('base64'),
  'base64 with a long run of zeros': `${bytes(900).toString('base64')}${'A'.repeat(3_000)}==`,
  'numbers in an array': JSON.stringify(Array.from({ length: 5_000 }, () => below(10_000))),
  'numbers that count': JSON.stringify(Array.from({ length: 8_000 }, (_, i) => i)),
  'a matrix of zeros': JSON.stringify(Array.from({ length: 64 }, () => row(64))),
  'a matrix of zeros in code': lines(60, () => `    [${row(60).join(', ')}],`),
  'a list of zeros on one line': `x = [${row(5_000).join(', ')}]`,
  'rows of a table': `id,name,active\n${lines(2_000, (i) => `${i},unknown,true`)}`,
  'equal rows of a table': `a,b,c\n${'0,0,0\n'.repeat(3_000)}`,
  'similar objects': JSON.stringify(
    Array.from({ length: 500 }, (_, id) => ({ id, name: 'unknown', tags: [], owner: null })),
    null,
    2,
  ),
  'equal objects': JSON.stringify(
    Array.from({ length: 250 }, () => ({ name: 'unknown', tags: [], owner: null })),
  ),
  'SQL inserts': lines(
    600,
    (i) => `INSERT INTO users (id, name, email) VALUES (${i}, 'Test User', 'user@example.com');`,
  ),
  'test cases': lines(300, (i) => `  it('adds ${i}', () => expect(add(${i}, 0)).toBe(${i}))`),
  'a test with a long string': `const long = '${'a'.repeat(3_000)}'`,
  'rulers and banners': lines(80, (i) => `// ${'='.repeat(200)}\n// Part ${i}\n`),
  'a very long ruler': `#${'-'.repeat(1_500)}`,
  'ASCII art': lines(120, (i) => `|${' '.repeat(i)}*${'.'.repeat(240 - i)}|`),
  'a hex dump': lines(400, (i) => `${(i * 16).toString(16).padStart(8, '0')}  ${'00 '.repeat(16)}`),
  'a lock file': lines(
    800,
    (i) => `    "node_modules/p${i}": { "version": "1.0.0", "integrity": "sha512-${hex(64)}" },`,
  ),
  'minified code': lines(1, () =>
    Array.from({ length: 2_000 }, (_, i) => `function f${i}(a){return a}`).join(';'),
  ),
  'a Markdown table': `| a | b |\n|---|---|\n${'| idle | 0 |\n'.repeat(800)}`,
  'a page of equal list items': `<ul>${'<li class="item"></li>'.repeat(400)}</ul>`,
  'deep indentation': lines(200, (i) => `${' '.repeat(2 * i)}{`),
  'blank lines': `begin${'\n'.repeat(400)}end`,
  'a song': 'Row, row, row your boat, gently down the stream.\n'.repeat(60),
}

describe.each(Object.entries(FILES))('a file: %s', (_, content) => {
  it.each(SIZES.filter((size) => size > 1))('as JSON, in chunks of %d', (size) => {
    const args = JSON.stringify({ path: 'a.txt', content })
    expect(stream(args, size, {}, 'arguments')).toEqual([])
  })

  it('as it is, in chunks of random sizes', () => {
    expect(reports(randomChunksOf(content, 7), {}, 'arguments')).toEqual([])
  })
})

/** What degenerates: how it begins, what comes without end, and by how many of them it is found. */
const ENDLESS: readonly [name: string, before: string, unit: string, within: number][] = [
  ['NULs', '{"workdir":"', '\0', 256],
  ['escaped NULs', '{"workdir":"', '\\u0000', 262],
  ['bells', '{"command":"', '\x07', 256],
  ['line breaks between fields', '{"path":"a",', '\n', 2_001],
  ['white space between fields', '{"path":"a",', ' \n\t', 670],
  ['escaped line breaks', '{"content":"a', '\\n', 2_005],
  ['escaped tabs', '{"content":"a', '\\t', 2_005],
  ['a letter', '{"query":"', 'a', 4_001],
  ['a digit', '{"limit":1', '0', 4_001],
  ['a Chinese letter', '{"query":"', '哈', 4_001],
  ['a dash', '{"pattern":"', '-', 2_001],
  ['brackets', '{"data":', '[', 2_001],
  ['a word', '{"command":"', 'sudo ', 2_410],
  ['a path', '{"path":"', 'src/', 3_010],
  ['a line', '{"content":"', 'return None\\n', 1_010],
  ['a sentence', '{"content":"', 'Then the file is read and checked again. ', 600],
  [
    'a paragraph',
    '{"content":"',
    'The module reads the settings of the user, merges them with the defaults, and writes the result to the cache. If the cache cannot be written, the settings are kept in memory and written later.\\n\\n',
    130,
  ],
]

describe.each(ENDLESS)('without end: %s', (_, before, unit, within) => {
  const text = before + unit.repeat(within * 2)

  it.each(SIZES.filter((size) => size > 1))('in chunks of %d', (size) => {
    const [first, ...more] = stream(text, size, {}, 'arguments')
    expect(first?.verdict).toMatchObject({ action: 'nudge', level: 'warning', kind: 'chant' })
    expect(more).toEqual([])
    const details = first?.verdict.details
    expect(details?.channel).toBe('arguments')
    const found = (details?.since ?? 0) + (details?.wasted ?? 0)
    expect(found).toBeLessThanOrEqual(before.length + unit.length * within)
  })
})

describe('a stream of arguments', () => {
  it('ends with a call, and where the model says something else', () => {
    const half = '\0'.repeat(200)
    const ends: ((detector: LoopDetector) => void)[] = [
      (detector) => detector.record('write', { path: 'a' }),
      (detector) => detector.beginTurn(),
      (detector) => detector.pushText('Next.'),
      (detector) => detector.pushText('Hm.', 'reasoning'),
    ]
    for (const end of ends) {
      const detector = new LoopDetector()
      expect(detector.pushText(half, 'arguments').action).toBe('continue')
      end(detector)
      expect(detector.pushText(half, 'arguments').action).toBe('continue')
      expect(detector.pushText(half, 'arguments').kind).toBe('chant')
      detector.free()
    }
  })

  it('is not joined with text', () => {
    const detector = new LoopDetector()
    for (let i = 0; i < 9; i++) detector.pushText('I will check the file again. ')
    expect(detector.pushText('I will check the file again. ', 'arguments').action).toBe('continue')
    expect(detector.pushText('I will check the file again. '.repeat(2)).kind).toBe('chant')
    detector.free()
  })

  it('is part of a snapshot', () => {
    const before = new LoopDetector()
    before.pushText('\0'.repeat(250), 'arguments')
    const after = new LoopDetector()
    after.restoreFrom(JSON.parse(JSON.stringify(before)))
    expect(after.pushText('\0'.repeat(6), 'arguments').details).toMatchObject({
      ...{ channel: 'arguments', since: 0, repeats: 256 },
    })
    for (const detector of [before, after]) detector.free()
  })
})
