/** Thoughts and questions: new ones, or the same in other words. */

import { each, type Healthy, num, type Stuck, use, useId } from './build.js'

const think = (thought: string) => use('think', { thought }, '', true)

const ask = (prompt: string, answer: string, seed: string) =>
  useId(
    'Task',
    { subagent_type: 'Explore', description: prompt.slice(0, 20), prompt },
    `${answer}\n\nusage: ${num(`t${seed}`, 9000, 40000)} tokens, ${num(`m${seed}`, 5000, 90000)} ms`,
    true,
  )

export const healthy: Healthy[] = [
  {
    title: 'Ten thoughts that lead somewhere',
    events: each(
      [
        'The cache key leaves out the locale, so two users share one page.',
        'Adding the locale to the key would double the memory it needs.',
        'Only the header depends on it; the body could stay as it is.',
        'Splitting header and body means two lookups for each request.',
        'Two lookups cost less than rendering once, by the last profile.',
        'The footer has a date, which is another thing that varies.',
        'Dates could be filled in by the browser instead.',
        'Old browsers get the plain text, which nobody reads.',
        'So: split, fill dates in late, leave the size of the cache alone.',
        'First step: a test that shows the wrong header.',
      ],
      think,
    ),
  },
  {
    title: 'A sub-agent is asked about one part of the system after the other',
    events: each(
      ['billing', 'search', 'login', 'export', 'import', 'mail', 'audit', 'quota', 'theme'],
      (part) => ask(`Where is ${part} configured?`, `In config/${part}.toml, under [main].`, part),
    ),
  },
  {
    title: 'A person is asked for one thing after the other, and answers each',
    events: each(
      [
        ['Which region?', 'eu-west'],
        ['How many replicas?', 'three'],
        ['May I restart the workers tonight?', 'after ten'],
        ['Who approves the change?', 'Dana'],
        ['Keep the old queue?', 'for a week'],
      ] as const,
      ([question, answer]) => use('ask_user', { question }, answer, true),
    ),
  },
]

export const stuck: Stuck[] = [
  {
    title: 'One thought in ever other words',
    events: each(
      [
        'I should look at the invoice before I refund the customer.',
        'Before I refund the customer I should look at the invoice.',
        'The invoice should be looked at before the customer gets a refund.',
        'I look at the invoice, then refund the customer.',
        'To refund the customer, look at the invoice first.',
        'First the invoice, then the refund for the customer.',
        'I should look at the invoice first, before the refund.',
        'The customer wants a refund, so I look at the invoice.',
        'Look at the invoice before the customer gets the refund.',
        'I should first look at the invoice of the customer.',
        'The refund: I should look at the invoice before it.',
        'Before the refund I look at the invoice of the customer.',
      ],
      think,
    ),
    alarmBy: 12,
    atMost: 'nudge',
  },
  {
    title: 'A sub-agent that is asked the same in other words, and finds the same nothing',
    events: each(
      [
        'Find the webhook signing secret in this repository.',
        'Search this repository for the webhook signing secret.',
        'Please find where the webhook signing secret is in the repository.',
        'Find the signing secret of the webhook in this repository.',
        'Search for the webhook signing secret in the repository, please.',
        'Please search this repository for the signing secret of the webhook.',
        'Find where the webhook signing secret is in this repository.',
        'Search the repository for the webhook signing secret.',
        'Please find the webhook signing secret in this repository.',
        'Find the webhook signing secret, please search the repository.',
      ],
      (prompt, i) =>
        ask(
          prompt,
          'I went through every file. There is no webhook signing secret here; the code reads no such value.',
          `${i}`,
        ),
    ),
    alarmBy: 10,
  },
  {
    title: 'The same thought, word by word',
    events: each(Array(9).fill('I need to check the calendar before I book the room.'), think),
    alarmBy: 9,
    atMost: 'nudge',
  },
]
