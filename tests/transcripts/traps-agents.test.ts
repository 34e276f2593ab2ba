/** What real files have that a reader trips over: command-line agents and editors. */

import { readTranscript, scan } from 'loophound'
import { describe, expect, it } from 'vitest'
import { kinds, lines, only, spoken } from './pick.js'
import { summarize } from './summary.js'

describe('claude-code', () => {
  const row = (type: string, fields: object) => ({
    type,
    uuid: 'u',
    parentUuid: 'p',
    sessionId: 's',
    ...fields,
  })
  const says = (content: unknown, fields: object = {}) =>
    row('user', { message: { role: 'user', content }, ...fields })
  const block = (id: string, content: object, fields: object = {}) =>
    row('assistant', {
      message: {
        id,
        role: 'assistant',
        content: [content],
        usage: { input_tokens: 1, output_tokens: 2 },
      },
      ...fields,
    })
  const use = (id: string, name = 'Bash', input: object = {}) => ({
    type: 'tool_use',
    id,
    name,
    input,
  })
  const result = (id: string, content: unknown, fields: object = {}) =>
    says([{ type: 'tool_result', tool_use_id: id, content, ...fields }])

  it('lines with one message id are one response, also with results in between', () => {
    const transcript = readTranscript(
      lines(
        block('m', { type: 'text', text: 'so' }),
        block('m', use('1')),
        result('1', 'a'),
        block('m', use('2')),
        result('2', 'b'),
        block('n', { type: 'text', text: 'done' }),
      ),
    )
    expect(kinds(transcript)).toBe('turn text call result call result usage turn text usage')
    expect(only(transcript, 'call').map(({ turn }) => turn)).toEqual([1, 1])
    expect(only(transcript, 'usage').map(({ turn }) => turn)).toEqual([1, 2])
  })

  it('only persons are persons', () => {
    const transcript = readTranscript(
      lines(
        { type: 'queue-operation', operation: 'enqueue', sessionId: 's' },
        says('real'),
        says('<task-notification>\n<task-id>x</task-id>'),
        says('[Request interrupted by user for tool use]'),
        says('<command-name>/compact</command-name>'),
        says('<local-command-stdout>x</local-command-stdout>'),
        says('told', { isMeta: true }),
        says('summed up', { isCompactSummary: true }),
        says(
          'This session is being continued from a previous conversation that ran out of context.',
        ),
        says('notified', { origin: { kind: 'task-notification' } }),
        says('typed', { origin: { kind: 'human' } }),
        says([
          { type: 'text', text: '<ide_opened_file>a.ts</ide_opened_file>' },
          { type: 'text', text: 'mixed' },
        ]),
        says([{ type: 'text', text: '<system-reminder>x</system-reminder>' }]),
      ),
    )
    expect(spoken(transcript)).toEqual([
      'real',
      'typed',
      '<ide_opened_file>a.ts</ide_opened_file>mixed',
    ])
  })

  it('sub-agents in the main file are apart, and linked to the call', () => {
    const side = { isSidechain: true }
    const transcript = readTranscript(
      lines(
        block('m', use('task', 'Task', { prompt: 'find it' })),
        says('find it', { ...side, uuid: 'c1', parentUuid: null }),
        block('x', use('1'), { ...side, uuid: 'c2', parentUuid: 'c1' }),
        { ...result('1', 'found'), ...side, uuid: 'c3', parentUuid: 'c2' },
        says('other', { ...side, uuid: 'd1', parentUuid: null }),
        result('task', 'found it'),
      ),
    )
    expect(transcript.agents.map(({ id, parent, parentCall }) => [id, parent, parentCall])).toEqual(
      [
        ['', undefined, undefined],
        ['sidechain-1', '', 'task'],
        ['sidechain-2', '', undefined],
      ],
    )
    expect(spoken(transcript)).toEqual([])
    expect(summarize(transcript)).toMatchObject({ calls: 2, results: 2, userMessages: 0 })
  })

  it('a file of a sub-agent has its id, and a result names its sub-agent', () => {
    const side = { isSidechain: true, agentId: 'a1' }
    const file = readTranscript(lines(says('go', side), block('m', use('1'), side)))
    expect(file.agents.map(({ id }) => id)).toEqual(['a1'])
    const main = readTranscript(
      lines(block('m', use('7', 'Agent')), {
        ...result('7', 'ok'),
        toolUseResult: { agentId: 'a1' },
      }),
    )
    expect(only(main, 'spawn')).toMatchObject([{ id: '7', child: 'a1' }])
    expect(main.agents).toHaveLength(1)
  })

  it('refused calls are denied; API errors are no responses', () => {
    const transcript = readTranscript(
      lines(
        block('m', use('1')),
        result('1', "The user doesn't want to proceed with this tool use.", { is_error: true }),
        block('n', { type: 'text', text: 'API Error: 529' }, { isApiErrorMessage: true }),
        row('progress', { data: {} }),
      ),
    )
    expect(only(transcript, 'result')).toMatchObject([{ ok: false, denied: true }])
    expect(summarize(transcript).tokens).toEqual({ in: 1, out: 2 })
    expect(transcript.skipped.map(({ reason }) => reason)).toEqual([
      'record type "API error"',
      'record type "progress"',
    ])
  })
})

