/** One question about many targets, against one question in many words. */

import {
  batch,
  claude,
  codex,
  each,
  type Healthy,
  pick,
  type Stuck,
  times,
  use,
  useId,
} from './build.js'

const CODES = ['LHR', 'CDG', 'AMS', 'FRA', 'MUC', 'ZRH', 'VIE', 'CPH', 'ARN', 'OSL', 'HEL', 'WAW']

export const healthy: Healthy[] = [
  {
    title: 'The same invitation to one member of the choir after the other',
    events: each(
      ['ines', 'joao', 'karl', 'lena', 'milo', 'nora', 'otto', 'pia', 'quin', 'rosa', 'sven'],
      (name, i) =>
        use(
          'mail_send',
          {
            to: `${name}@choir.example`,
            subject: 'Rehearsal moves to Thursday',
            text: 'Dear all, the hall is closed on Wednesday, so we meet a day later at eight.',
          },
          `accepted, message ${i}f${i * 7}c0a`,
          true,
        ),
    ),
  },
  {
    title: 'Looks for a free appointment on thirty days; there is none',
    events: times(30, (day) =>
      use(
        'find_slots',
        { clinic: 'Mitte', date: `2026-11-${String(day + 1).padStart(2, '0')}` },
        { slots: [] },
        true,
      ),
    ),
  },
  {
    title: 'Checks which ports of a host are open; nearly all are closed',
    events: each(
      [
        21, 22, 25, 80, 110, 143, 443, 465, 587, 993, 995, 3306, 5432, 6379, 8080, 8443, 9200,
        27017,
      ],
      (port) =>
        codex(
          `nc -zv -w 2 203.0.113.40 ${port}`,
          port === 443
            ? 'Connection to 203.0.113.40 443 port [tcp/https] succeeded!'
            : `nc: connect to 203.0.113.40 port ${port} (tcp) failed: Connection refused`,
          port === 443 ? 0 : 1,
        ),
    ),
  },
  {
    title: 'Looks for a deprecated import in every package of a monorepo',
    events: times(22, (i) =>
      useId(
        'Grep',
        {
          pattern: 'from "moment"',
          path: `packages/${pick(i, ['ui', 'api', 'jobs', 'mail', 'auth'])}-${i}`,
        },
        'No matches found',
        true,
      ),
    ),
  },
  {
    title: 'Asks twelve airports for a flight, four at a time',
    events: [0, 4, 8].flatMap((from) =>
      batch(
        ...CODES.slice(from, from + 4).map((origin) =>
          useId(
            'search_flights',
            { origin, destination: 'KEF', date: '2026-12-24' },
            'No flights available.',
            true,
          ),
        ),
      ),
    ),
  },
  {
    title: 'Tries every feature flag of a crate alone; each builds',
    events: each(
      [
        'std',
        'alloc',
        'serde',
        'rayon',
        'simd',
        'unicode',
        'perf',
        'logging',
        'arbitrary',
        'derive',
        'num',
        'chrono',
        'rand',
      ],
      (flag) =>
        claude(
          `cargo check --no-default-features --features ${flag}`,
          '    Finished `dev` profile [unoptimized + debuginfo] target(s)',
        ),
    ),
  },
]

const QUERIES = [
  'Hannes Brugger sculptor birth year',
  'When was the sculptor Hannes Brugger born?',
  'Hannes Brugger born',
  'birth year of Hannes Brugger, sculptor',
  'sculptor Brugger Hannes date of birth',
  'Hannes Brugger sculptor biography born',
  'in which year was Hannes Brugger born',
  'Hannes Brugger artist birth date',
  'Brugger Hannes sculptor born year',
  'year of birth Hannes Brugger sculptor',
  'what year was sculptor Hannes Brugger born in',
  'Hannes Brugger (sculptor) born when',
  'sculptor Hannes Brugger year born',
  'date of birth sculptor Hannes Brugger',
]

export const stuck: Stuck[] = [
  {
    title: 'One product in ever other words, and the shop has none of it',
    events: each(
      [
        'Halmer 40 spare filter',
        'filter for Halmer 40',
        'Halmer 40 filter cartridge',
        'Halmer 40 replacement filter',
        'cartridge Halmer 40',
        'Halmer 40 filter',
        'Halmer 40 spare cartridge',
        'original filter Halmer 40',
        'Halmer 40 filter set',
        'Halmer 40 replacement cartridge',
        'filter set for Halmer 40',
        'Halmer 40 filter original',
      ],
      (query) => use('shop_search', { query }, 'No products found.', true),
    ),
    alarmBy: 12,
    atMost: 'nudge',
  },
  {
    title: 'Re-words one search; the answer is word for word the same page',
    events: each(QUERIES, (query) =>
      use(
        'search_wikipedia',
        { query },
        'Hans Brugger (disambiguation)\nHans Brugger may refer to:\n- Hans Brugger (painter)\n- Hans Brugger (skier)',
        true,
      ),
    ),
    alarmBy: 10,
    atMost: 'block',
  },
  {
    title: 'Re-words one search over documents; nothing is found',
    events: each(
      [
        'refund window',
        'refund period',
        'window for refunds',
        'refund policy window',
        'refund window days',
        'how long refund window',
        'refund window length',
        'refund window policy',
        'days refund window',
        'refund time window',
        'refund window duration',
        'refund window in days',
      ],
      (query) =>
        useId('search_documents', { query, index: 'handbook' }, '{"hits": [], "total": 0}', true),
    ),
    alarmBy: 10,
    atMost: 'block',
  },
  {
    title: 'Looks for one symbol with slightly different patterns; no match',
    events: each(
      [
        'parseLedger',
        'parse_ledger',
        'parseLedger\\(',
        'function parseLedger',
        'def parse_ledger',
        'parse.?ledger',
        'ParseLedger',
        'parseLedger =',
        'const parseLedger',
        'export.*parseLedger',
        'parseLedger:',
        '\\bparseLedger\\b',
      ],
      (pattern) =>
        useId(
          'Grep',
          { pattern, path: 'src', output_mode: 'files_with_matches' },
          'No files found',
          true,
        ),
    ),
    alarmBy: 12,
    atMost: 'block',
  },
  {
    title: 'Asks the support desk for one order in ever new words',
    events: times(16, (i) =>
      use(
        'crm_search',
        {
          q: `${pick(i, ['order', 'purchase', 'sale', 'invoice'])} ${pick(`b${i}`, ['of', 'from', 'by', 'for'])} Ilse Vandermeer ${pick(`c${i}`, ['in', 'during', 'since', 'around'])} 2024`,
        },
        'I could not find any matching record. Try a different query.',
      ),
    ),
    alarmBy: 12,
    atMost: 'block',
  },
]
