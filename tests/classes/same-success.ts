/** Commands that succeed with the same output: checks between work, or nothing but checks. */

import {
  claude,
  codex,
  copilot,
  edit,
  gemini,
  type Healthy,
  hex,
  read,
  type Stuck,
  secs,
  times,
  use,
} from './build.js'

export const healthy: Healthy[] = [
  {
    title: 'Runs the passing tests after each of twenty edits',
    events: times(20, (i) => [
      ...edit(`/kit/src/c${i}.swift`, `a${i}`, `b${i}`),
      ...claude(
        'swift test',
        `Executed 88 tests, with 0 failures (0 unexpected) in ${secs(i)} (${secs(`x${i}`)}) seconds`,
      ),
    ]),
  },
  {
    title: 'git status between steps of work; the tree is clean each time',
    events: times(10, (i) => [
      ...codex(`git cherry-pick ${hex(i, 7)}`, `[release ${hex(`n${i}`, 7)}] Fix ${i}`),
      ...codex('git status --short', ''),
    ]),
  },
  {
    title: 'The linter is content after every file that is written',
    events: times(15, (i) => [
      ...use(
        'write_file',
        { path: `docs/p${i}.md`, content: `# Page ${i}\n${hex(i, 40)}` },
        'Wrote file.',
        true,
      ),
      ...use('lint', {}, 'No problems.', true),
    ]),
  },
  {
    title: 'Validates a template after each of several changes by command',
    events: times(9, (i) => [
      ...gemini(`yq -i '.resources.r${i}.size = ${i + 2}' stack.yaml`, ''),
      ...gemini('cfn-lint stack.yaml', ''),
      ...read('/kit/stack.yaml', `1\tr${i}:\n2\t  size: ${i + 2}`),
    ]),
  },
]

export const stuck: Stuck[] = [
  {
    title:
      'Runs a passing test suite over and over, with nothing in between; byte for byte the same',
    events: times(30, () => claude('./gradlew check --quiet', 'All 61 checks passed.')),
    alarmBy: 12,
    atMost: 'block',
  },
  {
    title: 'A passing build over and over, with other timings',
    events: times(30, (i) =>
      copilot(
        'npm run build',
        `vite v6.2.0 building for production...\n✓ 214 modules transformed.\n✓ built in ${secs(i)}s`,
      ),
    ),
    alarmBy: 25,
    atMost: 'nudge',
  },
  {
    title: 'git status and git diff in turn, with the same output for ever',
    events: times(20, () => [
      ...codex('git status --short', ' M src/a.ts'),
      ...codex('git diff --stat', ' src/a.ts | 2 +-\n 1 file changed'),
    ]),
    alarmBy: 12,
  },
  {
    title: 'Confirms the finished work with one and the same check, endlessly',
    events: times(30, () =>
      use('validate_form', { form: 'tax-2025' }, { valid: true, warnings: [] }, true),
    ),
    alarmBy: 12,
  },
]
