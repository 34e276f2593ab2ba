/** The context was compacted: what was known has to be read again, a loop stays a loop. */

import {
  badEdit,
  claude,
  codex,
  compacted,
  each,
  edit,
  type Healthy,
  num,
  read,
  type Stuck,
  secs,
  times,
  use,
} from './build.js'

const FILES = [
  'api/router.ex',
  'api/auth.ex',
  'api/plan.ex',
  'core/repo.ex',
  'core/bus.ex',
  'mix.exs',
]
const readAll = () =>
  each(FILES, (file, i) =>
    read(`/saas/${file}`, `1\tdefmodule M${i} do\n2\t  @limit ${num(file, 1, 900)}\n3\tend`),
  )

export const healthy: Healthy[] = [
  {
    title: 'Reads everything again after a compaction, works, and does so three times',
    events: times(4, (round) => [
      ...(round > 0 ? compacted() : []),
      ...readAll(),
      ...edit(`/saas/api/feature${round}.ex`, 'TODO', `done ${round}`),
      ...claude(
        `mix test test/feature${round}_test.exs`,
        `${round + 3} tests, 0 failures\nFinished in ${secs(round)} seconds`,
      ),
    ]),
  },
  {
    title: 'Looks at status, log and plan again after each compaction',
    events: times(3, (round) => [
      ...compacted(),
      ...claude('git status --short', ' M lib/bus.ex'),
      ...claude('git log --oneline -3', '8812aa Add bus\n71bc00 Add repo\n0012fe Start'),
      ...read('/saas/PLAN.md', '1\t- [x] repo\n2\t- [ ] bus\n3\t- [ ] auth'),
      ...edit(`/saas/lib/step${round}.ex`, 'a', 'b'),
    ]),
  },
  {
    title: 'Reads two long documents again after a compaction and goes on writing',
    events: times(3, (round) => [
      ...use(
        'read_document',
        { id: 'spec' },
        'The invoice must carry a number, a date and the tax id.',
        true,
      ),
      ...use('read_document', { id: 'glossary' }, 'Dunning: asking a debtor for payment.', true),
      ...use(
        'write_section',
        {
          number: round + 1,
          text: `Section ${round + 1} about ${['numbers', 'dates', 'tax'][round]}`,
        },
        'Saved.',
        true,
      ),
      ...(round < 2 ? compacted() : []),
    ]),
  },
  {
    title: 'Asks a board and a calendar again after each compaction, between pieces of work',
    events: times(4, (round) => [
      ...use('get_board', { id: 'Q4' }, { todo: 9, doing: 2 }, true),
      ...use('get_calendar', { week: 46 }, ['Mon 10:00 Review'], true),
      ...use('write_minutes', { topic: `Topic ${round}` }, `minutes-${round}.md written`, true),
      ...compacted(),
    ]),
  },
]

export const stuck: Stuck[] = [
  {
    title: 'The same failing command goes on across eight compactions',
    events: times(8, (round) => [
      ...(round > 0 ? compacted() : []),
      ...times(4, (i) =>
        codex(
          'mix deps.get',
          `** (Mix) Hex dependency resolution failed for "plug" (${secs(round * 4 + i)}s)`,
          1,
        ),
      ),
    ]),
    alarmBy: 6,
  },
  {
    title: 'Two failing calls before each compaction, never three in a row',
    events: times(12, (round) => [
      ...(round > 0 ? compacted() : []),
      ...times(2, () => badEdit('/saas/mix.exs', '{:plug, "1.0"}', '{:plug, "2.0"}')),
    ]),
    alarmBy: 10,
  },
  {
    title: 'After a compaction the same six files are read five times over',
    events: [...readAll(), ...compacted(), ...times(5, () => readAll())],
    alarmBy: 30,
  },
  {
    title: 'A round of three calls goes on unchanged before and after a compaction',
    events: times(3, (part) => [
      ...(part > 0 ? compacted() : []),
      ...times(5, () => [
        ...use('get_invoice', { id: 77 }, { id: 77, state: 'draft' }, true),
        ...use('post_invoice', { id: 77 }, 'Error: period 2026-09 is closed', false),
        ...use('get_period', { id: '2026-09' }, { state: 'closed' }, true),
      ]),
    ]),
    alarmBy: 12,
  },
]
