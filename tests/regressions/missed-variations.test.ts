/**
 * Loops of calls that are never quite the same, which other detectors did not see. Each test is
 * named after what happened and where it was reported; all run on the default preset, which does
 * what the evidence allows to whoever does not listen.
 */

import { describe, expect, it } from 'vitest'
import { expectFound, expectLadder, live, sh, step, steps } from '../support/agent.js'

/** Different in every run, like what they stand for. */
const pid = (i: number) => 41_000 + ((i * 7919) % 9000)
const uuid = (i: number) =>
  `3f2b8c1e-77aa-4d0${i % 10}-9b1c-${String(100_000_000_000 + i * 7_654_321)}`
const time = (i: number) => `2026-08-20T0${i % 10}:1${i % 6}:2${(i * 3) % 10}.${100 + i}Z`

describe('reworded arguments', () => {
  const wordings = [
    'Check whether the server is up',
    'See if the server answers',
    'Try the server once more',
    'Verify that the server runs',
    'Look at the server again',
    'Test the server',
    'Ping the server',
    'Confirm the server state',
    'Check the server',
    'One more look at the server',
  ]

  const described = steps(10, (i) =>
    step('bash', { description: wordings[i], command: 'npm run migrate' }, 'nothing to migrate'),
  )

  // Expected: what a call is described with is no part of it.
  it('only the description changes (deer-flow #1905)', () => {
    expectFound(described, 4, 'no-progress')
  })

  const queries = [
    'deerflow pricing enterprise plan',
    'deerflow enterprise plan pricing',
    'deerflow pricing for enterprise plan',
    'enterprise plan pricing deerflow',
    'deerflow enterprise pricing plan',
    'pricing deerflow enterprise plan 2026',
    'deerflow enterprise plan pricing 2026',
    'deerflow plan enterprise pricing',
    'enterprise pricing plan deerflow',
    'deerflow pricing plan for enterprise',
    'the deerflow enterprise plan pricing',
    'deerflow pricing of enterprise plan',
  ]

  it('a search in other words that finds nothing (deer-flow #1905)', () => {
    const run = queries.map((query) => step('web_search', { query }, 'No results found.'))
    expectFound(run, 11, ['variant', 'no-progress', 'cycle'])
    expectLadder([...run, ...run], 'block')
  })

  it('a ticket queried in other words, about 2,990 times (dmtools-agents PR #403)', () => {
    const fields = ['summary', 'status', 'assignee', 'priority', 'labels', 'created']
    const run = steps(2990, (i) =>
      step(
        'jira_search',
        {
          jql: `project = DM AND key = DM-${204} ORDER BY ${fields[i % 6]}`,
          fields: ['key', fields[i % 6]],
          maxResults: 1 + (i % 50),
        },
        '{"issues":[],"total":0}',
      ),
    )
    expectFound(run, 15, 'variant')
    expectLadder(run.slice(0, 100), 'nudge')
    expect(live(run).length).toBeLessThanOrEqual(10)
  })

  it('the same message sent in other words (openclaw PR #119604)', () => {
    const texts = [
      'The report is ready, see the attachment.',
      'The report is ready: see the attachment.',
      'Your report is ready, see the attachment.',
      'The report is ready now, see the attachment.',
      'The report is ready, please see the attachment.',
      'The weekly report is ready, see the attachment.',
    ]
    const run = steps(40, (i) =>
      step(
        'message',
        { action: 'send', to: '+1555010', text: texts[i % 6] },
        { ok: true, messageId: uuid(i), timestamp: time(i) },
      ),
    )
    expectFound(run, 40)
    expectLadder([...run, ...run], 'nudge')
  })
})

describe('the same error, whatever the arguments', () => {
  const searches = [
    'meeting notes',
    'meeting notes recent',
    'search meeting notes',
    'notes from meetings',
    'weekly sync',
    'minutes',
    'team meeting',
    'notes 2026',
    'meeting',
    'recent pages',
    'all notes',
    'sync minutes',
  ]

  it('a token that has expired (crush #2856)', () => {
    const run = searches.map((query) =>
      step('notion_search', { query }, '401 Unauthorized: API token is invalid.', false),
    )
    expectFound(run, 7, 'same-error')
  })

  // Expected: nudge, nudge, a refusal, as was announced.
  it('a token that has expired: the call is refused (crush #2856)', () => {
    expectLadder(
      steps(24, (i) =>
        step(
          'notion_search',
          { query: searches[i % 12] },
          '401 Unauthorized: API token is invalid.',
          false,
        ),
      ),
      'block',
    )
  })

  it('an edit whose old text is never there (qwen-code PR #10916)', () => {
    const run = steps(14, (i) =>
      step(
        'edit',
        {
          file_path: 'src/app.ts',
          old_string: `function render${i}() {\n  draw(${i})`,
          new_string: `function render${i}() {\n  paint(${i})`,
        },
        'Failed to edit, could not find the string to replace. 0 occurrences found for old_string in src/app.ts',
        false,
      ),
    )
    expectFound(run, 5, ['same-error', 'variant'])
    expectLadder(run, 'block')
  })

  it('a todo tool called without its operation (oh-my-pi #12564)', () => {
    expectLadder(
      steps(10, () =>
        step(
          'todo',
          {},
          'Invalid todo arguments: op must be operation to apply (was missing)',
          false,
        ),
      ),
    )
  })
})