describe('codex', () => {
  const record = (type: string, payload: object, fields: object = {}) => ({
    type,
    payload,
    ...fields,
  })
  const item = (payload: object, fields: object = {}) => record('response_item', payload, fields)

  it('failed patches, searches without results, and calls that are still open', () => {
    const transcript = readTranscript(
      lines(
        record('session_meta', { id: 's' }),
        item({ type: 'custom_tool_call', call_id: '1', name: 'apply_patch', input: '***' }),
        item({
          type: 'custom_tool_call_output',
          call_id: '1',
          output: 'apply_patch verification failed: x',
        }),
        item({ type: 'web_search_call', action: { type: 'search', query: 'x' } }),
        item({ type: 'local_shell_call', call_id: '2', action: { command: ['ls'] } }),
        item({
          type: 'function_call_output',
          call_id: '2',
          output: '{"output":"","metadata":{"exit_code":2}}',
        }),
        item({ type: 'function_call', call_id: '3', name: 'exec_command', arguments: '{}' }),
      ),
    )
    expect(summarize(transcript)).toMatchObject({ calls: 4, results: 2, errors: 2 })
    expect(
      only(transcript, 'call').map(({ name, providerExecuted }) => [name, providerExecuted]),
    ).toEqual([
      ['apply_patch', undefined],
      ['web_search', true],
      ['local_shell', undefined],
      ['exec_command', undefined],
    ])
    expect(only(transcript, 'result')[1]?.exitCode).toBe(2)
  })

  it('a count of tokens that is written again is counted once', () => {
    const count = (total: number) =>
      record('event_msg', {
        type: 'token_count',
        info: {
          total_token_usage: { input_tokens: total, output_tokens: 1 },
          last_token_usage: { input_tokens: 5, output_tokens: 1 },
        },
      })
    const empty = record('event_msg', { type: 'token_count', info: null })
    const transcript = readTranscript(lines(empty, count(5), count(5), count(10)))
    expect(summarize(transcript).tokens).toEqual({ in: 10, out: 2 })
    const both = lines(
      record('token_usage_record', { usage: { input_tokens: 3, output_tokens: 1 } }),
      count(5),
    )
    expect(summarize(readTranscript(both, 'codex')).tokens).toEqual({ in: 3, out: 1 })
  })

  it('what a sub-agent inherited is left out', () => {
    const user = (text: string) => ({
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text }],
    })
    const transcript = readTranscript(
      lines(
        record(
          'session_meta',
          {
            id: 'child',
            parent_thread_id: 'parent',
            agent_nickname: 'scout',
            subagent_history_start_ordinal: 3,
          },
          { ordinal: 0 },
        ),
        record('session_meta', { id: 'parent' }, { ordinal: 1 }),
        item(user('old'), { ordinal: 2 }),
        item(user('new'), { ordinal: 3 }),
        item(user('<subagent_notification>x</subagent_notification>'), { ordinal: 4 }),
      ),
    )
    expect(transcript.agents).toMatchObject([{ id: 'child', parent: 'parent', name: 'scout' }])
    const said = only(transcript, 'user').map(({ text, origin }) => [text, origin])
    // Another agent gave it its task.
    expect(said[0]).toEqual(['new', 'harness'])
    expect(spoken(transcript)).toEqual([])
    expect(transcript.skipped).toMatchObject([{ reason: 'inherited record', count: 2 }])
  })

  it('a sub-agent of Codex itself may not name its parent', () => {
    const assess = { type: 'input_text', text: 'Assess the planned action' }
    const transcript = readTranscript(
      lines(
        record('session_meta', { id: 'guard', source: { subagent: { other: 'guardian' } } }),
        item({ type: 'message', role: 'user', content: [assess] }),
      ),
    )
    expect(transcript.agents).toMatchObject([{ id: 'guard' }])
    expect(spoken(transcript)).toEqual([])
  })

  it('the oldest sessions are one document', () => {
    const call = { call_id: '1', name: 'shell', arguments: '{"command":["ls"]}' }
    const output = '{"output":"no","metadata":{"exit_code":1}}'
    const transcript = readTranscript({
      session: { timestamp: '2025-06-26T00:00:00Z', id: 's', instructions: '' },
      items: [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'go' }] },
        { type: 'function_call', ...call },
        { type: 'function_call_output', call_id: '1', output },
        { type: 'local_shell_call', call_id: '2', action: { type: 'exec', command: ['ls'] } },
        { type: 'local_shell_call_output', call_id: '2', output: 'a' },
      ],
    })
    expect(summarize(transcript)).toMatchObject({
      format: 'codex',
      calls: 2,
      results: 2,
      errors: 1,
      userMessages: 1,
    })
  })
})

