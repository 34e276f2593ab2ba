/**
 * What readers of traces share: a tree of spans, and events in chronological order.
 *
 * @module
 */

import { timeOf } from './data.js'
import type { RawEvent } from './raw-event.js'

/** The tree that spans form. */
export class Tree<T> {
  readonly #byId = new Map<unknown, T>()
  readonly #spans: readonly T[]
  readonly #parentOf: (span: T) => unknown

  constructor(spans: readonly T[], idOf: (span: T) => unknown, parentOf: (span: T) => unknown) {
    this.#spans = spans
    this.#parentOf = parentOf
    for (const span of spans) this.#byId.set(idOf(span), span)
  }

  /**
   * Returns a function that finds the nearest span of a kind above another, in constant time each.
   */
  nearest(isSuch: (span: T) => boolean): (span: T) => T | undefined {
    const known = new Map<T, T | undefined>()
    return (span) => {
      const passed = new Set<T>()
      let found: T | undefined
      // A damaged trace may contain cycles.
      for (let at: T | undefined = span; at && !passed.has(at); ) {
        if (known.has(at)) {
          found = known.get(at)
          break
        }
        passed.add(at)
        at = this.#parent(at)
        if (at && isSuch(at)) {
          found = at
          break
        }
      }
      for (const one of passed) known.set(one, found)
      return found
    }
  }

  /** Returns a function that returns whether a span has a span of a kind below it. */
  above(isSuch: (span: T) => boolean): (span: T) => boolean {
    const found = new Set<T>()
    for (const span of this.#spans) {
      if (!isSuch(span)) continue
      for (let at = this.#parent(span); at && !found.has(at); at = this.#parent(at)) found.add(at)
    }
    return (span) => found.has(span)
  }

  #parent(span: T): T | undefined {
    return this.#byId.get(this.#parentOf(span))
  }
}

/** Reads spans in the order of their start, and yields their events in chronological order. */
export function* inTimeOrder<T>(
  spans: readonly T[],
  startOf: (span: T) => unknown,
  read: (span: T) => Iterable<RawEvent>,
): Iterable<RawEvent> {
  const started = spans.map((span) => ({ span, start: timeOf(startOf(span)) ?? 0 }))
  started.sort((a, b) => a.start - b.start)
  const events = started.flatMap(({ span, start }) =>
    Array.from(read(span), (event) => ({ event, time: timeOf(event.at) ?? start })),
  )
  events.sort((a, b) => a.time - b.time)
  for (const { event } of events) yield event
}
