/** What real files have that a reader trips over: exports and trajectories. */

import { readTranscript } from 'loophound'
import { describe, expect, it } from 'vitest'
import { kinds, lines, only, spoken } from './pick.js'
import { summarize } from './summary.js'

describe('langchain, opencode, gemini-cli, inspect', () => {
  it('langchain: chunks carry calls, content repeats them, some messages are hidden', () => {
    const transcript = readTranscript([
      {
        lc: 1,
        type: 'constructor',
        id: ['x', 'AIMessage'],
        kwargs: { content: 'boot', additional_kwargs: { hidden: true } },
      },
      {
        lc: 1,
        type: 'constructor',
        id: ['x', 'AIMessageChunk'],
        kwargs: {
          content: [
            { type: 'text', text: 'so' },
            { type: 'tool_use', id: '1', name: 'ls', input: '{}' },
          ],
          tool_calls: [{ id: '1', name: 'ls', args: {} }],
        },
      },
    ])
    expect(kinds(transcript)).toBe('turn text call')
  })

  it('opencode: synthetic rows are no persons, sub-agents are linked, sanitized exports are refused', () => {
    const message = (role: string, ...parts: object[]) => ({ info: { role }, parts })
    const task = {
      type: 'tool',
      callID: '1',
      tool: 'task',
      state: { status: 'completed', input: {}, output: 'x', metadata: { sessionId: 'child' } },
    }
    const transcript = readTranscript({
      info: { id: 'own', parentID: 'above', title: 'sub' },
      messages: [
        message('user', {
          type: 'text',
          text: 'Summarize the task tool output above',
          synthetic: true,
        }),
        message(
          'assistant',
          { type: 'step-start' },
          task,
          { type: 'step-start' },
          { type: 'text', text: 'ok' },
        ),
      ],
    })
    expect(transcript.agents).toMatchObject([{ id: 'own', parent: 'above', name: 'sub' }])
    expect(spoken(transcript)).toEqual([])
    expect(kinds(transcript)).toBe('user turn call spawn result turn text')
    const redacted = {
      ...task,
      state: { status: 'completed', input: { a: '[redacted:input]' }, output: '' },
    }
    expect(() => readTranscript({ info: {}, messages: [message('assistant', redacted)] })).toThrow(
      /sanitized/,
    )
  })

  it('opencode: the task of a sub-agent comes from an agent', () => {
    const task = { info: { role: 'user' }, parts: [{ type: 'text', text: 'look around' }] }
    const spokenIn = (info: object) => spoken(readTranscript({ info, messages: [task] }))
    expect(spokenIn({ id: 'own' })).toEqual(['look around'])
    expect(spokenIn({ id: 'own', parentID: 'above' })).toEqual([])
  })

  it('opencode: what `opencode run --format json` prints', () => {
    const printed = (type: string, part: object) => ({
      type,
      timestamp: 1e12,
      sessionID: 's',
      part,
    })
    const tokens = { input: 3, output: 4, reasoning: 0, cache: { read: 5, write: 0 } }
    const call = (callID: string, status: string) =>
      printed('tool_use', { callID, tool: 'bash', state: { status, input: {} } })
    const transcript = readTranscript(
      lines(
        printed('step_start', { type: 'step-start' }),
        printed('text', { type: 'text', text: 'I look.' }),
        call('1', 'completed'),
        call('2', 'error'),
        printed('step_finish', { type: 'step-finish', reason: 'tool-calls', tokens }),
        { type: 'error', timestamp: 1e12, sessionID: 's', error: { name: 'APIError' } },
        printed('step_start', { type: 'step-start' }),
        printed('text', { type: 'text', text: 'Done.' }),
      ),
    )
    expect(kinds(transcript)).toBe('turn text call result call result usage turn text')
    expect(summarize(transcript)).toMatchObject({
      format: 'opencode',
      errors: 1,
      tokens: { in: 3, out: 4 },
      cacheRead: 5,
    })
  })

  it('gemini-cli: messages are replaced and taken back', () => {
    const user = (id: string, content: string) => ({ id, type: 'user', content })
    const transcript = readTranscript(
      lines(
        { sessionId: 's', projectHash: 'h' },
        user('1', 'a'),
        user('2', 'b'),
        user('2', 'better'),
        user('3', 'c'),
        { $rewindTo: '3' },
        { $set: { lastUpdated: 'x' } },
      ),
    )
    expect(spoken(transcript)).toEqual(['a', 'better'])
  })

  it('inspect: each sample is an agent', () => {
    const sample = (id: number) => ({
      id,
      epoch: 2,
      messages: [{ role: 'user', content: 'q', source: 'input' }],
    })
    const transcript = readTranscript({ version: 2, eval: {}, samples: [sample(1), sample(2)] })
    expect(transcript.agents.map(({ id }) => id)).toEqual(['1_epoch_2', '2_epoch_2'])
  })
})

