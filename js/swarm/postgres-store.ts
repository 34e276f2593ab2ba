/**
 * A store on Postgres: one table, one statement for each batch of reports.
 *
 * @module
 */

import { describe } from '../input/check.js'
import {
  fingerprintKey,
  LONGEST_FINGERPRINT,
  LONGEST_SAMPLE,
  plainText,
  workerKey,
} from './identity.js'
import type { SwarmReport, SwarmState, SwarmStore } from './types.js'

type Row = Readonly<Record<string, unknown>>

/** Runs a statement with `$1`, `$2`, …, and returns its rows. */
export type PostgresQuery = (
  text: string,
  values: unknown[],
) => PromiseLike<{ readonly rows: readonly Row[] } | readonly Row[]>

/**
 * A client of Postgres: one with a method `query`, such as those of `pg`, Neon and PGlite; postgres.js and
 * Bun, whose method is `unsafe`; or a function that runs a statement.
 */
export type PostgresClient = PostgresQuery | { query: PostgresQuery } | { unsafe: PostgresUnsafe }

/** A method that runs a statement; its values are of a type of the client's own. */
type PostgresUnsafe = (text: string, values: never) => PromiseLike<readonly Row[]>

/** Options of {@link postgresSwarm}. */
export interface PostgresSwarmOptions {
  /** The table's name; `loophound_swarm` if absent. Letters, digits, `_`, and one dot for a schema. */
  table?: string
  /** Whether to create the table if it is missing; `true` if absent. */
  create?: boolean
}

/** Interval at which a store removes expired rows, in milliseconds. */
const SWEEP_MS = 60_000

/**
 * Makes a store on Postgres 12 or newer.
 *
 * @param client A client, or a function that runs a statement.
 * @throws TypeError for anything else, or for a table name that is not allowed.
 *
 * @example
 * ```ts
 * const swarm = new SharedSwarm({ store: postgresSwarm(new Pool()), timeoutMs: 1000 })
 * ```
 */
export function postgresSwarm(
  client: PostgresClient,
  options: PostgresSwarmOptions = {},
): SwarmStore {
  const ask = queryOf(client)
  const { table = 'loophound_swarm', create = true } = options
  if (!/^[a-z_][a-z0-9_]{0,62}(\.[a-z_][a-z0-9_]{0,62})?$/i.test(table)) {
    throw new TypeError(
      `postgresSwarm(options): table must be a plain name; got ${describe(table)}`,
    )
  }
  const apply = applyStatement(table)
  let created: Promise<void> | undefined
  let sweptAt = Number.NEGATIVE_INFINITY

  const rowsOf = async (text: string, values: unknown[]): Promise<readonly Row[]> => {
    if (create) {
      created ??= createTable(ask, table)
      await created.catch((error) => {
        created = undefined
        throw error
      })
    }
    return read(await ask(text, values))
  }

  function sweep(): void {
    if (performance.now() - sweptAt < SWEEP_MS) return
    sweptAt = performance.now()
    rowsOf(deleteStatement(table, `expires <= ${NOW}`, 'SKIP LOCKED'), []).catch(() => {})
  }

  return {
    async report(scope, worker, reports, rule) {
      const { id, hash } = workerKey(worker)
      const name = plainText(worker, 64)
      const { windowMs, threshold, minWorkers, maxWorkers, latchMs } = rule
      const place = `o${hash % maxWorkers}`
      const head = [plainText(scope, 200), id, place, name, windowMs, threshold]
      const states: SwarmState[] = []
      // A statement cannot change a row twice, so a repeated fingerprint goes into the next
      // one.
      for (const group of withoutRepeats(reports)) {
        const given = JSON.stringify(group.map(rowOf))
        const rows = await rowsOf(apply, [...head, minWorkers, maxWorkers, latchMs, given])
        const byId = new Map(rows.map((row) => [row.fp, row]))
        for (const report of group) states.push(stateOf(report, id, byId))
      }
      sweep()
      return states
    },

    async latched(scope, limit) {
      const rows = await rowsOf(listStatement(table), [plainText(scope, 200), limit])
      return rows.map((row) => ({
        fingerprint: String(row.fingerprint),
        total: Number(row.total),
        workers: Number(row.workers),
        latchedUntil: Number(row.latched_until),
        fresh: false,
        now: Number(row.now),
        firstSeen: Number(row.first_seen),
        latchedSince: Number(row.latched_since),
        latchedBy: String(row.latched_by),
        sample: String(row.sample) || undefined,
        workerIds: String(row.ids ?? '')
          .split(' ')
          .filter(Boolean),
      }))
    },

    async clear(scope, fingerprint) {
      const id = fingerprint === undefined ? null : fingerprintKey(fingerprint).id
      const where = 'scope = $1 AND ($2::text IS NULL OR fp = $2)'
      await rowsOf(deleteStatement(table, where), [plainText(scope, 200), id])
    },
  }
}

