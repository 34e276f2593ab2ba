/** The hook command, fed with what Claude Code sends. */

import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Event, loophound, recording, stateIn, temporaryFolder } from './run.js'

const folder = temporaryFolder()

/** Speaks at the 3rd identical call, refuses the 4th, ends the run at the 5th. */
const options = path.join(folder, 'options.json')
const rungs = [
  { at: 3, action: 'nudge', level: 'notice' },
  { at: 4, action: 'block', level: 'warning' },
  { at: 5, action: 'stop', level: 'critical' },
]
const rule = { threshold: 3, climb: 'count', rungs }
const texts = { notice: 'NUDGE {count}', warning: 'BLOCK {count}', critical: 'STOP {count}' }
/** What the user is told. */
const SUMMARY = 'Bash was called 5 times in a row with identical arguments. The run was stopped.'
const off = ['fuzzy-repeat', 'test-fix', 'failure-cascade', 'summary'].map((kind) => [kind, false])
writeFileSync(
  options,
  JSON.stringify({
    preset: 'nudge',
    detectors: { 'exact-repeat': rule, ...Object.fromEntries(off) },
    messages: { 'exact-repeat': texts },
  }),
)

/** Feeds events one after the other, each to a process of its own; the answers. */
async function feed(state: string, events: readonly Event[], ...args: string[]) {
  const answers: Event[] = []
  for (const event of events) {
    const more = ['--state-dir', path.join(folder, state), ...args]
    const { code, stdout, stderr } = await loophound(['hook', ...more], JSON.stringify(event))
    expect([code, stderr]).toEqual([0, ''])
    const answer = JSON.parse(stdout)
    expect(answer).toSatisfy((given) => isValid(event, given))
    answers.push(answer)
  }
  return answers
}

/** As the documentation of hooks has it: what may be answered to which event. */
function isValid({ hook_event_name: name }: Event, answer: Record<string, unknown>): boolean {
  const { continue: goesOn, stopReason, hookSpecificOutput, ...rest } = answer
  if (Object.keys(rest).length > 0) return false
  if (goesOn !== undefined && (goesOn !== false || typeof stopReason !== 'string')) return false
  if (hookSpecificOutput === undefined) return true
  const { hookEventName, ...said } = hookSpecificOutput as Record<string, unknown>
  const fields: Record<string, string[]> = {
    PreToolUse: ['permissionDecision', 'permissionDecisionReason'],
    PostToolBatch: ['additionalContext'],
    PostToolUse: ['additionalContext'],
    PostToolUseFailure: ['additionalContext'],
  }
  const allowed = fields[name as string] ?? []
  return (
    hookEventName === name &&
    Object.entries(said).every(([key, value]) => allowed.includes(key) && typeof value === 'string')
  )
}

/** What is answered that is not nothing, by the number of the step. */
function spoken(events: readonly Event[], answers: readonly Event[]): [number, string, unknown][] {
  let step = 1
  return events.flatMap((event, index): [number, string, unknown][] => {
    const name = event.hook_event_name as string
    const { hookSpecificOutput, stopReason } = answers[index] as Event
    const output = (hookSpecificOutput ?? {}) as Event
    const said = output.additionalContext ?? output.permissionDecisionReason ?? stopReason
    const here = step
    if (name === 'PostToolBatch') step += 1
    return said === undefined ? [] : [[here, name, said]]
  })
}

const without = (events: readonly Event[], ...names: string[]) =>
  events.filter(({ hook_event_name }) => !names.includes(hook_event_name as string))

