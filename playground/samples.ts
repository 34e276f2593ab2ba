/**
 * Sessions to look at without having one: loops, and work that only looks like one. All are made up.
 *
 * @module
 */

import type { Source } from './judge.js'

/** A sample. */
export interface Sample extends Source {
  /** What the button says. */
  readonly title: string
}

const START = Date.UTC(2026, 10, 18, 9)
const at = (seconds: number) => new Date(START + seconds * 1000).toISOString()
const lines = (records: readonly object[]) =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('')

/** A call with what came of it. */
interface Row {
  readonly name: string
  readonly input: object
  readonly output: string
  readonly ok?: boolean
}

const FAILING: Row = {
  name: 'Bash',
  input: { command: 'npm test -- cart', description: 'Run the tests of the cart' },
  output:
    'FAIL test/cart.test.ts > applies a voucher\nAssertionError: expected 90 to be 81\n  at test/cart.test.ts:41:23\nTests: 1 failed, 11 passed',
  ok: false,
}
const SEARCH: Row = {
  name: 'Grep',
  input: { pattern: 'applyVoucher', path: 'src' },
  output: 'src/cart.ts:58: export function applyVoucher(cart: Cart, voucher: Voucher)',
}

const exploring: readonly Row[] = [
  {
    name: 'Glob',
    input: { pattern: 'src/**/*.ts' },
    output: 'src/cart.ts\nsrc/price.ts\nsrc/index.ts',
  },
  {
    name: 'Read',
    input: { file_path: 'src/cart.ts' },
    output: "import { round } from './price'\n…",
  },
  {
    name: 'Read',
    input: { file_path: 'src/price.ts' },
    output: 'export const round = (n: number) => …',
  },
  {
    name: 'Read',
    input: { file_path: 'test/cart.test.ts' },
    output: "describe('cart', () => {\n…",
  },
  {
    name: 'Bash',
    input: { command: 'git log --oneline -5' },
    output: '4f1c2aa Vouchers\n91be0d3 Cart',
  },
  {
    ...SEARCH,
    input: { pattern: 'voucher', path: 'src' },
    output: 'src/cart.ts:12\nsrc/cart.ts:58',
  },
  {
    name: 'Read',
    input: { file_path: 'package.json' },
    output: '{ "scripts": { "test": "vitest" } }',
  },
]

const reading: readonly Row[] = Array.from({ length: 14 }, () => ({
  name: 'Read',
  input: { file_path: 'config/vouchers.yaml' },
  output: 'vouchers:\n  SPRING10: { percent: 10 }\n  WELCOME: { amount: 5 }',
}))

const editing: readonly Row[] = [
  {
    name: 'Edit',
    input: { file_path: 'src/cart.ts', old_string: 'total - amount', new_string: 'total * 0.9' },
    output: 'The file src/cart.ts has been updated.',
  },
  { ...FAILING, output: FAILING.output.replace('90', '99') },
  {
    name: 'Read',
    input: { file_path: 'src/cart.ts', offset: 50 },
    output: 'export function applyVoucher…',
  },
  {
    name: 'Edit',
    input: { file_path: 'src/price.ts', old_string: 'Math.floor', new_string: 'Math.round' },
    output: 'The file src/price.ts has been updated.',
  },
  { name: 'Bash', input: { command: 'npx tsc --noEmit' }, output: '' },
  {
    name: 'Bash',
    input: { command: 'git diff --stat' },
    output: ' src/cart.ts | 2 +-\n src/price.ts | 2 +-',
  },
]

const circling: readonly Row[] = Array.from({ length: 22 }, (_, index) =>
  index % 2 === 0 ? FAILING : SEARCH,
)

const fetching: readonly Row[] = Array.from({ length: 12 }, () => ({
  name: 'WebFetch',
  input: { url: 'https://docs.example.com/api/vouchers', prompt: 'How are vouchers rounded?' },
  output: 'Error: 404 Not Found',
  ok: false,
}))