/** Clients that are functions themselves are so for templates; statements are for their methods. */
function queryOf(client: PostgresClient): PostgresQuery {
  const { query, unsafe } = (client ?? {}) as { query?: unknown; unsafe?: unknown }
  for (const method of [query, unsafe, client]) {
    if (typeof method === 'function') return (text, values) => method.call(client, text, values)
  }
  throw new TypeError(
    `postgresSwarm(client): client must be a client of Postgres, or a function that runs a statement; got ${describe(client)}`,
  )
}

const read = (answer: { readonly rows: readonly Row[] } | readonly Row[]): readonly Row[] =>
  'rows' in answer ? answer.rows : answer

/** What is wrong if two workers create the table at the same moment: it exists. */
const EXISTS_ALREADY = ['23505', '42P07', '42710']

/** What is wrong if a worker may not create tables: it may still use one that is there. */
const NOT_ALLOWED = '42501'

/** Creates the table. */
async function createTable(ask: PostgresQuery, table: string): Promise<void> {
  for (const statement of tableStatements(table)) {
    try {
      await ask(statement, [])
    } catch (error) {
      const code = String((error as { code?: unknown } | null)?.code)
      if (![...EXISTS_ALREADY, NOT_ALLOWED].includes(code)) throw error
    }
  }
}

const rowOf = ({ fingerprint, seq, weight, sample }: SwarmReport) => ({
  fp: fingerprintKey(fingerprint).id,
  seq,
  weight,
  fingerprint: plainText(fingerprint, LONGEST_FINGERPRINT),
  sample: plainText(sample ?? '', LONGEST_SAMPLE),
})

function stateOf(report: SwarmReport, worker: string, rows: Map<unknown, Row>): SwarmState {
  const row = rows.get(fingerprintKey(report.fingerprint).id)
  if (!row) throw new TypeError('the database gave no answer to a report')
  const now = Number(row.touched)
  const until = Number(row.latched_until)
  const isLatched = until > now
  return {
    fingerprint: report.fingerprint,
    total: Number(row.total),
    workers: Number(row.workers),
    latchedUntil: isLatched ? until : 0,
    fresh: row.latched_id === worker && Number(row.latched_seq) === report.seq,
    now,
    firstSeen: Number(row.first_seen),
    latchedSince: isLatched ? Number(row.latched_since) : undefined,
    latchedBy: isLatched ? String(row.latched_by) : undefined,
    sample: report.sample,
  }
}

function withoutRepeats(reports: readonly SwarmReport[]): SwarmReport[][] {
  const groups: SwarmReport[][] = []
  let seen = new Set<string>()
  for (const report of reports) {
    const { id } = fingerprintKey(report.fingerprint)
    const group = groups.at(-1)
    if (group && !seen.has(id)) group.push(report)
    else {
      groups.push([report])
      seen = new Set()
    }
    seen.add(id)
  }
  return groups
}

const NOW = 'floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint'

