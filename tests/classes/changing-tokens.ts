/** Tokens that change in the output of one call: noise where it fails, progress where it works. */

import {
  chars,
  claude,
  codex,
  copilot,
  gemini,
  type Healthy,
  hex,
  num,
  type Stuck,
  secs,
  shell,
  shuffled,
  stamp,
  times,
  token,
  use,
  useId,
  uuid,
} from './build.js'

const fail = (make: (i: number) => string) =>
  times(20, (i) => use('run_command', { command: './deploy.sh staging' }, make(i), false))

/** Lines of a build log, each with a time in front. */
const log = (i: number, lines: number) =>
  Array.from(
    { length: lines },
    (_, line) =>
      `${stamp(i * 900 + line, 1)} [pool-${num(i, 1, 9)}-thread-${num(`${i}${line}`, 1, 32)}] copied part ${line}`,
  ).join('\n')

export const healthy: Healthy[] = [
  {
    title: 'A queue that is being emptied: its length falls',
    events: times(20, (i) =>
      use('queue_stats', { queue: 'emails' }, { waiting: 4000 - i * 190, failed: 0 }, true),
    ),
  },
  {
    title: 'Imports a table in portions; the offset rises',
    events: times(25, (i) =>
      shell(
        'python import.py --resume',
        `resumed at row ${i * 20000}\n20000 rows imported, next offset ${(i + 1) * 20000}`,
      ),
    ),
  },
  {
    title: 'Releases a package again and again from a script that raises the version',
    events: times(9, (i) =>
      claude('npm run release:next', `v2.7.${i + 1}\n+ @acme/forms@2.7.${i + 1}`),
    ),
  },
  {
    title: 'Reads a long answer page by page with the same call',
    events: times(9, (i) =>
      useId('read_more', {}, `page ${i + 1} of 9\n${hex(`page${i}`, 60)}`, true),
    ),
  },
  {
    title: 'Fixes compiler errors; the number of errors falls and the first line moves',
    events: times(14, (i) => [
      ...useId('edit_file', { path: `src/f${i}.cs`, old: `x${i}`, new: `y${i}` }, 'Edited.', true),
      ...useId(
        'run',
        { cmd: 'dotnet build --nologo' },
        `src/f${i + 1}.cs(${num(i, 9, 300)},5): error CS0246: The type or namespace name 'T${i + 1}' could not be found\n    ${28 - i * 2} Error(s)`,
        false,
      ),
    ]),
  },
]

