/** Calls in the shapes that SDKs use are one call; what is none of them is refused by name. */

import { LoopGuard, type ToolCall } from 'loophound'
import { describe, expect, it } from 'vitest'
import { detector } from '../support/made.js'

const args = { path: 'src/a.ts' }
const text = JSON.stringify(args)

const SHAPES: readonly (readonly [string, ToolCall])[] = [
  ['ours', { name: 'read', args, id: 'c1' }],
  [
    'OpenAI Responses',
    { type: 'function_call', name: 'read', arguments: text, call_id: 'c1' } as never,
  ],
  ['MCP', { name: 'read', arguments: args }],
  ['Anthropic', { type: 'tool_use', id: 'c1', name: 'read', input: args } as never],
  [
    'OpenAI chat',
    { id: 'c1', type: 'function', function: { name: 'read', arguments: text } } as never,
  ],
  ['AI SDK', { type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: args } as never],
  ['AI SDK 4', { toolCallId: 'c1', toolName: 'read', args } as never],
  [
    'OpenAI Agents',
    { type: 'function_call', callId: 'c1', name: 'read', arguments: text } as never,
  ],
  ['Ollama', { function: { name: 'read', arguments: args } } as never],
  ['Bedrock', { toolUseId: 'c1', name: 'read', input: args } as never],
]

describe('a call', () => {
  it.each(SHAPES)('in the shape of %s is the same call', (_, call) => {
    const host = detector('nudge')
    host.record('read', args)
    host.record({ name: 'read', args })
    expect(host.record(call)).toMatchObject({ action: 'nudge', count: 3, tool: 'read' })
    const batched = detector('nudge')
    expect(batched.recordBatch([call, call, call]).count).toBe(3)
  })

  it.each(SHAPES.filter(([, call]) => JSON.stringify(call).includes('c1')))(
    'in the shape of %s has its id',
    (_, call) => {
      const host = detector()
      host.record('other', {}, 'c0')
      host.record(call)
      host.recordResult({ id: 'c1', output: 'text' })
      expect(host.explain()).toMatchObject({
        call: { label: `read(${text})` },
        result: { failed: false },
      })
    },
  )

  it('may have no arguments at all', () => {
    const host = detector('nudge')
    for (const call of [{ name: 'ls' }, { name: 'ls', id: 'a' }, { name: 'ls', args: {} }]) {
      host.record(call)
    }
    expect(host.verdict.count).toBe(3)
  })

  it.each([
    [
      { name: 'read', parameters: args },
      'record(call): call has none of args, arguments, input, but "parameters"; put the arguments into args',
    ],
    [
      { name: 'read', kwargs: args, extra: 1 },
      'has none of args, arguments, input, but "kwargs", "extra"',
    ],
    [{ name: 'read', args, input: args }, 'has both args and input; give one of them'],
    [
      { function: { arguments: text } },
      'record(call): call.function.name must be a string; got undefined',
    ],
    [
      { function: { name: 'read', parameters: args } },
      'record(call): call.function has none of args, arguments, input, but "parameters"',
    ],
    [
      { function: { name: 'read' }, args },
      'record(call): call has args beside function; put the arguments into function.arguments',
    ],
    [
      { functionCall: { name: 'read', args } },
      'record(call): call has none of args, arguments, input, but "functionCall"',
    ],
    [{ tool: 'read', args }, 'record(call): call.name must be a string; got undefined'],
    [{ name: 'read', args, id: 7 }, 'record(call): call.id must be a string; got 7'],
    [[], 'record(call): call must be an object; got an array'],
  ])('%j is a TypeError, and the detector works on', (call, message) => {
    const host = detector('nudge')
    expect(() => host.record(call as never)).toThrow(TypeError)
    expect(() => host.record(call as never)).toThrow(message)
    expect(host.callCount).toBe(0)
    host.record('ls')
    expect(host.callCount).toBe(1)
  })

  it('in the shape of a chat message keeps healthy work alive in a guard', () => {
    const guard = new LoopGuard()
    for (let turn = 0; turn < 20; turn++) {
      const id = `call_${turn}`
      const name = 'read_file'
      const call = { id, function: { name, arguments: JSON.stringify({ path: `${turn}.ts` }) } }
      expect(guard.call(call).verdict.action).toBe('continue')
      guard.result({ id, output: `text ${turn}` })
      guard.endStep()
    }
    guard.free()
  })
})