describe('openhands', () => {
  it('version 1: rejections, condensation, and totals that grow', () => {
    const transcript = readTranscript([
      {
        kind: 'ActionEvent',
        source: 'agent',
        tool_name: 'x',
        tool_call_id: '1',
        llm_response_id: 'a',
        tool_call: { arguments: '{"a":1,"summary":"s"}' },
      },
      {
        kind: 'UserRejectObservation',
        source: 'environment',
        tool_call_id: '1',
        rejection_reason: 'no',
      },
      { kind: 'Condensation', source: 'environment' },
      { kind: 'PauseEvent', source: 'user' },
    ])
    expect(only(transcript, 'call')).toMatchObject([{ args: { a: 1 } }])
    expect(only(transcript, 'result')).toMatchObject([{ denied: true, ok: false }])
    expect(kinds(transcript)).toBe('turn call result compacted')
  })

  it('version 0: an action without a result, and a command that still runs', () => {
    const meta = { tool_call_metadata: { function_name: 'execute_bash', tool_call_id: '1' } }
    const transcript = readTranscript([
      { id: 1, source: 'agent', action: 'run', args: { command: 'x' }, ...meta },
      {
        id: 2,
        source: 'agent',
        observation: 'run',
        cause: 1,
        content: '',
        extras: { metadata: { exit_code: -1 } },
        ...meta,
      },
      { id: 3, source: 'agent', action: 'finish', args: {} },
      { id: 4, source: 'agent', observation: 'null', cause: 3, content: '' },
    ])
    expect(summarize(transcript)).toMatchObject({
      calls: 2,
      results: 1,
      errors: 0,
      firstTools: ['execute_bash', 'finish'],
    })
  })
})

describe('mini-swe-agent and swe-agent', () => {
  it('old files of mini-swe-agent are bare messages with fences', () => {
    const transcript = readTranscript([
      { role: 'system', content: 'x' },
      { role: 'user', content: 'go' },
      { role: 'assistant', content: 'hm\n```mswea_bash_command\nls\n```' },
      { role: 'user', content: '<returncode>2</returncode>' },
      { role: 'user', content: 'diff --git a b' },
    ])
    expect(summarize(transcript)).toMatchObject({
      format: 'mini-swe-agent',
      calls: 1,
      results: 1,
      errors: 1,
      userMessages: 1,
    })
  })

  it('a history without a trajectory', () => {
    const transcript = readTranscript({
      history: [
        { role: 'system', content: 'x', agent: 'main', message_type: 'system_prompt' },
        { role: 'user', content: 'demo', is_demo: true },
        {
          role: 'assistant',
          content: 'hm',
          action: 'ls -F',
          agent: 'main',
          message_type: 'action',
        },
        { role: 'user', content: 'a', message_type: 'observation' },
        {
          role: 'assistant',
          content: 'so',
          action: 'open a',
          tool_calls: [{ id: '1', function: { name: 'open', arguments: '{}' } }],
        },
        { role: 'tool', content: 'b', tool_call_ids: ['1'] },
      ],
    })
    expect(summarize(transcript)).toMatchObject({
      format: 'swe-agent',
      calls: 2,
      firstTools: ['ls', 'open'],
    })
    expect(only(transcript, 'result')).toMatchObject([
      { id: undefined, output: 'a' },
      { id: '1', output: 'b' },
    ])
  })
})

it('swe-agent: the host ends a run, but giving up is a tool', () => {
  const step = (action: string) => ({ action, observation: '', thought: 'so', response: action })
  const transcript = readTranscript({ trajectory: ['ls', 'exit_forfeit', 'exit_cost'].map(step) })
  expect(only(transcript, 'call').map(({ name }) => name)).toEqual(['ls', 'exit_forfeit'])
})

describe('atif', () => {
  it('in the wild: no prefix, other names, results before their calls, sub-agents', () => {
    const transcript = readTranscript({
      schema_version: '1.4',
      steps: [
        {
          step_id: 1,
          source: 'system',
          observation: { results: [{ source_call_id: '1', content: 'a' }] },
        },
        { step_id: 2, source: 'agent', message: 'old', is_copied_context: true },
        {
          step_id: 3,
          source: 'agent',
          message: '',
          tool_calls: [
            { id: '1', name: 'ls' },
            { id: '2', name: 'task' },
          ],
          observation: {
            results: [
              {
                source_call_id: '2',
                content: 'b',
                subagent_trajectory_ref: [{ trajectory_id: 'sub' }],
              },
            ],
          },
        },
      ],
      subagent_trajectories: [
        {
          trajectory_id: 'sub',
          agent: { name: 'scout' },
          steps: [{ step_id: 1, source: 'agent', message: 'hi' }],
        },
      ],
    })
    expect(kinds(transcript)).toBe('turn call call result result spawn')
    expect(transcript.agents[1]).toMatchObject({
      id: 'sub',
      name: 'scout',
      parent: '',
      parentCall: '2',
    })
  })
})
