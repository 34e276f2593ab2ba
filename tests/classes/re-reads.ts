/** Ranges of one file: paged through once, or read over and over. */

import {
  claude,
  code,
  codex,
  each,
  edit,
  type Healthy,
  num,
  read,
  type Stuck,
  times,
  use,
  useId,
} from './build.js'

const BIG = '/repo/src/engine/planner.cpp'

/** Lines `from` to `to` of a file whose content never changes. */
const lines = (from: number, to: number) =>
  code('planner', 900)
    .split('\n')
    .slice(from - 1, to)
    .join('\n')

export const healthy: Healthy[] = [
  {
    title: 'Pages once through a big file, eighty lines at a time',
    events: times(11, (i) =>
      read(BIG, lines(i * 80 + 1, i * 80 + 80), { offset: i * 80 + 1, limit: 80 }),
    ),
  },
  {
    title: 'Prints a log with sed, range after range',
    events: times(14, (i) =>
      codex(`sed -n '${i * 60 + 1},${i * 60 + 60}p' build.log`, lines(i * 60 + 1, i * 60 + 60)),
    ),
  },
  {
    title: 'Reads around each place it edits in one file',
    events: each([40, 122, 310, 377, 501, 640, 702], (line) => [
      ...read(BIG, lines(line - 10, line + 10), { offset: line - 10, limit: 20 }),
      ...edit(BIG, `old at ${line}`, `new at ${line}`),
    ]),
  },
  {
    title: 'Reads a file whole after a summary, then the parts that matter',
    events: [
      ...claude(`wc -l ${BIG}`, `900 ${BIG}`),
      ...read(BIG, lines(1, 900)),
      ...each([100, 420, 655], (line) =>
        read(BIG, lines(line, line + 30), { offset: line, limit: 30 }),
      ),
      ...edit(BIG, 'int depth = 3;', 'int depth = 4;'),
    ],
  },
]

export const stuck: Stuck[] = [
  {
    title: 'The same query to a database, with the same rows',
    events: times(12, () =>
      use(
        'warehouse',
        { sql: 'SELECT region, sum(total) FROM sales GROUP BY region' },
        '[["north", 81], ["south", 12]]',
      ),
    ),
    alarmBy: 4,
  },
  {
    title: 'Reads the start of one file again with a slightly larger limit each time',
    events: times(24, (i) => read(BIG, lines(1, 60 + i * 5), { offset: 1, limit: 60 + i * 5 })),
    alarmBy: 16,
    atMost: 'block',
  },
  {
    title: 'Shifts a window back and forth over the same lines',
    events: times(30, (i) => {
      const from = 200 + (i % 3) * 10
      return useId(
        'view',
        { path: BIG, view_range: [from, from + 40] },
        lines(from, from + 40),
        true,
      )
    }),
    alarmBy: 16,
  },
  {
    title: 'Reads a file whole, then in halves, then whole again, in rounds',
    events: times(8, () => [
      ...use('read_file', { path: 'notes.md' }, lines(1, 40)),
      ...use('read_file', { path: 'notes.md', start: 1, end: 20 }, lines(1, 20)),
      ...use('read_file', { path: 'notes.md', start: 21, end: 40 }, lines(21, 40)),
    ]),
    alarmBy: 12,
  },
  {
    title: 'Prints one function with head and other ranges of sed, for ever',
    events: times(24, (i) => {
      const from = num(i, 100, 108)
      return codex(`sed -n '${from},${from + 30}p' ${BIG}`, lines(from, from + 30))
    }),
    alarmBy: 18,
  },
]
