/** Code as it streams: long lines that repeat on purpose, and those that never end. */

import { chars, type Event, type Healthy, num, type Stuck, times } from './build.js'

/** A text in small pieces. */
const stream = (text: string): Event[] =>
  (text.match(/.{1,13}/gs) ?? []).map((piece) => ({ t: 'chunk', text: piece }))

const block = (language: string, content: string) =>
  stream(`Here it is:\n\n\`\`\`${language}\n${content}\n\`\`\`\n`)

export const healthy: Healthy[] = [
  {
    title: 'A board of two hundred empty fields in one line',
    events: block('json', `[${Array(200).fill('null').join(', ')}]`),
  },
  {
    title: 'A picture as base64',
    events: block(
      'html',
      `<img src="data:image/png;base64,${chars('img', 6000, 'ABCDabcdxyz019+/')}">`,
    ),
  },
  {
    title: 'A matrix of flags, a row in each line',
    events: block(
      'python',
      `flags = [\n${Array.from({ length: 40 }, (_, i) => `  [${Array.from({ length: 16 }, (_, j) => (num(`${i}/${j}`, 0, 2) ? 'True' : 'False')).join(', ')}],`).join('\n')}\n]`,
    ),
  },
  {
    title: 'Many short answers with code',
    events: times(12, (i) => [
      ...block('sh', `npm test -- --grep part-${i} --no-audit --no-audit`),
      { t: 'turn' } as const,
    ]),
  },
]

const endless = (start: string, repeated: string, language = 'sh') =>
  stream(
    `Here it is:\n\n\`\`\`${language}\n${start}${repeated.repeat(Math.ceil(6000 / repeated.length))}`,
  )

export const stuck: Stuck[] = [
  {
    title: 'A flag of a command, without end',
    events: endless('RUN npm ci --omit=dev', ' --no-audit', 'dockerfile'),
    alarmBy: 1,
  },
  {
    title: 'A call in a chain, without end',
    events: endless('const query = db', '.orderBy("name")', 'ts'),
    alarmBy: 1,
  },
  {
    title: 'One class name in an attribute, without end',
    events: endless('<div class="', 'flex items-center ', 'html'),
    alarmBy: 1,
  },
]
