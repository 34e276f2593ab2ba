/** Long rounds and wide turns. */

import {
  badEdit,
  batch,
  claude,
  codex,
  type Event,
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

const FILES = Array.from(
  { length: 18 },
  (_, i) => `/erp/mod${i}/${['model', 'view', 'job'][i % 3]}.py`,
)

/** A round of 2 × `size` calls: reads and failing checks, all of them different. */
const staleRound = (size: number): Event[] =>
  times(size, (i) => [
    ...useId(
      'read_file',
      { path: `erp/part${i}.sql` },
      `CREATE TABLE part${i} (id int, ref${i} int);`,
      true,
    ),
    ...useId(
      'run_check',
      { name: `fk_part${i}` },
      `check fk_part${i}: violated by table part${(i * 7) % size}`,
      false,
    ),
  ])

export const healthy: Healthy[] = [
  {
    title: 'Three reviews of the same eighteen files; each finds something else and mends it',
    events: times(3, (round) =>
      each(FILES, (file, i) => [
        ...read(file, `1\t# revision ${round}\n2\tlimit = ${num(`${round}${i}`, 1, 5000)}`),
        ...edit(
          file,
          `limit = ${num(`${round}${i}`, 1, 5000)}`,
          `limit = ${num(`${round + 1}${i}`, 1, 5000)}`,
        ),
      ]),
    ),
  },
  {
    title: 'A nightly job of thirty steps, four nights; the figures are new each night',
    events: times(4, (night) =>
      times(30, (step) =>
        use(
          'run_step',
          { step: `s${step}` },
          { rows: num(`${night}.${step}`, 1000, 90000), night },
          true,
        ),
      ),
    ),
  },
  {
    title: 'Forty different reads in one turn, three times for other folders',
    events: times(3, (round) =>
      batch(
        ...Array.from({ length: 40 }, (_, i) =>
          useId(
            'Read',
            { file_path: `/erp/area${round}/f${i}.py` },
            `1\tvalue = "${hex(`${round}${i}`, 9)}"`,
            true,
          ),
        ),
      ),
    ),
  },
  {
    title: 'Samples one prompt six times in one turn, on purpose',
    events: times(4, (round) =>
      batch(
        ...Array.from({ length: 6 }, (_, i) =>
          use(
            'sample_model',
            { prompt: `Slogan for product ${round}` },
            `${hex(`${round}s${i}`, 12)} – fresh every day`,
            true,
          ),
        ),
      ),
    ),
  },
]

export const stuck: Stuck[] = [
  {
    title: 'A round of 26 calls comes back unchanged, over and over',
    events: times(6, () => staleRound(13)),
    alarmBy: 79,
  },
  {
    title: 'A round of 40 calls comes back unchanged',
    events: times(5, () => staleRound(20)),
    alarmBy: 121,
  },
  {
    title: 'A round of 60 calls comes back unchanged',
    events: times(5, () => staleRound(30)),
    alarmBy: 181,
  },
  {
    title: 'Two hundred identical calls inside one response',
    events: batch(
      ...Array.from({ length: 200 }, () => use('find_tools', { query: 'calendar' }, '[]', true)),
    ),
    alarmBy: 200,
  },
  {
    title: 'One response with 66 rounds of the same three calls',
    events: batch(
      ...Array.from({ length: 66 }, (_, i) => [
        ...useId('Grep', { pattern: 'TODO', path: '/erp' }, 'No matches found', true),
        ...badEdit('/erp/a.py', 'x = 1', 'x = 2'),
        ...claude('python -m erp.check', `check failed: x must be 2 (${secs(i)}s)`, 1),
      ]),
    ),
    alarmBy: 198,
  },
  {
    title: 'Twelve equal writes in every turn',
    events: times(5, () =>
      batch(...Array.from({ length: 12 }, () => codex('echo ok > done.txt', ''))),
    ),
    alarmBy: 36,
  },
]
