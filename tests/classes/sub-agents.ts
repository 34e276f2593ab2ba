/** Several agents in one detector, and a loop that is interrupted by new calls. */

import {
  badEdit,
  batch,
  claude,
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

const SHARED = ['README.md', 'config.yml', 'schema.sql', 'Makefile']

/** Three reads of files that were never read before. */
const newReads = (round: number) =>
  times(3, (i) =>
    use(
      'read_file',
      { path: `lib/u${round}_${i}.rb` },
      `value = "${hex(`${round}/${i}`, 12)}"`,
      true,
    ),
  )

export const healthy: Healthy[] = [
  {
    title: 'Two agents read the same files and then edit their own parts, interleaved',
    events: [
      ...each(SHARED, (file, i) => [
        ...read(`/w/${file}`, `1\t${hex(file, 20)} ${i}`),
        ...read(`/w/${file}`, `1\t${hex(file, 20)} ${i}`),
      ]),
      ...times(12, (i) => [
        ...edit(`/w/front/f${i}.vue`, `a${i}`, `b${i}`),
        ...edit(`/w/back/b${i}.py`, `c${i}`, `d${i}`),
      ]),
    ],
  },
  {
    title: 'Three agents run their own tests in turn; each passes again and again between edits',
    events: times(10, (i) => [
      ...edit(`/w/a/x${i}.go`, `${i}`, `${i + 1}`),
      ...claude('go test ./a', `ok  \tacme.test/a\t0.${num(i, 100, 999)}s`),
      ...edit(`/w/b/y${i}.go`, `${i}`, `${i + 2}`),
      ...claude('go test ./b', `ok  \tacme.test/b\t0.${num(`b${i}`, 100, 999)}s`),
      ...edit(`/w/c/z${i}.go`, `${i}`, `${i + 3}`),
      ...claude('go test ./c', `ok  \tacme.test/c\t0.${num(`c${i}`, 100, 999)}s`),
    ]),
  },
  {
    title: 'A lead starts four researchers with one brief each, and reads the brief again for each',
    events: times(4, (i) => [
      ...useId('Read', { file_path: '/w/BRIEF.md' }, '1\tCompare four vendors.', true),
      ...useId(
        'Task',
        {
          description: `Vendor ${i}`,
          prompt: `Research vendor ${i}`,
          subagent_type: 'general-purpose',
        },
        `Vendor ${i} charges ${num(i, 10, 99)} € a seat.`,
        true,
      ),
    ]),
  },
  {
    title: 'Four workers take jobs from one queue and report done, all in one session',
    events: times(10, (i) =>
      batch(
        ...[0, 1, 2, 3].map((worker) =>
          use(
            'take_job',
            { worker },
            { job: `j-${i * 4 + worker}`, file: `in/${hex(`${i}${worker}`, 6)}.pdf` },
            true,
          ),
        ),
      ),
    ),
  },
]

export const stuck: Stuck[] = [
  {
    title: 'One failing call two hundred times, with three new reads after each',
    events: times(200, (i) => [
      ...use(
        'run_command',
        { command: 'bin/release' },
        `release: tag v3.0.0 already exists (${secs(i)}s)`,
        false,
      ),
      ...newReads(i),
    ]),
    alarmBy: 29,
    nudges: 8,
    blockBy: 400,
  },
  {
    title: 'One failing edit a hundred times, with three new reads after each',
    events: times(100, (i) => [
      ...badEdit('/w/schema.sql', 'id serial', 'id bigserial'),
      ...newReads(i),
    ]),
    alarmBy: 25,
    nudges: 8,
    blockBy: 200,
  },
  {
    title: 'One agent works, the other repeats a failing command beside it',
    events: times(40, (i) => [
      ...edit(`/w/front/n${i}.vue`, `a${i}`, `b${i}`),
      ...codex(
        'npx prisma generate',
        'Error: Prisma schema validation - Error code: P1012\nerror: Environment variable not found: DATABASE_URL.',
        1,
      ),
    ]),
    alarmBy: 16,
    atMost: 'nudge',
    nudges: 8,
  },
  {
    title: 'Two agents in one turn; one reads new files, the other repeats a failing query',
    events: times(30, (i) =>
      batch(
        use(
          'query',
          { sql: 'select totl from orders' },
          'ERROR:  column "totl" does not exist\nLINE 1: select totl from orders',
          false,
        ),
        use('read_file', { path: `r/${i}.md` }, hex(i, 30), true),
      ),
    ),
    alarmBy: 16,
    nudges: 8,
  },
]
