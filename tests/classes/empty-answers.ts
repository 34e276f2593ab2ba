/** Exit code 1 without output from grep, rg and diff is an answer, not a failure. */

import {
  claude,
  codex,
  copilot,
  each,
  edit,
  gemini,
  type Healthy,
  openhands,
  type Stuck,
  secs,
  times,
  useId,
  work,
} from './build.js'

export const healthy: Healthy[] = [
  {
    title: 'Checks that no old name is left, for many names',
    events: each(
      [
        'getCwd',
        'getEnvVar',
        'fooBar',
        'LegacyBus',
        'oldHash',
        'tmpDir',
        'xmlrpc',
        'Thrift',
        'qtLoop',
        'rc4',
        'md4',
        'gopher',
      ],
      (name) => claude(`grep -rn "${name}" src/`, '', 1),
    ),
  },
  {
    title: 'Greps the log for errors after every change; there are none',
    events: times(7, (i) => [
      ...edit(`/app/worker/step${i}.rb`, `retry ${i}`, `retry ${i + 1}`),
      ...claude('bin/worker --once > out.log 2>&1; grep ERROR out.log', '', 1),
    ]),
  },
  {
    title: 'Compares generated files with the stored ones; nine are equal',
    events: times(9, (i) => codex(`diff expected/${i}.json actual/${i}.json`, '', 0)),
  },
  {
    title: 'rg with exit code 1 for many patterns, without a flag',
    events: each(
      [
        'eval\\(',
        'innerHTML',
        'document.write',
        'dangerouslySet',
        'child_process',
        'new Function',
        'md5',
        'http://',
      ],
      (pattern) => openhands(`rg -n '${pattern}' web/`, '', 1),
    ),
  },
]

export const stuck: Stuck[] = [
  {
    title: 'The same grep without a match, twenty times in a row',
    events: times(20, () => claude('grep -rn "handleWebhook" src/', '', 1)),
    alarmBy: 6,
  },
  {
    title: 'Runs the same server check and greps its log, with nothing changed in between',
    events: times(20, () => [
      ...copilot('bin/serve --check > check.log 2>&1', ''),
      ...copilot('grep -c READY check.log', '0', 1),
    ]),
    alarmBy: 12,
  },
  {
    title: 'Looks for one file by find, ls and grep in a round; all come back empty',
    events: times(12, () => [
      ...gemini('find . -name "settings.toml"', ''),
      ...gemini('ls config/', ''),
      ...gemini('grep -rl "settings.toml" .', '', 1),
    ]),
    alarmBy: 12,
  },
  {
    title: 'Searches the wiki for one page; the list of results is empty each time',
    events: times(15, (i) =>
      useId(
        'wiki_search',
        { title: 'Incident runbook' },
        { results: [], took_ms: Number(secs(i, 10, 90)) },
        true,
      ),
    ),
    alarmBy: 8,
  },
  {
    title: 'The same search without a match, now and then between other searches for it',
    events: [
      ...work(20),
      ...times(12, (i) => [
        ...useId('Grep', { pattern: 'RetryPolicy', path: '/repo' }, 'No matches found', true),
        ...useId(
          'Grep',
          { pattern: 'RetryPolicy', path: '/repo/src', '-i': i % 2 === 0 },
          'No matches found',
          true,
        ),
      ]),
    ],
    alarmBy: 34,
  },
]
