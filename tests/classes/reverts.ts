/** Taking an edit back once, or comparing two variants; against edits that undo each other. */

import {
  claude,
  code,
  codex,
  each,
  edit,
  type Healthy,
  hex,
  num,
  read,
  type Stuck,
  secs,
  times,
  use,
  useId,
} from './build.js'

const FILE = '/srv/app/cache.py'

export const healthy: Healthy[] = [
  {
    title: 'Tries an edit, sees that it does not help, and takes it back',
    events: [
      ...read(FILE, code('cache', 12)),
      ...edit(FILE, 'TTL = 60', 'TTL = 5'),
      ...claude(
        'pytest -q tests/test_cache.py',
        `FAILED tests/test_cache.py::test_stale\n1 failed, 8 passed in ${secs(1)}s`,
        1,
      ),
      ...edit(FILE, 'TTL = 5', 'TTL = 60'),
      ...read('/srv/app/clock.py', '1\tdef now():\n2\t    return time.time()'),
      ...edit('/srv/app/clock.py', 'time.time()', 'time.monotonic()'),
      ...claude('pytest -q tests/test_cache.py', `9 passed in ${secs(2)}s`),
    ],
  },
  {
    title: 'Compares two allocators: switches, measures, and switches back',
    events: [
      ...each(['mimalloc', 'system'], (name, i) => [
        ...edit(
          '/srv/app/Cargo.toml',
          `default = ["${['system', 'mimalloc'][i]}"]`,
          `default = ["${name}"]`,
        ),
        ...claude(
          'cargo bench --bench ingest',
          `ingest                  time:   [${secs(name, 10, 20)} ms ${secs(`${name}b`, 20, 25)} ms ${secs(`${name}c`, 25, 30)} ms]`,
        ),
      ]),
      ...edit('/srv/app/Cargo.toml', 'default = ["system"]', 'default = ["mimalloc"]'),
    ],
  },
  {
    title: 'git bisect: the same check on eleven commits',
    events: times(11, (i) => {
      const good = num(i, 0, 2) === 1
      return [
        ...codex(
          'cmake --build build && ./build/repro',
          good ? 'ok' : 'repro: checksum mismatch',
          good ? 0 : 1,
        ),
        ...codex(
          `git bisect ${good ? 'good' : 'bad'}`,
          `Bisecting: ${1024 >> i} revisions left to test after this (roughly ${10 - i} steps)\n[${hex(i, 40)}] ${['Inline the queue', 'Drop the mutex', 'Batch the writes'][i % 3]}`,
        ),
      ]
    }),
  },
  {
    title: 'Mutation testing by hand: breaks a line, sees the test fail, mends it, six lines',
    events: each(['<', '<=', '+', '-', '&&', '||'], (operator, i) => [
      ...edit('/srv/app/fee.go', `a ${operator} b // ${i}`, `b ${operator} a // ${i}`),
      ...claude(
        'go test ./fee',
        `--- FAIL: TestFee${i} (0.00s)\nFAIL\tacme.test/fee\t0.0${num(i, 10, 99)}s`,
        1,
      ),
      ...edit('/srv/app/fee.go', `b ${operator} a // ${i}`, `a ${operator} b // ${i}`),
    ]),
  },
]

export const stuck: Stuck[] = [
  {
    title: 'Two edits that undo each other, over and over',
    events: times(12, () => [
      ...edit(FILE, 'strict = True', 'strict = False'),
      ...edit(FILE, 'strict = False', 'strict = True'),
    ]),
    alarmBy: 6,
  },
  {
    title: 'Adds and removes an import, with a linter run after each that complains in turn',
    events: times(10, () => [
      ...edit('/srv/app/main.ts', "import { db } from './db'", ''),
      ...claude(
        'npx eslint main.ts',
        "main.ts\n  14:3  error  'db' is not defined  no-undef\n✖ 1 problem",
        1,
      ),
      ...edit('/srv/app/main.ts', '', "import { db } from './db'"),
      ...claude(
        'npx eslint main.ts',
        "main.ts\n  1:10  error  'db' is defined but never used  no-unused-vars\n✖ 1 problem",
        1,
      ),
    ]),
    alarmBy: 13,
  },
  {
    title: 'Changes a setting by whole-file writes back and forth',
    events: times(12, (i) =>
      use(
        'write_file',
        {
          path: 'nginx.conf',
          content: `worker_processes ${i % 2 ? 4 : 1};\nkeepalive_timeout 65;\n`,
        },
        'File written successfully.',
      ),
    ),
    alarmBy: 8,
  },
  {
    title: 'git stash and git stash pop, again and again',
    events: times(12, () => [
      ...useId(
        'Bash',
        { command: 'git stash' },
        'Saved working directory and index state WIP on main: 88c1f02 Add retry',
        true,
      ),
      ...useId(
        'Bash',
        { command: 'git stash pop' },
        'On branch main\nChanges not staged for commit:\n\tmodified:   retry.go\nDropped refs/stash@{0}',
        true,
      ),
    ]),
    alarmBy: 12,
  },
]