const tableStatements = (table: string): string[] => [
  `CREATE TABLE IF NOT EXISTS ${table} (
  scope text NOT NULL,
  fp text NOT NULL,
  fingerprint text NOT NULL,
  sample text NOT NULL,
  window_ms bigint NOT NULL,
  bucket bigint NOT NULL,
  current bigint NOT NULL,
  previous bigint NOT NULL,
  workers integer NOT NULL,
  seqs jsonb NOT NULL,
  first_seen bigint NOT NULL,
  touched bigint NOT NULL,
  latched_until bigint NOT NULL,
  latched_since bigint NOT NULL,
  latched_by text NOT NULL,
  latched_id text NOT NULL,
  latched_seq bigint NOT NULL,
  expires bigint NOT NULL,
  PRIMARY KEY (scope, fp)
)`,
  `CREATE INDEX IF NOT EXISTS ${table.replace('.', '_')}_latched ON ${table} (scope, latched_until) WHERE latched_until > 0`,
  `CREATE INDEX IF NOT EXISTS ${table.replace('.', '_')}_expires ON ${table} (expires)`,
]

/**
 * Deletes rows. They are locked in the order in which reports lock them, so that two statements never
 * deadlock.
 *
 * @param locked What to do about rows that others have locked: wait for them if absent.
 */
const deleteStatement = (table: string, where: string, locked: 'SKIP LOCKED' | '' = ''): string => `
DELETE FROM ${table} AS s
USING (SELECT scope, fp FROM ${table} WHERE ${where} ORDER BY scope, fp FOR UPDATE ${locked}) AS gone
WHERE s.scope = gone.scope AND s.fp = gone.fp`

/**
 * Applies reports as `applyReport` in apply-report.ts does, in one statement. Rows are locked in
 * the order of their keys, so that two statements never deadlock.
 *
 * $1 scope, $2 worker id, $3 place, $4 worker name, $5 window, $6 threshold, $7 minWorkers,
 * $8 maxWorkers, $9 latch, $10 the reports as JSON.
 */