describe('a recorded session', () => {
  it('that loops: nudge, block, stop', async () => {
    const events = recording('loop')
    const answers = await feed('loop', events, '--options', options)
    expect(spoken(events, answers)).toEqual([
      [3, 'PostToolBatch', 'NUDGE 3'],
      [4, 'PreToolUse', 'BLOCK 4'],
      [5, 'PreToolUse', 'STOP 5'],
      [5, 'PostToolBatch', SUMMARY],
      [6, 'PreToolUse', 'STOP 5'],
      [6, 'PostToolBatch', SUMMARY],
      [7, 'Stop', SUMMARY],
    ])
  })

  it('that loops is found by the default preset, with the events that the settings name', async () => {
    const events = without(recording('loop'), 'PostToolUse')
    const actions = spoken(events, await feed('balanced', events))
    expect(actions.map(([, name]) => name)).toContain('PostToolBatch')
    expect(actions.length).toBeGreaterThan(1)
  })

  it('that is healthy: every answer is empty', async () => {
    const events = recording('healthy')
    const answers = await feed('healthy', events)
    expect(answers).toEqual(events.map(() => ({})))
  })

  it('with a subagent: a guard for each', async () => {
    const events = recording('subagent')
    const answers = await feed('subagent', events, '--options', options)
    const said = events.flatMap(({ agent_id }, index) =>
      JSON.stringify(answers[index]) === '{}' ? [] : [[agent_id, answers[index]]],
    )
    const additionalContext = 'NUDGE 3'
    expect(said).toEqual([
      [
        'a3fee21c424fe8c70',
        { hookSpecificOutput: { hookEventName: 'PostToolBatch', additionalContext } },
      ],
    ])
    expect(stateIn(path.join(folder, 'subagent')).states).toHaveLength(2)
  })

  it('starts over when a person speaks, not for automatic prompts', async () => {
    const [prompt, ...steps] = recording('loop') as [Event, ...Event[]]
    const renamed = (events: readonly Event[], mark: string) =>
      events.map((event) =>
        JSON.parse(JSON.stringify(event).replaceAll('toolu_main', `toolu_${mark}`)),
      )
    const two = steps.slice(0, 6)
    const wakeUp = { ...prompt, source: 'schedule_wakeup' }
    const events = [prompt, ...two, prompt, ...renamed(two, 'b'), wakeUp, ...renamed(two, 'c')]
    const answers = await feed('prompts', events, '--options', options)
    expect(spoken(events, answers)).toEqual([
      [5, 'PostToolBatch', 'NUDGE 3'],
      [6, 'PreToolUse', 'BLOCK 4'],
    ])
  })

  it('that is observed: verdicts go to standard error only', async () => {
    const args = ['hook', '--observe', '--options', options]
    const state = path.join(folder, 'observed')
    let told = ''
    for (const event of recording('loop')) {
      const { stdout, stderr } = await loophound(
        [...args, '--state-dir', state],
        JSON.stringify(event),
      )
      expect(stdout).toBe('{}\n')
      told += stderr
    }
    expect(told.match(/observed \w+/g)).toEqual([
      'observed nudge',
      'observed block',
      'observed stop',
      'observed stop',
    ])
  })
})