/** A session of Claude Code: its main thread, and a sub-agent beside it. */
function claudeCode(main: readonly Row[], side: readonly Row[]): string {
  const record = (index: number, isSide: boolean, fields: object) => ({
    ...fields,
    uuid: `${isSide ? 's' : 'm'}${index}`,
    parentUuid: index === 0 ? null : `${isSide ? 's' : 'm'}${index - 1}`,
    sessionId: 'sample',
    isSidechain: isSide,
    ...(isSide && { agentId: 'researcher' }),
    timestamp: at((isSide ? 60 : 0) + index * 6),
    version: '2.1.0',
  })
  const thread = (rows: readonly Row[], isSide: boolean, request: string) => [
    record(0, isSide, { type: 'user', message: { role: 'user', content: request } }),
    ...rows.flatMap(({ name, input, output, ok = true }, index) => {
      const id = `${isSide ? 'side' : 'main'}_${index}`
      const usage = {
        input_tokens: 320 + index * 9,
        cache_read_input_tokens: 14_000 + index * 640,
        output_tokens: 180,
      }
      return [
        record(index * 2 + 1, isSide, {
          type: 'assistant',
          message: {
            ...{ id: `msg_${id}`, role: 'assistant', model: 'claude-sonnet-4-5', usage },
            content: [{ type: 'tool_use', id: `toolu_${id}`, name, input }],
          },
        }),
        record(index * 2 + 2, isSide, {
          type: 'user',
          message: {
            role: 'user',
            content: [
              { type: 'tool_result', tool_use_id: `toolu_${id}`, content: output, is_error: !ok },
            ],
          },
        }),
      ]
    }),
  ]
  return lines([
    ...thread(main, false, 'The voucher test fails. Please fix it.'),
    ...(side.length > 0 ? thread(side, true, 'Find out how vouchers are rounded.') : []),
  ])
}

/** Messages of OpenAI's chat API, as one JSON document. */
function openaiChat(request: string, rows: readonly Row[], answer: string): string {
  const messages = rows.flatMap(({ name, input, output }, index) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        {
          id: `call_${index}`,
          type: 'function',
          function: { name, arguments: JSON.stringify(input) },
        },
      ],
    },
    { role: 'tool', tool_call_id: `call_${index}`, content: output },
  ])
  const all = [
    { role: 'user', content: request },
    ...messages,
    { role: 'assistant', content: answer },
  ]
  return JSON.stringify({ messages: all }, null, 1)
}

/** Neutral events, one on a line. */
function events(rows: readonly Row[], secondsApart: number): string {
  return lines(
    rows.flatMap(({ name, input, output, ok = true }, index) => {
      const time = START + index * secondsApart * 1000
      return [
        { t: 'turn' },
        { t: 'call', name, args: input, id: `${index}`, at: time },
        { t: 'result', id: `${index}`, ok, output, at: time + 900 },
      ]
    }),
  )
}

const COLOURS = ['color: teal', 'color: navy']
const undoing: readonly Row[] = Array.from({ length: 14 }, (_, index) => ({
  name: 'edit_file',
  input: {
    path: 'styles/button.css',
    old: COLOURS[index % 2],
    new: COLOURS[(index + 1) % 2],
  },
  output: 'Edited styles/button.css.',
}))

const waiting: readonly Row[] = [
  { name: 'bash', input: { command: 'git push origin main' }, output: 'main -> main' },
  ...Array.from({ length: 14 }, (_, index) => ({
    name: 'get_deployment_status',
    input: { id: 'dpl_42' },
    output: index < 13 ? 'status: building' : 'status: ready',
  })),
  { name: 'fetch', input: { url: 'https://shop.example.com/health' }, output: '200 ok' },
]

const healthy: readonly Row[] = [
  ...exploring,
  ...editing,
  { ...FAILING, output: 'Tests: 12 passed', ok: true },
  { name: 'Bash', input: { command: 'npm run lint' }, output: 'Checked 41 files.' },
  {
    name: 'Bash',
    input: { command: 'git commit -am "Round vouchers"' },
    output: '[main 77aa01c] Round vouchers',
  },
]

export const SAMPLES: readonly Sample[] = [
  {
    title: 'A test that never passes',
    name: 'voucher-test.jsonl',
    text: claudeCode([...exploring, ...reading, ...editing, ...circling], fetching),
  },
  {
    title: 'Edits that undo each other',
    name: 'button-colour.json',
    text: openaiChat('Which colour fits the button?', undoing, 'I cannot decide.'),
  },
  {
    title: 'Waiting for a deployment',
    name: 'deployment.jsonl',
    text: events(waiting, 30),
  },
  {
    title: 'A healthy session',
    name: 'healthy.jsonl',
    text: claudeCode(healthy, []),
  },
]

/** A text that begins well and ends in a loop. */
export const CHANT = [
  'Let me think about how the voucher is rounded. The cart holds 90 and the test expects 81, so ten percent are taken off twice or the rounding happens too early.',
  'I should look at applyVoucher first, and then at the helper that rounds.',
  ...Array.from({ length: 24 }, () => 'Wait, let me check the rounding again.'),
].join(' ')
