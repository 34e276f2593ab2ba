/** "Running", "waiting" and "pending" inside ordinary output. */

import {
  claude,
  codex,
  each,
  edit,
  type Healthy,
  num,
  openhands,
  read,
  type Stuck,
  secs,
  shell,
  times,
  use,
  useId,
} from './build.js'

export const healthy: Healthy[] = [
  {
    title: 'Test fixes: the runner says "Running" and another test fails each time',
    events: times(9, (i) => [
      ...edit(`/app/pkg/rule${i}.go`, `limit := ${i}`, `limit := ${i * 2 + 1}`),
      ...claude(
        'make test',
        `Running 24 tests...\n--- FAIL: TestRule${i + 1} (0.0${num(i, 1, 9)}s)\n    rule_test.go:${30 + i * 11}: pending queue: want ${i + 3}, got ${i}\nFAIL`,
        2,
      ),
    ]),
  },
  {
    title: 'Reads services that are written about as running or waiting',
    events: each(['scheduler', 'runner', 'waiter', 'poller', 'pending', 'queue'], (name) =>
      read(
        `/app/src/${name}.ts`,
        `1\t// ${name}: while a job is running, others are waiting in state "pending".\n2\texport const ${name} = create('${name}')`,
      ),
    ),
  },
  {
    title: 'Applies pending migrations one after the other',
    events: times(10, (i) =>
      shell(
        `bin/rails db:migrate VERSION=2026101200${10 + i}`,
        `== 2026101200${10 + i} AddColumn${i}: migrating ====\n-- add_column(:orders, :c${i}, :string)\n   -> 0.00${num(i, 10, 99)}s\n${9 - i} migrations pending`,
      ),
    ),
  },
  {
    title: 'Works through pull requests that are waiting for review',
    events: times(8, (i) => [
      ...use(
        'get_pull_request',
        { number: 310 + i },
        { number: 310 + i, state: 'open', status: 'pending', title: `Waiting for review ${i}` },
        true,
      ),
      ...use(
        'add_review',
        { number: 310 + i, event: 'COMMENT' },
        { submitted: true, pending_checks: num(i, 0, 4) },
        true,
      ),
    ]),
  },
]

export const stuck: Stuck[] = [
  {
    title: '"Running tests… FAILED" with the same failure every time',
    events: times(20, (i) =>
      openhands(
        './run_tests.sh',
        `Running tests...\nwaiting for workers... ready in ${secs(i)}s\ntest_totals ... FAILED\nAssertionError: 30 != 33\nFAILED (failures=1)`,
        1,
      ),
    ),
    alarmBy: 5,
  },
  {
    title: 'Starts a server whose port is taken; it says that another one is running',
    events: times(20, (i) =>
      claude(
        'npm run dev',
        `> vite\n\nWaiting for file changes...\nError: Port 5173 is already in use by a running process (pid ${num(i, 4000, 9000)})`,
        1,
      ),
    ),
    alarmBy: 5,
  },
  {
    title: 'A migration fails because one is pending, the same each time',
    events: times(20, () =>
      codex(
        'alembic revision --autogenerate -m "add index"',
        'INFO  [alembic.runtime.migration] Running upgrade\nERROR [alembic.util.messaging] Target database is not up to date: 1 migration pending.',
        255,
      ),
    ),
    alarmBy: 5,
  },
  {
    title: 'Reads one configuration over and over that has the word "running" in it',
    events: times(20, () =>
      useId(
        'get_config',
        { key: 'runner.mode' },
        'mode: running-on-demand; queue: waiting-list',
        true,
      ),
    ),
    alarmBy: 8,
  },
]