export const stuck: Stuck[] = [
  {
    title: 'Codex: a failing command with another chunk id and wall time each time',
    events: times(20, () =>
      codex(
        'terraform plan',
        'Error: Reference to undeclared resource\n\n  on main.tf line 14, in resource "aws_lb" "front":\n  14:   subnets = aws_subnet.public[*].id',
        1,
      ),
    ),
    alarmBy: 5,
  },
  {
    title: 'Gemini CLI: a failing command with another process group each time, no flag',
    events: times(20, () =>
      gemini(
        'make docs',
        'sphinx-build: error: cannot find source directory (/repo/docs/source)\nmake: *** [Makefile:12: docs] Error 2',
        2,
      ),
    ),
    alarmBy: 5,
  },
  {
    title: 'Request ids, a host and a thread name change in one failing call',
    events: fail(
      (i) =>
        `[ip-10-0-${num(i, 1, 250)}-${num(`h${i}`, 1, 250)}] [nio-8443-exec-${num(`t${i}`, 1, 90)}] ERROR deploy rejected: image signature missing (request ${token(i)})`,
    ),
    alarmBy: 5,
  },
  {
    title: 'A log path with a date and a uuid in a URL change',
    events: fail(
      (i) =>
        `deploy failed: exit status 4\nfull log: /var/log/deploy/2026-10-12/${stamp(i).replace(/[:.]/g, '-')}.log\nsee https://ci.acme.test/runs/${uuid(i)}/artifacts`,
    ),
    alarmBy: 5,
  },
  {
    title: '"Attempt N", "retry N/M" and a sequence number count up',
    events: times(20, (i) =>
      useId(
        'publish',
        { topic: 'orders', body: { n: 1 } },
        `{"seq": ${i + 118}, "error": "schema mismatch: field 'n' must be string", "note": "Attempt ${i + 1} failed, retry ${i + 1}/50"}`,
        false,
      ),
    ),
    alarmBy: 5,
  },
  {
    title: 'The test runner prints a seed and ends the files in another order',
    events: times(20, (i) =>
      copilot(
        'npx vitest run --sequence.shuffle',
        `Running tests with seed "${num(i, 1e12, 9e12)}"\n${shuffled(i, [
          'cart',
          'user',
          'tax',
          'mail',
          'auth',
          'feed',
        ])
          .map(
            (name) =>
              ` ✓ test/${name}.test.ts (${num(`${i}${name}`, 2, 9)} tests) ${num(name + i, 3, 90)}ms`,
          )
          .join(
            '\n',
          )}\n ❯ test/price.test.ts (4 tests | 1 failed) ${num(i, 5, 40)}ms\n   × rounds to cents\n     → expected 10.04 to be 10.05\n Test Files  1 failed | 6 passed (7)\n   Duration  ${secs(i)}s`,
        1,
      ),
    ),
    alarmBy: 5,
  },
  {
    title: 'Line numbers in the message grow with every run of the script',
    events: fail((i) => `deploy.sh: line ${40 + i * 3}: KUBECONFIG: unbound variable`),
    alarmBy: 5,
  },
  {
    title: 'A screenshot in base64 comes with the same failure',
    events: times(20, (i) =>
      use(
        'assert_visible',
        { text: 'Order placed' },
        {
          ok: false,
          message: 'Assertion failed: text "Order placed" is not visible',
          screenshot: `data:image/png;base64,iVBORw0KGgo${chars(i, 600, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/')}`,
        },
        false,
      ),
    ),
    alarmBy: 5,
  },
  {
    title: 'Output too large: the wrapper names another file, the failure is the same',
    events: times(20, (i) =>
      claude(
        'yarn test:all',
        `<persisted-output>\nOutput too large (${num(i, 40, 60)}.${num(`k${i}`, 0, 9)}KB). Full output saved to: /home/dev/.claude/projects/app/tool-results/b${hex(i, 8)}.txt\n\nPreview (first 2KB):\nyarn run v1.22.22\n$ jest --ci\nFAIL src/price.test.ts\n  ● rounds to cents\n    Expected: 10.05\n    Received: 10.04\n...\n</persisted-output>`,
        1,
      ),
    ),
    alarmBy: 5,
  },
  {
    title: 'Twenty kilobytes of log with times and threads around one error in the middle',
    events: times(15, (i) =>
      use(
        'run_command',
        { command: './mirror.sh' },
        `${log(i, 140)}\nrsync error: some files could not be transferred (code 23)\n${log(i + 50, 140)}`,
        false,
      ),
    ),
    alarmBy: 6,
  },
  {
    title: 'The changing id stands on the line that says what was expected',
    events: times(20, (i) =>
      shell(
        './verify-release.sh',
        `FAIL: checksum does not match\nexpected ${hex(`e${i}`, 40)} but got ${hex(`g${i}`, 40)}`,
      ),
    ),
    alarmBy: 6,
  },
  {
    title: 'A four-call sign-in round whose last error names another state each time',
    events: times(15, (i) => [
      ...use('open_login', { provider: 'corp' }, 'Login page open.'),
      ...use('submit_form', { user: 'svc', remember: true }, 'Form submitted.'),
      ...use('follow_redirect', {}, `302 → https://app.acme.test/cb?state=${hex(`st${i}`, 16)}`),
      ...use(
        'exchange_code',
        { grant: 'authorization_code' },
        `400 invalid_grant: state mismatch, expected ${hex(`ex${i}`, 16)}`,
        false,
      ),
    ]),
    alarmBy: 24,
  },
]