describe('pi', () => {
  it('version 1 has no tree', () => {
    const transcript = readTranscript(
      lines(
        { type: 'session', id: 's', cwd: '/' },
        { type: 'message', message: { role: 'user', content: 'a' } },
        { type: 'thinking_level_change' },
        { type: 'message', message: { role: 'user', content: 'b' } },
        { type: 'compaction', summary: 'x' },
      ),
    )
    expect(spoken(transcript)).toEqual(['a', 'b'])
    expect(summarize(transcript).compactions).toBe(1)
  })

  it('what `pi --mode json` prints', () => {
    const ended = (message: object) => ({ type: 'message_end', message })
    const call = { type: 'toolCall', id: '1', name: 'bash', arguments: { command: 'ls' } }
    const transcript = readTranscript(
      lines(
        { type: 'session', version: 3, id: 's', cwd: '/' },
        { type: 'agent_start' },
        ended({ role: 'user', content: 'go', timestamp: 1_760_000_000_000 }),
        { type: 'message_start', message: { role: 'assistant', content: [] } },
        ended({ role: 'assistant', content: [call], usage: { input: 3, output: 2 } }),
        { type: 'tool_execution_start', toolCallId: '1', toolName: 'bash' },
        ended({
          role: 'toolResult',
          toolCallId: '1',
          toolName: 'bash',
          content: [],
          isError: true,
        }),
        { type: 'agent_end', messages: [] },
      ),
    )
    expect(transcript.events[0]?.at).toBe(1_760_000_000_000)
    expect(summarize(transcript)).toMatchObject({
      format: 'pi',
      calls: 1,
      results: 1,
      errors: 1,
      userMessages: 1,
      tokens: { in: 3, out: 2 },
    })
  })

  it('calls of a response that broke off never ran: they are counted, but are no loop', () => {
    const content = [{ type: 'toolCall', id: '1', name: 'bash', arguments: { command: 'ls' } }]
    const session = (stopReason: string) =>
      lines(
        { type: 'session', id: 's', cwd: '/' },
        ...Array.from({ length: 20 }, () => ({
          type: 'message',
          message: { role: 'assistant', content, stopReason },
        })),
      )
    for (const stopReason of ['error', 'aborted']) {
      const report = scan(session(stopReason))
      expect(report).toMatchObject({ calls: 20, turns: 20, loops: [] })
      expect(report.byAgent).toMatchObject([{ calls: 20 }])
      expect(report.byTool).toEqual([{ tool: 'bash', calls: 20, errors: 0, wasted: 0 }])
    }
    expect(scan(session('toolUse')).loops).toHaveLength(1)
  })
})

