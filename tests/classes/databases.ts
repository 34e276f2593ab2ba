/** Databases behind tools: statements that are meant to be repeated, and those that are not. */

import { each, type Healthy, num, type Stuck, secs, times, use, uuid } from './build.js'

const sql = (statement: string, output: unknown) =>
  use('mcp__postgres__execute', { sql: statement }, output, true)

export const healthy: Healthy[] = [
  {
    title: 'Fills a column ten thousand rows at a time',
    events: times(30, () =>
      sql(
        'UPDATE orders SET region = c.region FROM customers c WHERE c.id = orders.customer_id AND orders.id IN (SELECT id FROM orders WHERE region IS NULL LIMIT 10000)',
        'UPDATE 10000',
      ),
    ),
  },
  {
    title: 'Deletes old rows in batches, and counts what is left now and then',
    events: times(12, (i) => [
      ...times(3, () =>
        sql(
          "DELETE FROM events WHERE id IN (SELECT id FROM events WHERE at < '2024-01-01' LIMIT 5000)",
          { command: 'DELETE', rowCount: 5000 },
        ),
      ),
      ...sql("SELECT count(*) FROM events WHERE at < '2024-01-01'", [
        { count: `${562_118 - 15_000 * i}` },
      ]),
    ]),
  },
  {
    title: 'Creates the tables of a schema',
    events: each(
      ['users', 'orders', 'items', 'refunds', 'carriers', 'labels', 'stores', 'taxes'],
      (table) => sql(`CREATE TABLE ${table} (id uuid PRIMARY KEY)`, 'CREATE TABLE'),
    ),
  },
]

export const stuck: Stuck[] = [
  {
    title: 'The same query, which returns the same rows',
    events: times(10, () =>
      sql('SELECT name FROM plans WHERE active', [{ name: 'basic' }, { name: 'team' }]),
    ),
    alarmBy: 4,
  },
  {
    title: 'An index is made and dropped again; the plan stays the same, in other times',
    events: times(14, (i) => [
      ...sql('CREATE INDEX events_kind ON events (lower(kind))', 'CREATE INDEX'),
      ...sql(
        "EXPLAIN ANALYZE SELECT * FROM events WHERE kind ILIKE '%fail%'",
        `Seq Scan on events  (cost=0.00..184231.00 rows=412 width=188) (actual time=0.0${num(i, 10, 99)}..${num(`a${i}`, 2000, 2900)}.107 rows=39811 loops=1)\nPlanning Time: 0.${num(`p${i}`, 100, 300)} ms\nExecution Time: ${secs(i, 2000, 2900)} ms`,
      ),
      ...sql('DROP INDEX events_kind', 'DROP INDEX'),
    ]),
    alarmBy: 36,
    atMost: 'nudge',
  },
  {
    title: 'An invoice is looked for in ever other words; the empty answer has a counter in it',
    events: each(
      [
        'subject:invoice vattenfall',
        'from:vattenfall has:attachment',
        'vattenfall invoice',
        'from:vattenfall subject:invoice',
        'vattenfall has:attachment invoice',
        'subject:vattenfall invoice',
        'invoice from:vattenfall',
        'has:attachment subject:invoice vattenfall',
        'vattenfall subject:invoice from:vattenfall',
        'invoice has:attachment vattenfall',
        'from:vattenfall invoice',
        'vattenfall from:vattenfall has:attachment',
      ],
      (query, i) =>
        use(
          'gmail_search',
          { query },
          { messages: [], resultSizeEstimate: 0, historyId: `${5_002_043 + num(i, 1, 9000)}` },
          true,
        ),
    ),
    alarmBy: 12,
    atMost: 'nudge',
  },
  {
    title: 'One message is posted again and again, each time under a new number',
    events: times(14, (i) =>
      use(
        'slack_post_message',
        { channel: 'C07', text: i % 2 ? 'Deploy finished' : 'Deploy has finished' },
        { ok: true, channel: 'C07', ts: `17543784${num(i, 10, 99)}.${num(i, 100_000, 999_999)}` },
        true,
      ),
    ),
    alarmBy: 14,
    atMost: 'nudge',
  },
  {
    title: 'Two desks hand one caller to each other',
    events: times(12, (i) =>
      i % 2
        ? use('transfer_to_support', {}, { assistant: 'Support', call: uuid('one') }, true)
        : use('transfer_to_billing', {}, { assistant: 'Billing', call: uuid('one') }, true),
    ),
    alarmBy: 12,
  },
]