describe('the same result, whatever the arguments', () => {
  // Expected: one answer to nine questions of one tool is no new outcome, however they are worded.
  it('tools looked for under nine names, always the same list (stella #2543)', () => {
    const queries = [
      'git branch stash log reflog',
      'git log commit history',
      'run shell command',
      'list git branches',
      'git diff between branches',
      'stash list show',
      'bash shell execute command',
      'git branch reflog show commits',
      'list branches',
      'show stash',
      'execute a command',
      'commit graph',
    ]
    expectFound(
      queries.map((query) =>
        step(
          'tool_search',
          { query },
          '1. read_file\n2. grep\n3. git_status\nNo further tools match; load one with tool_load.',
        ),
      ),
      9,
    )
  })

  it('a pattern reshuffled 38 times (stella PR #1361)', () => {
    const words = ['scroll', 'offset', 'viewport', 'session_scroll', 'anchor']
    const run = steps(38, (i) => {
      const turned = words.map((_, k) => words[(k + i) % 5] as string)
      if (i % 2 === 1) turned.reverse()
      return step(
        'grep',
        { pattern: turned.join('|'), path: `src/deck` },
        'src/deck/ui.rs:31: let scroll = 0;\nsrc/deck/ui.rs:88: viewport(offset)',
      )
    })
    expectFound(run, 12, ['variant', 'cycle', 'no-progress'])
    expectLadder(run, 'block')
  })

  it('a window that grows and is cut to the same lines (stella #3689)', () => {
    const cut = Array.from({ length: 40 }, (_, k) => `${k + 1}: // recovery step ${k}`).join('\n')
    const run = steps(16, (i) =>
      sh(
        `grep -n "fn arm" -B ${160 + i * 20} crates/core/src/driver/output_budget.rs | sed -n '1,40p'`,
        cut,
      ),
    )
    expectFound(run, 8, ['variant', 'no-progress'])
    expectLadder(run, 'nudge')
  })

  it('a page that is blocked, fetched by other code each time (hermes-agent PR #60268)', () => {
    const agents = [
      'Mozilla/5.0',
      'curl/8.5',
      'Wget/1.21',
      'python-requests/2.32',
      'Safari/605',
      'Opera/9.8',
    ]
    const run = steps(36, (i) =>
      step(
        'execute_code',
        {
          code: `import requests\nr = requests.get('https://data.example/report', headers={'User-Agent': '${agents[i % 6]}'}, timeout=${10 + i})\nprint(r.text[:200])`,
        },
        '<html><head><title>Access denied</title></head><body>Please enable cookies.</body></html>',
      ),
    )
    expectFound(run, 13)
    expectLadder(run, 'nudge')
  })
})

describe('output that varies slightly', () => {
  const failing = (make: (i: number) => unknown) =>
    steps(30, (i) => step('exec', { command: 'gateway restart && gateway health' }, make(i), false))

  it('times and durations in what is printed (openclaw #93917)', () => {
    const run = failing((i) => `${time(i)} gateway pid ${pid(i)}: bind failed after 0.${i}3s`)
    expectFound(run, 3, 'no-progress')
    expectLadder(run)
  })

  // Expected: the fields of a structured result are as volatile as the words of a printed one.
  it('a process id and a duration in a structured result (openclaw #93917)', () => {
    expectFound(
      failing((i) => ({
        status: 'failed',
        exitCode: 1,
        pid: pid(i),
        durationMs: 812 + i * 13,
        text: 'bind failed',
      })),
      4,
      'no-progress',
    )
  })

  // Expected: `name[4711]:` is how logs write a process id.
  it('a process id as logs write it (openclaw #93917)', () => {
    expectFound(
      failing((i) => `gateway[${pid(i)}]: bind failed`),
      4,
      'no-progress',
    )
  })

  // Expected: nanoseconds since 1970 are a time like milliseconds.
  it('nothing but the time in nanoseconds, and a failure (openclaw #93917)', () => {
    const run = steps(10, (i) =>
      step(
        'exec',
        { command: "sh -c 'date +%s%N; exit 1'" },
        `17870716${10 + i}715848158\nCommand exited with code 1`,
        false,
      ),
    )
    expectFound(run, 6)
  })

  it('1.0 or 1, keys in another order, a slash more (openclaw #93917)', () => {
    const args = [
      { path: 'logs', depth: 1 },
      { depth: 1.0, path: 'logs' },
      { path: 'logs', depth: 1, filter: undefined },
    ]
    expectFound(
      steps(6, (i) => step('list_dir', args[i % 3], 'a.log\nb.log')),
      4,
      'no-progress',
    )
  })

  // Expected: an id that only says "sent" is an acknowledgement; the identical message is a repeat.
  it('the same message sent, each time with a new id (openclaw #93917)', () => {
    const run = steps(40, (i) =>
      step(
        'message',
        { action: 'send', to: 'chat-1', text: 'Done!' },
        { ok: true, messageId: 48_000 + i, date: time(i) },
      ),
    )
    expectFound(run, 12)
    expectLadder(run, 'nudge')
  })

  it('temporary folders and addresses in a traceback (openclaw #93917)', () => {
    const run = steps(12, (i) =>
      sh(
        'python job.py',
        `Traceback (most recent call last):\n  File "/tmp/tmpk${i}x9ab_q/job.py", line 12, in <module>\nRuntimeError: <Worker object at 0x7f${(i * 4099 + 65536).toString(16)}b0> is closed`,
        false,
      ),
    )
    expectFound(run, 4, 'no-progress')
    expectLadder(run)
  })
})
