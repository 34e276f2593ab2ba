// The hosts of `loophound hook`: their checks are tests of the command, which feed the built package
// with each host's recorded events and compare its answers with the host's schema. A test whose title
// begins with the name of a column (`loop: …`) is the check of that column.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Failure } from '../../scripts/support/cli.mjs'
import { capture } from '../../scripts/support/process.mjs'

const HOSTS = ['claude-code', 'codex', 'qwen-code', 'gemini-cli', 'copilot', 'cursor']

const FILES = ['hosts', 'hostile-events', 'injections']

/** Why checks do not apply. */
const LACKS = {
  types: "answers are JSON; the checks compare them with the host's schema",
  stream: 'hooks get no text as it streams',
  hooks: "that the user's hooks are kept is a test of `loophound install`",
  swarm: 'the hook knows one session',
  outcome: 'the host cannot be stopped: what it is told is a refusal',
  chant: 'a hook cannot cut text off',
  example: 'there is no code to write',
}

/** Returns all hosts, or those whose names begin with one of the words, which commas separate. */
export function selectHosts(words) {
  const wanted = words.split(',').filter(Boolean)
  return HOSTS.filter((host) => !words || wanted.some((word) => host.startsWith(word)))
}

/**
 * Runs the checks of hosts.
 *
 * @returns {Promise<Map<string, { id: string, ok: boolean, note?: string, error?: string }[]>>}
 */
export async function checkHosts(hosts) {
  const folder = mkdtempSync(path.join(tmpdir(), 'loophound-hooks-'))
  const report = path.join(folder, 'report.json')
  const files = FILES.map((name) => `tests/cli/${name}.test.ts`)
  const only = ['--testNamePattern', `^(${hosts.join('|')}) `]
  const reporter = ['--reporter', 'json', '--outputFile', report]
  const ended = await capture('vitest', ['run', ...files, ...only, ...reporter])
  try {
    const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
    const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
    return new Map(hosts.map((host) => [host, outcomesOf(host, tests)]))
  } catch (error) {
    throw new Failure(`The hooks' checks did not run: ${error.message}`, ended?.output ?? '')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function outcomesOf(host, tests) {
  const own = tests.filter(
    ({ ancestorTitles, status }) =>
      ancestorTitles[0] === host && ['passed', 'failed'].includes(status),
  )
  const outcomes = own.map(({ title, status, failureMessages }) => ({
    id: /^(\w+): /.exec(title)?.[1] ?? title,
    ok: status === 'passed',
    error: failureMessages.join('\n'),
  }))
  const lacking = Object.entries(LACKS).filter(([id]) => !outcomes.some((known) => known.id === id))
  return [...outcomes, ...lacking.map(([id, note]) => ({ id, ok: true, note }))]
}