describe('a result', () => {
  const failedLast = (host: ReturnType<typeof detector>) => host.explain().result?.failed

  it.each(['id', 'call_id', 'callId', 'tool_call_id', 'toolCallId', 'tool_use_id', 'toolUseId'])(
    'belongs to the call that %s names, not to the oldest',
    (field) => {
      const host = detector()
      host.recordBatch([
        { name: 'read', args, id: 'c1' },
        { name: 'list', args, id: 'c2' },
      ])
      host.recordResult({ [field]: 'c2', output: 'a b c' })
      expect(host.explain().call?.label).toBe(`list(${text})`)
      expect(failedLast(host)).toBe(false)
    },
  )

  it.each([
    [{ tool_call_id: 'c1', role: 'tool', content: 'x' }, '"content"'],
    [{ tool_use_id: 'c1', content: 'x', is_error: true }, '"content", "is_error"'],
    [{ id: 'c1', result: 'x' }, '"result"'],
    [{ id: 'c1', error: 'boom' }, '"error"'],
  ])('%j has its output elsewhere: a TypeError that names it', (result, named) => {
    const host = detector()
    host.record({ name: 'read', args, id: 'c1' })
    const message = `result has neither output nor ok, but ${named}; put what the tool returned into output`
    expect(() => host.recordResult(result as never)).toThrow(
      new TypeError(`recordResult(result): ${message}`),
    )
    host.recordResult({ id: 'c1', ok: false })
    expect(failedLast(host)).toBe(true)
    const errors: unknown[] = []
    const guard = new LoopGuard({ onError: (error) => errors.push(error) })
    guard.call({ name: 'read', args, id: 'c1' })
    guard.result(result as never)
    expect(errors).toEqual([new TypeError(`result(result): ${message}`)])
    guard.free()
  })

  it.each(['content', 'result', 'error', 'response', 'text'])(
    'with ok has its output elsewhere, in %s: a TypeError that names it',
    (field) => {
      const host = detector()
      host.record({ name: 'read', args, id: 'c1' })
      expect(() => host.recordResult({ id: 'c1', ok: false, [field]: 'boom' } as never)).toThrow(
        new TypeError(
          `recordResult(result): result has no output, but "${field}"; put what the tool returned into output`,
        ),
      )
      host.recordResult({ id: 'other', ok: true, [field]: null } as never)
      host.recordResult({ id: 'c1', ok: false, output: 'boom', [field]: 'boom', took: 5 } as never)
      expect(failedLast(host)).toBe(true)
    },
  )

  it.each(['is_error', 'isError'])('may say with %s that the call failed', (field) => {
    for (const [value, ok, failed] of [
      [true, undefined, true],
      [false, undefined, false],
      [true, true, false],
      ['yes', undefined, false],
    ]) {
      const host = detector()
      host.record({ name: 'read', args, id: 'c1' })
      const given = { id: 'c1', output: 'text', [field as string]: value }
      host.recordResult((ok === undefined ? given : { ...given, ok }) as never)
      expect(failedLast(host)).toBe(failed)
    }
    const host = detector()
    host.record({ name: 'read', args, id: 'c1' })
    host.recordResult({ id: 'c1', [field]: true } as never)
    expect(failedLast(host)).toBe(true)
  })

  it('may say nothing at all', () => {
    const host = detector()
    host.record({ name: 'read', args, id: 'c1' })
    for (const result of [{ id: 'c1' }, {}, { id: 'c1', output: undefined, took: 5 }]) {
      expect(host.recordResult(result).action).toBe('continue')
    }
  })
})