describe('a host without PostToolBatch', () => {
  const session = { session_id: 's', cwd: '/home/user/project', tool_name: 'Bash' }

  /** A step with one call, and its result as this host reports it. */
  function step(id: string, command: string, end: Event): Event[] {
    const call = { ...session, tool_input: { command }, tool_use_id: id }
    return [
      { ...call, hook_event_name: 'PreToolUse' },
      { ...call, ...end },
    ]
  }
  const failure = {
    hook_event_name: 'PostToolUseFailure',
    error: 'Exit code 1\nno such table: users',
  }
  const shown = {
    hook_event_name: 'PostToolUse',
    tool_response: 'Exit code 1\nError: no such table: users',
  }
  const numbers = [1, 2, 3, 4, 5, 6, 7, 8]
  const repeated = (end: Event) => numbers.flatMap((n) => step(`call_${n}`, 'npm run migrate', end))

  it.each([
    ['with an event for failures', failure],
    ['where only the output tells', shown],
  ])('%s: eight identical failures are found, and refused', async (name, end) => {
    const events = repeated(end)
    const answers = await feed(`no-batch-${name.length}`, events)
    const said = spoken(events, answers).map(([, event]) => event)
    expect(said).toContain(end.hook_event_name)
    expect(said).toContain('PreToolUse')
  })

  it('climbs from nudge to block to stop', async () => {
    const events = repeated(failure)
    const refused = (n: number) => n > 3
    // Nothing follows on a call that is refused.
    const sent = events.filter((_, index) => index % 2 === 0 || !refused(index / 2 + 0.5))
    const stop = { ...session, hook_event_name: 'Stop', last_assistant_message: 'I give up.' }
    const answers = await feed('no-batch-climb', [...sent, stop], '--options', options)
    expect(spoken([...sent, stop], answers).map(([, ...rest]) => rest)).toEqual([
      ['PostToolUseFailure', 'NUDGE 3'],
      ['PreToolUse', 'BLOCK 4'],
      ...[5, 6, 7, 8].map(() => ['PreToolUse', 'STOP 5']),
      ['Stop', SUMMARY],
    ])
  })

  it('takes calls that begin before any of them ends for one step', async () => {
    const inParallel = (turn: number) => {
      const steps = [1, 2, 3].map((n) => step(`call_${turn}_${n}`, 'npm run migrate', failure))
      return [...steps.map(([before]) => before), ...steps.map(([, after]) => after)] as Event[]
    }
    const two = [...inParallel(1), ...inParallel(2)]
    expect(spoken(two, await feed('no-batch-parallel', two, '--options', options))).toEqual([])
    const third = inParallel(3)
    const said = spoken(third, await feed('no-batch-parallel', third, '--options', options))
    expect(said.map(([, ...rest]) => rest)).toEqual([['PostToolUseFailure', 'NUDGE 3']])
  })

  it('is not taken for one that has it: calls of a batch that run one by one are one step', async () => {
    const batch = (turn: number): Event[] => [
      ...[1, 2, 3, 4].flatMap((n) => step(`call_${turn}_${n}`, 'npm run migrate', failure)),
      { ...session, hook_event_name: 'PostToolBatch', tool_calls: [] },
    ]
    const one = step('call_0', 'ls', { ...shown, tool_response: 'src' })
    const events = [...one, batch(0).at(-1) as Event, ...batch(1), ...batch(2)]
    expect(spoken(events, await feed('batch', events, '--options', options))).toEqual([])
  })
})

describe('whatever goes wrong, the agent goes on', () => {
  const fine = JSON.stringify(recording('loop')[1])
  const blocked = path.join(folder, 'a-file')
  writeFileSync(blocked, '')

  it.each([
    ['no JSON', 'nonsense', [], /not valid JSON/],
    ['nothing', '', [], /JSON/],
    ['null', 'null', [], /hook_event_name/],
    ['no session', '{"hook_event_name":"Stop"}', [], /session_id/],
    [
      'an agent without a name',
      '{"hook_event_name":"Stop","session_id":"s","agent_id":7}',
      [],
      /agent_id/,
    ],
    ['a folder that is a file', fine, ['--state-dir', blocked], /a-file/],
  ])('%s', async (_, input, args, message) => {
    const { code, stdout, stderr } = await loophound(['hook', ...args], input)
    expect([code, stdout]).toEqual([0, '{}\n'])
    expect(stderr).toMatch(message)
    expect(stderr).toContain('The agent goes on unwatched.')
  })

  it.each([
    ['an option that there is not', ['--prset', 'nudge'], /--prset/],
    ['a preset that there is not', ['--preset', 'nudges'], /options.preset must be one of/],
    ['options that are no file', ['--options', 'none.json'], /none\.json/],
    ['a state folder without a name', ['--state-dir', ''], /--state-dir must name a folder/],
    ['something else', ['now'], /takes no "now"/],
  ])('%s exits with 1, as 2 would block', async (_, args, message) => {
    const { code, stdout, stderr } = await loophound(['hook', ...args], fine)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(message)
    expect(stderr.trim().split('\n').length, 'what it is, and what to do').toBe(2)
  })

  it('events that say nothing about loops get an empty answer', async () => {
    const [event] = recording('loop')
    const state = ['--state-dir', path.join(folder, 'odd')]
    for (const name of ['SessionStart', 'Notification', 'PreCompact', 'NotYetKnown']) {
      const input = JSON.stringify({ ...event, hook_event_name: name, source: 'clear' })
      const { code, stdout, stderr } = await loophound(['hook', ...state], input)
      expect([code, stdout, stderr]).toEqual([0, '{}\n', ''])
    }
  })
})
