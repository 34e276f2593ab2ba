// A session to show and to test the report with: two loops of the main thread, one of a sub-agent.
const START = Date.UTC(2026, 10, 18, 9)
const TOOLS = ['read', 'grep', 'bash', 'edit', 'ls', 'write', 'fetch']

/** What a page must not obey. */
export const HOSTILE = '</script><img src=x onerror=alert(1)><!--'

/** @returns {readonly [string, object, boolean, string]} */
const healthy = (index) => [
  TOOLS[index % TOOLS.length],
  { path: `src/module-${index}.ts`, ...(index === 3 && { note: HOSTILE }) },
  index % 9 !== 4,
  `${index * 7919} lines ${index === 3 ? HOSTILE : ''}`,
]

/**
 * One call every four seconds, with its result and its usage.
 *
 * @param {number} length
 * @param {(index: number) => readonly [string, object, boolean, string]} row
 * @param {{ agent?: string, at?: number }} more
 */
function run(length, row, more = {}) {
  const { agent, at = 0 } = more
  return Array.from({ length }, (_, index) => {
    const [name, args, ok, output] = row(index)
    const time = START + at * 1000 + index * 4000
    const id = `${agent}-${at}-${index}`
    return [
      { t: 'turn', agent },
      { t: 'call', name, args, id, at: time, agent },
      { t: 'usage', in: 9000 + index * 200, out: 150, model: 'gpt-5-codex', agent },
      { t: 'result', id, ok, output, at: time + 1500, agent },
    ]
  }).flat()
}

/** The events of the session. */
export const stuck = [
  ...run(18, healthy),
  ...run(24, () => ['read', { path: 'config/settings.yaml' }, true, 'timeout: 30\nretries: 3'], {
    at: 100,
  }),
  ...run(20, (index) => healthy(index + 30), { at: 200 }),
  ...run(
    16,
    (index) =>
      index % 2 === 0
        ? ['bash', { command: 'npm test' }, false, 'FAIL test/app.test.ts\nExpected 3, got 4']
        : ['grep', { pattern: 'Expected 3', path: 'src' }, true, 'src/app.ts:12'],
    { at: 300 },
  ),
  ...run(12, () => ['fetch', { url: 'https://example.com/api' }, false, '404 not found'], {
    agent: 'researcher',
    at: 150,
  }),
]

/** The events of a session without a loop. */
export const fine = run(8, healthy)

export const jsonl = (events) => events.map((event) => `${JSON.stringify(event)}\n`).join('')