const applyStatement = (table: string): string => `
INSERT INTO ${table} AS s (
  scope, fp, fingerprint, sample, window_ms, bucket, current, previous, workers, seqs, first_seen,
  touched, latched_until, latched_since, latched_by, latched_id, latched_seq, expires
)
SELECT $1::text, r.fp, r.fingerprint, r.sample, $5::bigint, r.now / $5::bigint, r.weight, 0, 1,
  jsonb_build_object('w' || $2::text, r.seq), r.now, r.now,
  CASE WHEN r.latches THEN r.now + $9::bigint ELSE 0 END,
  CASE WHEN r.latches THEN r.now ELSE 0 END,
  CASE WHEN r.latches THEN $4::text ELSE '' END,
  CASE WHEN r.latches THEN $2::text ELSE '' END,
  CASE WHEN r.latches THEN r.seq ELSE 0 END,
  greatest((r.now / $5::bigint + 3) * $5::bigint, CASE WHEN r.latches THEN r.now + $9::bigint ELSE 0 END)
FROM (
  SELECT given.*, ${NOW} AS now, given.weight >= $6::bigint AND 1 >= $7::bigint AS latches
  FROM jsonb_to_recordset($10::text::jsonb)
    AS given(fp text, seq bigint, weight bigint, fingerprint text, sample text)
  ORDER BY given.fp
) AS r
ON CONFLICT (scope, fp) DO UPDATE SET (
  fingerprint, sample, window_ms, bucket, current, previous, workers, seqs, first_seen,
  touched, latched_until, latched_since, latched_by, latched_id, latched_seq, expires
) = (
  SELECT excluded.fingerprint,
    CASE WHEN excluded.sample <> '' THEN excluded.sample WHEN t.gone THEN '' ELSE s.sample END,
    $5::bigint, old.bucket, next.current, old.previous, next.workers, next.seqs, old.first_seen, t.now,
    CASE WHEN l.latches THEN t.now + $9::bigint ELSE old.latched_until END,
    CASE WHEN l.latches THEN t.now WHEN t.gone THEN 0 ELSE s.latched_since END,
    CASE WHEN l.latches THEN $4::text WHEN t.gone THEN '' ELSE s.latched_by END,
    CASE WHEN l.latches THEN $2::text WHEN t.gone THEN '' ELSE s.latched_id END,
    CASE WHEN l.latches THEN t.seq WHEN t.gone THEN 0 ELSE s.latched_seq END,
    CASE WHEN d.duplicate THEN s.expires ELSE greatest((old.bucket + 3) * $5::bigint,
      CASE WHEN l.latches THEN t.now + $9::bigint ELSE old.latched_until END) END
  FROM (
    SELECT c.now, s.expires <= c.now AS gone, c.now / $5::bigint AS newest,
      (excluded.seqs ->> ('w' || $2::text))::bigint AS seq, excluded.current AS weight
    FROM (SELECT ${NOW} AS now) AS c
  ) AS t
  CROSS JOIN LATERAL (
    SELECT CASE WHEN NOT t.gone AND t.newest = s.bucket - 1 THEN s.bucket ELSE t.newest END AS bucket,
      CASE WHEN t.gone OR t.newest NOT IN (s.bucket - 1, s.bucket) THEN 0 ELSE s.current END AS current,
      CASE WHEN t.gone THEN 0
        WHEN t.newest = s.bucket + 1 THEN s.current
        WHEN t.newest NOT IN (s.bucket - 1, s.bucket) THEN 0
        ELSE s.previous END AS previous,
      CASE WHEN t.gone THEN 0 ELSE s.workers END AS workers,
      CASE WHEN t.gone THEN '{}'::jsonb ELSE s.seqs END AS seqs,
      CASE WHEN t.gone THEN t.now ELSE s.first_seen END AS first_seen,
      CASE WHEN t.gone THEN 0 ELSE s.latched_until END AS latched_until
  ) AS old
  CROSS JOIN LATERAL (
    SELECT old.seqs -> ('w' || $2::text) IS NOT NULL AS known,
      coalesce(
        (old.seqs ->> ('w' || $2::text))::bigint,
        CASE WHEN split_part(old.seqs ->> $3::text, ' ', 1) = $2::text
          THEN split_part(old.seqs ->> $3::text, ' ', 2)::bigint END,
        -1
      ) >= t.seq AS duplicate
  ) AS d
  CROSS JOIN LATERAL (
    SELECT old.current + CASE WHEN d.duplicate THEN 0 ELSE t.weight END AS current,
      old.workers + CASE
        WHEN d.duplicate OR d.known OR old.workers >= $8::bigint THEN 0 ELSE 1 END AS workers,
      CASE WHEN d.duplicate THEN old.seqs
        WHEN d.known OR old.workers < $8::bigint
          THEN old.seqs || jsonb_build_object('w' || $2::text, t.seq)
        ELSE old.seqs || jsonb_build_object($3::text, $2::text || ' ' || t.seq) END AS seqs
  ) AS next
  CROSS JOIN LATERAL (
    SELECT NOT d.duplicate AND old.latched_until <= t.now AND next.workers >= $7::bigint
      AND next.current + old.previous * (
        CASE WHEN t.newest < old.bucket THEN $5::bigint
        ELSE $5::bigint - t.now % $5::bigint END) / $5::bigint >= $6::bigint AS latches
  ) AS l
)
RETURNING s.fp, s.workers, s.latched_until, s.latched_since, s.latched_by, s.latched_id,
  s.latched_seq, s.first_seen, s.touched, s.current + s.previous * (
    CASE WHEN s.touched / $5::bigint < s.bucket THEN $5::bigint
    ELSE $5::bigint - s.touched % $5::bigint END) / $5::bigint AS total`

/** $1 scope, $2 limit. */
const listStatement = (table: string): string => `
SELECT s.fingerprint, s.sample, s.workers, s.latched_until, s.latched_since, s.latched_by,
  s.first_seen, c.now,
  CASE WHEN c.now / s.window_ms <= s.bucket
      THEN s.current + s.previous * (s.window_ms - c.now % s.window_ms) / s.window_ms
    WHEN c.now / s.window_ms = s.bucket + 1
      THEN s.current * (s.window_ms - c.now % s.window_ms) / s.window_ms
    ELSE 0 END AS total,
  (SELECT string_agg(substr(k, 2), ' ') FROM jsonb_object_keys(s.seqs) AS k WHERE k LIKE 'w%') AS ids
FROM ${table} AS s, (SELECT ${NOW} AS now) AS c
WHERE s.scope = $1::text AND s.latched_until > 0 AND s.latched_until > c.now
ORDER BY s.latched_until DESC
LIMIT $2::bigint`
