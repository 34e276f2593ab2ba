/** Edit and test: failures that change, or one failure that never does. */

import {
  claude,
  codex,
  copilot,
  edit,
  type Healthy,
  num,
  openhands,
  type Stuck,
  secs,
  times,
  use,
  useId,
} from './build.js'

export const healthy: Healthy[] = [
  {
    title: 'Red to green: another assertion fails after each edit',
    events: times(12, (i) => [
      ...edit('/lib/src/date.ts', `step${i}`, `step${i + 1}`),
      ...claude(
        'npx jest date',
        `FAIL src/date.test.ts\n  ● parses form ${i}\n    Expected: "${2000 + num(i, 0, 99)}"\n    Received: "NaN"\nTests: ${12 - i} failed, ${30 + i} passed, 42 total\nTime: ${secs(i)} s`,
        1,
      ),
    ]),
  },
  {
    title: 'The same test fails with other values while a formula is tuned',
    events: times(8, (i) => [
      ...use('edit_file', { path: 'fit.R', old: `k <- ${i}`, new: `k <- ${i + 1}` }, 'ok', true),
      ...use(
        'bash',
        { command: 'Rscript test_fit.R' },
        `Error: rmse ${(3.2 / (i + 1)).toFixed(3)} is above 0.300\nExecution halted`,
        false,
      ),
    ]),
  },
  {
    title: 'Compiler errors move through the file as they are mended',
    events: times(10, (i) => [
      ...useId(
        'apply_patch',
        {
          input: `*** Begin Patch\n*** Update File: src/lex.zig\n-old ${i}\n+new ${i}\n*** End Patch`,
        },
        'Success. Updated the following files:\nM src/lex.zig\n',
        true,
      ),
      ...codex(
        'zig build',
        `src/lex.zig:${20 + i * 17}:9: error: ${["expected type 'u8'", 'use of undeclared identifier', 'unused local constant'][i % 3]} '${'abcdefghij'[i]}'\nerror: 1 compilation errors`,
        1,
      ),
    ]),
  },
  {
    title: 'One failure stays for four edits, then it is mended',
    events: [
      ...times(4, (i) => [
        ...edit('/lib/src/tz.ts', `try${i}`, `try${i + 1}`),
        ...claude(
          'npx jest tz',
          `  ● DST\n    Expected: 2\n    Received: 1\nTests: 1 failed, 9 passed, 10 total\nTime: ${secs(i)} s`,
          1,
        ),
      ]),
      ...edit('/lib/src/tz.ts', 'try4', 'use Temporal'),
      ...claude('npx jest tz', `Tests: 10 passed, 10 total\nTime: ${secs(9)} s`),
    ],
  },
]

export const stuck: Stuck[] = [
  {
    title: 'Ever other edits, and exactly the same failing test',
    events: times(25, (i) => [
      ...edit('/lib/src/money.ts', `variant ${i}`, `variant ${i + 1}`),
      ...copilot(
        'npm test -- money',
        `● Money › rounds half up\n    expect(received).toBe(expected)\n    Expected: 1.01\n    Received: 1\nTests: 1 failed, 6 passed, 7 total\nTime: ${secs(i)} s`,
        1,
      ),
    ]),
    alarmBy: 16,
    atMost: 'nudge',
  },
  {
    title: 'Rewrites a query file, and the check says the same each time',
    events: times(25, (i) => [
      ...use(
        'write_file',
        {
          path: 'report.sql',
          content: `-- version ${i}\nselect ${'abcdefghijklmnopqrstuvwxyz'[i]} from t${i}`,
        },
        'Wrote report.sql',
        true,
      ),
      ...openhands(
        'dbt test --select report',
        `Failure in test not_null_report_total\n  Got 41 results, configured to fail if != 0\nDone. PASS=3 WARN=0 ERROR=1 (${secs(i)}s)`,
        1,
      ),
    ]),
    alarmBy: 16,
    atMost: 'nudge',
  },
  {
    title: 'Edits two files in turn while one and the same link error stays',
    events: times(25, (i) => [
      ...edit(i % 2 ? '/lib/a.cpp' : '/lib/a.hpp', `tweak ${i}`, `tweak ${i + 1}`),
      ...codex(
        'cmake --build build',
        "/usr/bin/ld: main.o: in function `main': undefined reference to `Grid::resize(int)'\ncollect2: error: ld returned 1 exit status",
        2,
      ),
    ]),
    alarmBy: 16,
    atMost: 'nudge',
  },
  {
    title: 'Edits the style sheet in many ways; the visual check reports the same difference',
    events: times(25, (i) => [
      ...use(
        'edit_file',
        { path: 'site.css', old: `margin: ${i}px`, new: `margin: ${i + 1}px` },
        'ok',
        true,
      ),
      ...use('visual_diff', { page: '/pricing' }, 'FAIL: header overlaps the price table', false),
    ]),
    alarmBy: 18,
    atMost: 'nudge',
  },
]
