/** Searches with the same answer: whatever repeats the question, or the order of a list, is not new. */

import { each, type Healthy, num, pick, type Stuck, shuffled, times, use } from './build.js'

const search = (query: string, output: string) => use('web_search', { query }, output, true)

/** Questions about one thing, in words that come back. */
const wordings = (count: number, thing: string) =>
  Array.from({ length: count }, (_, i) =>
    shuffled(i, [
      thing,
      pick(`a${i}`, ['opening', 'visiting', 'business']),
      pick(`b${i}`, ['hours', 'times', 'schedule']),
      pick(`c${i}`, ['winter', 'public holidays', 'today', 'Sunday']),
    ]).join(' '),
  )

const PAGES = [
  'Lighthouse museum - town guide\n   https://guide.example/lighthouse',
  'The old lighthouse, a history\n   https://history.example/2214',
  'Photographs of the lighthouse\n   https://photos.example/l/88',
  'Boat trips around the point\n   https://boats.example/trips',
]

export const healthy: Healthy[] = [
  {
    title: 'Asks for many villages, none of which has an archive',
    events: each(
      [
        ...['Aldby', 'Brenholt', 'Carrowmore', 'Dunfell', 'Elsted', 'Farhult', 'Grindal', 'Hovden'],
        ...['Inverlee', 'Jarsby', 'Kelling', 'Lundeby', 'Morvik', 'Norham', 'Ostby', 'Penryn'],
      ],
      (village) => search(`${village} parish archive`, `No archive is known in ${village}.`),
    ),
  },
  {
    title: 'Each question finds other pages in a list of the same form',
    events: times(24, (i) =>
      search(
        `tide tables port ${i}`,
        ['high', 'low', 'mean']
          .map((water, at) => `${at + 1}. Port ${i}: ${water} water ${num(`${i}${water}`, 10, 99)}`)
          .join('\n'),
      ),
    ),
  },
  {
    title: 'Pages through a long list, asked by number',
    events: times(30, (page) =>
      use(
        'list_items',
        { page },
        Array.from(
          { length: 4 },
          (_, i) => `- item ${page * 4 + i}, ${num(page * 4 + i, 1, 90)} pieces`,
        ).join('\n'),
        true,
      ),
    ),
  },
]

export const stuck: Stuck[] = [
  {
    title: 'Asks in ever other words; each answer repeats the question and says there is nothing',
    events: each(wordings(30, 'lighthouse'), (query) =>
      search(query, `No documents match your search for "${query}".`),
    ),
    alarmBy: 16,
    atMost: 'nudge',
  },
  {
    title: 'The same four pages in another order for each wording',
    events: each(wordings(40, 'lighthouse'), (query, i) =>
      search(
        query,
        shuffled(i, PAGES)
          .map((page, at) => `${at + 1}. ${page}`)
          .join('\n'),
      ),
    ),
    alarmBy: 25,
    atMost: 'block',
  },
  {
    title: 'Two ways of saying that nothing was found',
    events: each(wordings(30, 'lighthouse'), (query, i) =>
      search(query, pick(i, ['No pages found', 'No results found.'])),
    ),
    alarmBy: 16,
    atMost: 'nudge',
  },
]
