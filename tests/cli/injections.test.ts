/** What a tool prints reaches the model through the hook only as a clean quotation, in every host's dialect. */

import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { answerInput } from '../../js/cli/hook/answer.js'
import type { Host } from '../../js/cli/hook/dialect.js'
import { inRoot } from '../docs/pages.js'
import { HOST_EVENTS } from './host-events.js'
import { type Event, temporaryFolder } from './run.js'

// Plain JavaScript without types: named by a variable, so that the compiler does not look for any.
const file = inRoot('tests/support/injections.mjs')
const { flawIn, injections } = (await import(file)) as {
  flawIn: (text: string, mark: string) => string | null
  injections: () => { readonly mark: string; readonly text: string }[]
}

const folder = temporaryFolder()
const all = injections()

/** What the recorded failures print. */
const PRINTED = /No such file or directory|Error: expected 3, got 4/g

/** The event, as if its tool had printed something else, in a session of its own. */
function changed(event: Event, session: string, text: string): Event {
  const change = (value: unknown): unknown => {
    // Some hosts report results as JSON text.
    if (typeof value === 'string') {
      const inJson = value.startsWith('{') ? JSON.stringify(text).slice(1, -1) : text
      return value.replaceAll(PRINTED, () => inJson)
    }
    if (Array.isArray(value)) return value.map(change)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, change(one)]))
  }
  const own = ['session_id', 'sessionId', 'conversation_id'].filter((name) => name in event)
  return {
    ...(change(event) as Event),
    ...Object.fromEntries(own.map((name) => [name, session])),
  }
}

/** All texts in an answer. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

describe.each(Object.entries(HOST_EVENTS))('%s', (host, events) => {
  // All of them in one dialect; what the others do with a text is the same for every text.
  const tried = host === 'claude-code' ? all : all.filter((_, index) => index % 6 === 0)

  it(`inject: ${tried.length} strings are quoted, and nothing else`, { timeout: 180_000 }, () => {
    let quoted = 0
    for (const { mark, text } of tried) {
      const told: string[] = []
      const report = (event: Event | null) => {
        if (event === null) return
        const input = JSON.stringify(changed(event, mark, text))
        const options = { detector: {}, observes: false, folder: path.join(folder, host) }
        told.push(...textsIn(answerInput(input, { ...options, host: host as Host })))
      }
      for (let step = 0; step < 4; step++) {
        const at = { step, place: 0 }
        report(events.call(at))
        report(events.failure(at))
        for (const event of events.endOfStep([at])) report(event)
      }
      expect(told.length, text).toBeGreaterThan(0)
      for (const one of told) expect(flawIn(one, mark), one).toBe(null)
      if (told.some((one) => one.includes(mark))) quoted++
    }
    // Codex does not say which commands fail: not all of these look like failures.
    expect(quoted).toBeGreaterThan(0.9 * tried.length)
  })
})