describe('cline', () => {
  it('says where the calls are that a file of shown messages lacks', () => {
    const shown = [{ ts: 1, type: 'say', say: 'text', text: 'hello' }]
    expect(() => readTranscript(shown)).toThrow(
      /Cline keeps its calls in api_conversation_history\.json/,
    )
  })

  it('a person may speak in place of a result, or with one', () => {
    const transcript = readTranscript([
      { role: 'user', ts: 1, content: [{ type: 'text', text: '<task>\nbuild\n</task>' }] },
      {
        role: 'assistant',
        ts: 2,
        content: [{ type: 'tool_use', id: '1', name: 'write', input: {} }],
      },
      {
        role: 'user',
        ts: 3,
        content: [
          {
            type: 'text',
            text: "[write for 'a'] Result:\nThe user denied this operation and provided the following feedback:\n<feedback>\nno\n</feedback>",
          },
        ],
      },
      {
        role: 'assistant',
        ts: 4,
        content: [{ type: 'tool_use', id: '2', name: 'read', input: {} }],
      },
      { role: 'user', ts: 5, content: [{ type: 'text', text: '[TASK RESUMPTION] interrupted' }] },
      {
        role: 'user',
        ts: 6,
        content: [{ type: 'text', text: '<user_message>\ngo on\n</user_message>' }],
      },
      { role: 'user', ts: 7, content: [{ type: 'text', text: '[ERROR] You did not use a tool' }] },
    ])
    expect(transcript.format).toBe('cline')
    expect(summarize(transcript)).toMatchObject({ calls: 2, results: 1, userMessages: 3 })
    expect(only(transcript, 'result')).toMatchObject([{ name: 'write', denied: true, ok: false }])
  })

  it('histories without times are known by what Cline adds to messages', () => {
    const transcript = readTranscript([
      {
        role: 'user',
        content: [
          { type: 'text', text: '<task>\nbuild\n</task>' },
          { type: 'text', text: '\n# task_progress RECOMMENDED\n' },
          { type: 'text', text: '<environment_details>\n</environment_details>' },
        ],
      },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: '1', name: 'read_file', input: {} }],
        metrics: { tokens: { prompt: 10, completion: 5, cached: 95 } },
      },
      {
        role: 'user',
        content: [{ type: 'text', text: "[read_file for 'a.cs'] Result:\nusing System;" }],
      },
    ])
    expect(summarize(transcript)).toMatchObject({
      format: 'cline',
      calls: 1,
      results: 1,
      userMessages: 1,
      tokens: { in: 10, out: 5 },
      cacheRead: 95,
    })
  })

  it('results without ids belong to the call of that tool, and say whether a command failed', () => {
    const use = (id: string, name: string) => ({ type: 'tool_use', id, name, input: {} })
    const result = (text: string) => ({ type: 'text', text })
    const transcript = readTranscript([
      { role: 'user', ts: 1, content: [{ type: 'text', text: '<task>x</task>' }] },
      { role: 'assistant', ts: 2, content: [use('1', 'use_subagents'), use('2', 'list_files')] },
      {
        role: 'user',
        ts: 3,
        content: [result("[list_files for 'a'] Result:\nb.ts"), result('[subagents] Result:\nok')],
      },
      { role: 'assistant', ts: 4, content: [use('3', 'execute_command'), use('4', 'ask')] },
      {
        role: 'user',
        ts: 5,
        content: [
          result("[execute_command for 'make'] Result:\nCommand failed with exit code 2.\nOutput:"),
          result("[ask for 'which?'] Result:\n<answer>\nthe first\n</answer>"),
        ],
      },
    ])
    expect(only(transcript, 'result')).toMatchObject([
      { id: '2', ok: undefined },
      { id: '1', name: 'use_subagents' },
      { id: '3', ok: false, exitCode: 2 },
      { id: '4', ok: undefined },
    ])
    expect(summarize(transcript)).toMatchObject({ results: 4, errors: 1, userMessages: 2 })
  })

  it('is told from Roo by the model of its answers', () => {
    const transcript = readTranscript([
      { role: 'user', ts: 1, content: [{ type: 'text', text: '<task>x</task>' }] },
      {
        role: 'assistant',
        ts: 2,
        content: [{ type: 'tool_use', id: '1', name: 'read_file', input: {} }],
        modelInfo: { modelId: 'm', providerId: 'p', mode: 'act' },
      },
      { role: 'user', ts: 3, content: [{ type: 'tool_result', tool_use_id: '1', content: 'a' }] },
    ])
    expect(summarize(transcript)).toMatchObject({ format: 'cline', calls: 1, results: 1 })
  })

  it('older tasks have XML calls', () => {
    const transcript = readTranscript([
      { role: 'user', ts: 1, content: [{ type: 'text', text: '<task>x</task>' }] },
      {
        role: 'assistant',
        ts: 2,
        content: [{ type: 'text', text: 'I read.\n<read_file>\n<path>a.ts</path>\n</read_file>' }],
      },
      {
        role: 'user',
        ts: 3,
        content: [
          { type: 'text', text: "[read_file for 'a.ts'] Result:" },
          { type: 'text', text: 'content' },
        ],
      },
    ])
    expect(only(transcript, 'call')).toMatchObject([{ name: 'read_file', args: { path: 'a.ts' } }])
    expect(only(transcript, 'result')).toMatchObject([{ name: 'read_file', output: 'content' }])
    expect(spoken(transcript)).toHaveLength(1)
  })

  it('sessions of the SDK are read', () => {
    const transcript = readTranscript({
      version: 1,
      updated_at: 'x',
      agent: 'subagent',
      sessionId: 's1',
      messages: [
        { role: 'user', content: 'go' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: '1', name: 'ls', input: {} }],
          metrics: { inputTokens: 3, outputTokens: 1 },
        },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: '1', name: 'ls', content: 'a' }],
        },
      ],
    })
    expect(transcript.agents[0]?.id).toBe('s1')
    expect(summarize(transcript)).toMatchObject({
      format: 'cline',
      calls: 1,
      results: 1,
      tokens: { in: 3, out: 1 },
    })
  })
})
