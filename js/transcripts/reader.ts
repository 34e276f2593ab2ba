/**
 * The interface of transcript readers, and what readers share.
 *
 * A new format is one new module that exports a {@link TranscriptReader}, and its name in the list
 * in `formats.ts`.
 *
 * @module
 */

import type { AgentInfo, SkippedRecords, TranscriptFormat } from 'loophound'
import { describe } from '../input/check.js'
import { asFields, type Fields, fieldsOf } from './data.js'
import type { RawEvent } from './raw-event.js'

/** Turns one transcript format into neutral events. */
export interface TranscriptReader {
  /** The format's name. */
  readonly name: TranscriptFormat
  /** What a transcript in this format looks like, for error messages. */
  readonly describes: string
  /** The keys by which it is recognised, to find the closest format when none fits. */
  readonly keys: readonly string[]
  /** Returns whether the first records are in this format. There is at least one. */
  matches(head: readonly unknown[]): boolean
  /**
   * Returns the events, in order. Reads one record at a time, and counts what it skips.
   *
   * @throws TypeError when the transcript as a whole cannot be read.
   */
  read(records: Iterable<unknown>, log: ReadLog): Iterable<RawEvent>
}

/** How many different reasons are counted separately; the rest is counted together. */
const MAX_REASONS = 100

/** The current position, what was skipped, and what is known about the agents. */
export class ReadLog {
  /** What the transcript consists of, for error messages. */
  unit: 'item' | 'line' = 'item'
  /** The index of the one that is being read. */
  index = 0
  /** What is known about agents, by id. */
  readonly agents = new Map<string, AgentInfo>()
  /** A description of the first thing that could not be read. */
  problem: string | undefined
  readonly #skipped = new Map<string, { reason: string; count: number; first: string }>()

  /** The current place: "line 3" of JSON lines, "item 2" of a list. */
  get place(): string {
    return `${this.unit} ${this.index}`
  }

  /** Counts something that is not read. */
  skip(reason: string): void {
    const isNew = !this.#skipped.has(reason)
    const key = isNew && this.#skipped.size >= MAX_REASONS ? 'other reasons' : reason
    const entry = this.#skipped.get(key)
    if (entry) entry.count += 1
    else this.#skipped.set(key, { reason: key, count: 1, first: this.place })
  }

  /** Counts something that should have been readable, and keeps the first problem. */
  unreadable(reason: string, problem: string): void {
    this.problem ??= problem
    this.skip(reason)
  }

  /** Counts a record of a type that is not read. */
  skipType(type: unknown): void {
    this.skip(`record type ${describe(type)}`)
  }

  /** Records what is known about an agent. */
  agent(id: string, info: AgentInfo): void {
    this.agents.set(id, { ...this.agents.get(id), ...info })
  }

  /** What was skipped, in the order in which each reason first occurred. */
  get skipped(): readonly SkippedRecords[] {
    return [...this.#skipped.values()].map((entry) => Object.freeze({ ...entry }))
  }
}

/** One independent run: all items, or those of one container. */
export interface Run {
  /** The agent its events belong to; `undefined` for the first run. */
  readonly agent: string | undefined
  /** The object that contains the items. */
  readonly container: Fields
  /** What it consists of. */
  readonly items: Iterable<unknown>
}

/**
 * Splits records into runs. Each record with a list under one of the keys is a run, because
 * datasets have one run per line; all other records together are one run.
 */
export function* runsOf(
  records: Iterable<unknown>,
  keys: readonly string[],
  log: ReadLog,
): Iterable<Run> {
  const source = records[Symbol.iterator]()
  let runs = 0
  for (let next = source.next(); !next.done; ) {
    const list = listUnder(next.value, keys)
    const agent = runs === 0 ? undefined : `run-${runs + 1}`
    runs += 1
    if (list) {
      yield { agent, container: fieldsOf(next.value), items: counted(list, log) }
      next = source.next()
      continue
    }
    const first = next.value
    let rest: IteratorResult<unknown> = { done: true, value: undefined }
    yield { agent, container: fieldsOf(undefined), items: loose() }
    next = rest

    function* loose(): Iterable<unknown> {
      yield first
      for (rest = source.next(); !rest.done; rest = source.next()) {
        if (listUnder(rest.value, keys)) return
        yield rest.value
      }
    }
  }
}

function listUnder(record: unknown, keys: readonly string[]): readonly unknown[] | null {
  const fields = asFields(record)
  if (!fields) return null
  for (const key of keys) {
    const list = fields[key]
    if (Array.isArray(list)) return list
  }
  return null
}

/** Iterates over a list and updates the current place. */
export function* counted(list: readonly unknown[], log: ReadLog): Iterable<unknown> {
  log.unit = 'item'
  for (const [index, item] of list.entries()) {
    log.index = index
    yield item
  }
}

/** Returns the first items: those of the lists under the keys, or the records themselves. */
export function peek(head: readonly unknown[], keys: readonly string[] = []): readonly Fields[] {
  return head
    .flatMap((record) => listUnder(record, keys)?.slice(0, 64) ?? [record])
    .slice(0, 200)
    .map(fieldsOf)
}

/** Returns each record that is an object, and counts the others. */
export function* objectsIn(records: Iterable<unknown>, log: ReadLog): Iterable<Fields> {
  for (const record of records) {
    const fields = asFields(record)
    if (fields) yield fields
    else log.unreadable('not an object', `transcript: ${log.place} is not an object`)
  }
}

/** Describes the first records in a few words. */
export function describeHead(head: readonly unknown[], isList: boolean, log: ReadLog): string {
  const first = asFields(head[0])
  const what = first ? describeFields(first) : describe(head[0])
  if (!isList) return what
  return head.length === 0 ? 'an empty list' : `a list whose ${log.place} is ${what}`
}

function describeFields(fields: Fields): string {
  const keys = Object.keys(fields)
  if (keys.length === 0) return 'an empty object'
  const shown = keys.slice(0, 6).map((key) => (key.length > 30 ? `${key.slice(0, 30)}…` : key))
  return `an object with the keys ${shown.join(', ')}${keys.length > shown.length ? ', …' : ''}`
}
