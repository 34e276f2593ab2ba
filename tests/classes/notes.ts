/** Turns of text alone, and text that streams: notes that count, and announcements that repeat. */

import { each, type Healthy, type Stuck, stream, text, times, use } from './build.js'

export const healthy: Healthy[] = [
  {
    title: 'Short notes that count while reports of helpers come in',
    events: times(18, (i) =>
      text(`${i + 1}/18 in.${i === 17 ? ' All helpers have reported; I will merge now.' : ''}`),
    ),
  },
  {
    title: 'A note before each upload says which one it is',
    events: times(12, (i) => [
      ...text(`Uploading chapter ${i + 1} of 12.`),
      ...use('upload', { path: `ch${i + 1}.mp3` }, 'ok', true),
    ]),
  },
  {
    title: 'Streams a questionnaire whose questions are built alike',
    events: stream(
      Array.from(
        { length: 40 },
        (_, i) =>
          `Question ${i + 1}: On a scale from one to five, how satisfied are you with area ${i + 1}?\n`,
      ).join(''),
    ),
  },
  {
    title: 'Streams a table of forty rows with the same verdict',
    events: stream(
      Array.from(
        { length: 40 },
        (_, i) => `| host-${String(i + 1).padStart(2, '0')} | patched | no reboot needed |\n`,
      ).join(''),
    ),
  },
  {
    title: 'Acknowledges each message of a chatty user in a few words',
    events: each(
      ['Noted.', 'Got it.', 'Thanks, added.', 'Okay.', 'Noted, both.', 'Done.'],
      (words, i) => [{ t: 'user', text: `also item ${i}` }, ...text(words)],
    ),
  },
]

export const stuck: Stuck[] = [
  {
    title: 'Announces the same step turn after turn and never takes it',
    events: times(10, () => text('I will now create the migration file and run it.')),
    alarmBy: 5,
  },
  {
    title: 'Announces one step in slightly other words each turn',
    events: each(
      [
        'Now I will write the final report.',
        'I will write the final report now.',
        'Let me now write the final report.',
        'Now let me write the final report.',
        'I will now write the final report.',
        'Let me write the final report now.',
        'Next, I will write the final report.',
        'Now, writing the final report.',
      ],
      (words) => text(words),
    ),
    alarmBy: 7,
  },
  {
    title: 'Streams one sentence without end',
    events: stream('The build is green again, so the next step is to check the build. '.repeat(40)),
    alarmBy: 1,
  },
  {
    title: 'A run of one character in the reasoning',
    events: stream(`The total is 3.${'3'.repeat(1500)}`, 40, 'reasoning'),
    alarmBy: 1,
  },
  {
    title: 'The arguments of a tool call stream NUL characters',
    events: stream(`{"workdir": "/srv${'\u0000'.repeat(4000)}`, 64, 'arguments'),
    alarmBy: 1,
  },
]
