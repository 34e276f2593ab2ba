/** Trying again while a service is overloaded, slow or not up yet. */

import {
  claude,
  codex,
  each,
  gemini,
  type Healthy,
  hex,
  opencode,
  type Stuck,
  spaced,
  times,
  use,
  useId,
  uuid,
} from './build.js'

const limited = (seconds: number, path: string, i: number) =>
  codex(
    `sleep ${seconds}; curl -sS -w '%{http_code}' https://api.shipments.test/v1/${path}`,
    `{"message":"Too Many Requests","request_id":"${uuid(`${path}${i}`)}"}429`,
  )

export const healthy: Healthy[] = [
  {
    title: 'No berth is free in three harbours; asks all three again after each pause',
    events: times(8, (i) => [
      ...each(['north', 'south', 'west'], (harbour) =>
        use(
          'book_berth',
          { harbour, length: 12 },
          `NoBerthError: no berth of 12 m is free in the ${harbour} harbour (quote ${hex(`${harbour}${i}`)})`,
          false,
        ),
      ),
      ...use('wait', { minutes: 5 }, 'ok', true),
    ]),
    nudges: 1,
  },
  {
    title: 'Backs off under 429, twice as long each time, for three endpoints',
    events: each(['parcels', 'returns', 'labels'], (path) => [
      ...each([2, 4, 8, 16, 32], (seconds, i) => limited(seconds, path, i)),
      ...codex(
        `sleep 64; curl -sS -w '%{http_code}' https://api.shipments.test/v1/${path}`,
        `{"items":[{"id":"${hex(path, 10)}"}]}200`,
      ),
    ]),
  },
  {
    title: 'The database is still starting: five refused connections, then it answers',
    events: [
      ...claude('docker compose up -d db', ' Container shop-db-1  Started'),
      ...times(5, () =>
        claude(
          'sleep 3 && psql -h localhost -p 5433 -U shop -c "select 1"',
          'psql: error: connection to server at "localhost" (127.0.0.1), port 5433 failed: Connection refused\n\tIs the server running on that host and accepting TCP/IP connections?',
          2,
        ),
      ),
      ...claude(
        'sleep 3 && psql -h localhost -p 5433 -U shop -c "select 1"',
        ' ?column? \n----------\n        1\n(1 row)',
      ),
    ],
  },
  {
    title: 'A package index times out three times, then the mirror works',
    events: [
      ...times(3, () =>
        gemini(
          'pip install polars==1.31',
          'WARNING: Retrying after connection broken by ReadTimeoutError("HTTPSConnectionPool: Read timed out. (read timeout=15)")\nERROR: Could not find a version that satisfies the requirement polars==1.31',
          1,
        ),
      ),
      ...gemini('pip config get global.index-url', 'https://pypi.internal.test/simple'),
      ...gemini(
        'pip install -i https://mirror.internal.test/simple polars==1.31',
        'Successfully installed polars-1.31.0',
      ),
    ],
  },
  {
    title: 'A search tool is out of service for a while; the agent waits between tries',
    events: [
      ...times(6, (i) => [
        ...use(
          'web_search',
          { query: 'IEC 61850 GOOSE timing' },
          `503 Service Unavailable (upstream ${hex(i, 6)})`,
          false,
        ),
        ...use('wait', { seconds: 20 * (i + 1) }, 'done', true),
      ]),
      ...use(
        'web_search',
        { query: 'IEC 61850 GOOSE timing' },
        '1. GOOSE messages must arrive within 3 ms …',
        true,
      ),
    ],
  },
  {
    title: 'A push is refused by a bad gateway twice; other work goes on in between',
    events: [
      ...claude(
        'git push',
        'error: RPC failed; HTTP 502 curl 22 The requested URL returned error: 502\nfatal: the remote end hung up unexpectedly',
        1,
      ),
      ...claude('git log --oneline -1', '71ac0e Tidy the parser'),
      ...claude(
        'git push',
        'error: RPC failed; HTTP 502 curl 22 The requested URL returned error: 502\nfatal: the remote end hung up unexpectedly',
        1,
      ),
      ...claude('npm run lint', 'No problems.'),
      ...claude(
        'sleep 60 && git push',
        'To github.test:acme/parser.git\n   1a2b3c4..71ac0e9  main -> main',
      ),
    ],
  },
]

export const stuck: Stuck[] = [
  {
    title: 'Hammers an endpoint that answers 429, without any pause',
    events: times(70, (i) =>
      use(
        'http_get',
        { url: 'https://api.maps.test/v3/geocode?q=Ulm' },
        `HTTP 429 Too Many Requests\nx-request-id: ${uuid(i)}\nretry-after: 30`,
        false,
      ),
    ),
    alarmBy: 25,
    atMost: 'nudge',
  },
  {
    title: 'Asks a port that nobody listens on, at once and for ever',
    events: times(70, () =>
      opencode(
        'curl -s http://localhost:9200/_cluster/health',
        'curl: (7) Failed to connect to localhost port 9200 after 0 ms: Connection refused',
      ),
    ),
    alarmBy: 25,
    atMost: 'nudge',
  },
  {
    title: 'A sub-model that times out is asked the same again within a second',
    events: spaced(
      times(60, (i) =>
        useId(
          'ask_model',
          { model: 'small', prompt: 'Summarise the minutes.' },
          `TimeoutError: request ${hex(i, 12)} timed out after 30000 ms`,
          false,
        ),
      ),
      1,
    ),
    alarmBy: 25,
    atMost: 'nudge',
  },
  {
    title: 'A page of an API is asked for without a pause; 503 with another request id each time',
    events: times(70, (i) =>
      codex(
        'curl -s https://api.weather.test/v1/now',
        `{"error":"Service Unavailable","code":503,"request_id":"${uuid(`w${i}`)}"}`,
      ),
    ),
    alarmBy: 25,
    atMost: 'nudge',
  },
]
