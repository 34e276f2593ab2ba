/** One word that changes inside a command: a throwaway, or the real target. */

import {
  claude,
  codex,
  each,
  type Healthy,
  num,
  opencode,
  type Stuck,
  secs,
  shell,
  times,
  use,
  useId,
} from './build.js'

export const healthy: Healthy[] = [
  {
    title: 'The changing word is the test that is run alone',
    events: each(
      [
        'login',
        'logout',
        'refresh',
        'revoke',
        'expire',
        'rotate',
        'lockout',
        'mfa',
        'sso',
        'audit',
      ],
      (name, i) =>
        claude(`pytest -q -k test_${name}`, `.\n1 passed, 41 deselected in ${secs(i, 0, 2)}s`),
    ),
  },
  {
    title: 'The changing word is the user whose mailbox is checked',
    events: each(
      ['ana', 'bo', 'cy', 'dora', 'emil', 'fay', 'gus', 'hal', 'ida', 'jon', 'kim'],
      (name) => codex(`doveadm quota get -u ${name}@mail.test`, 'STORAGE  0  1048576  0'),
    ),
  },
  {
    title: 'The changing number is the row that is deleted',
    events: times(15, (i) =>
      use('sql', { query: `DELETE FROM coupons WHERE id = ${900 + i}` }, 'DELETE 1', true),
    ),
  },
  {
    title: 'The changing word is the tag that is looked at; each lacks the file',
    events: times(12, (i) =>
      opencode(
        `git show v1.${i}.0:SECURITY.md`,
        `fatal: path 'SECURITY.md' does not exist in 'v1.${i}.0'`,
      ),
    ),
  },
]

export const stuck: Stuck[] = [
  {
    title: 'A new seed for a test run that cannot even begin',
    events: times(12, (i) =>
      claude(
        `pytest -q -p random_order --random-order-seed=${num(i, 10000, 99999)}`,
        `Using --random-order-seed=${num(i, 10000, 99999)}\nERROR collecting tests/test_mail.py\nImportError while importing test module 'tests/test_mail.py'\nE   ImportError: cannot import name 'Mailer' from 'app.mail'\n1 error in ${secs(i, 0, 2)}s`,
        2,
      ),
    ),
    alarmBy: 11,
  },
  {
    title: 'echo "attempt N" in front of one failing build',
    events: times(20, (i) =>
      claude(
        `echo "attempt ${i + 1}" && make firmware`,
        `attempt ${i + 1}\narm-none-eabi-gcc: error: nosys.specs: No such file or directory\nmake: *** [Makefile:31: firmware] Error 1`,
        2,
      ),
    ),
    alarmBy: 8,
  },
  {
    title: 'A comment that changes behind one failing command',
    events: each(
      [
        'try again',
        'once more',
        'now',
        'maybe',
        'fixed?',
        'retry',
        'should work',
        'last time',
        'hm',
        'again',
        'and again',
        'please',
      ],
      (note) =>
        codex(
          `docker build -t app . # ${note}`,
          'ERROR: failed to solve: failed to compute cache key: "/requirements.txt": not found',
          1,
        ),
    ),
    alarmBy: 8,
  },
  {
    title: 'A description that changes beside the same failing command',
    events: times(15, (i) =>
      useId(
        'Bash',
        { command: 'bundle exec rake db:seed', description: `Seed the database, variant ${i}` },
        'Exit code 1\nrake aborted!\nNameError: uninitialized constant Plan',
        false,
      ),
    ),
    alarmBy: 5,
  },
  {
    title: 'A throwaway variable in front of one failing script, neither flag nor exit code',
    events: times(15, (i) =>
      shell(
        `RUN=${i + 1} ./scripts/e2e.sh`,
        `Error: browserType.launch: Executable doesn't exist at /ms-playwright/chromium-1187/chrome-linux/chrome`,
      ),
    ),
    alarmBy: 7,
  },
]
