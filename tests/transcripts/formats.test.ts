/** Every format: a small transcript of each is recognised and read, whole and in chunks. */

import { readFileSync } from 'node:fs'
import { type AgentEvent, readTranscript } from 'loophound'
import { readTranscript as readFromEntry, streamTranscript } from 'loophound/transcripts'
import { describe, expect, it } from 'vitest'
import { recordsOf } from './pick.js'
import { SAMPLES } from './samples/index.js'
import { summarize } from './summary.js'

describe.each(SAMPLES)('%s', (format, { text, expected }) => {
  it('is recognised, and has what is in it', () => {
    expect(summarize(readTranscript(text))).toMatchObject({ format, ...expected })
  })

  it('can be named', () => {
    expect(readTranscript(text, format).format).toBe(format)
  })

  it('is the same as bytes, with a byte-order mark, and with CRLF', () => {
    const plain = readTranscript(text)
    const crlf = `\uFEFF${text.replaceAll('\n', '\r\n')}\r\n`
    expect(readTranscript(new TextEncoder().encode(text))).toEqual(plain)
    expect(readTranscript(crlf)).toEqual(plain)
    expect(readFromEntry(text)).toEqual(plain)
  })

  it('is the same in UTF-16, as PowerShell writes it', () => {
    const plain = readTranscript(text)
    const little = new Uint8Array(Buffer.from(`\uFEFF${text}`, 'utf16le'))
    const big = Buffer.from(little).swap16()
    for (const bytes of [little, big]) expect(readTranscript(bytes)).toEqual(plain)
  })

  it('is the same within the answer of an API, in a list of sessions, and taken out of a list', () => {
    if (format === 'aider') return
    const plain = summarize(readTranscript(text))
    const records = recordsOf(text)
    const held = records.length === 1 ? records[0] : records
    for (const wrapped of [
      { data: held },
      { ok: true, data: { session: held } },
      { sessions: [held] },
      [records],
    ]) {
      expect(summarize(readTranscript(wrapped))).toEqual(plain)
      expect(summarize(readTranscript(JSON.stringify(wrapped)))).toEqual(plain)
    }
    const listed = records.map((record) => `${JSON.stringify(record)},`).join('\n')
    expect(summarize(readTranscript(listed))).toEqual(plain)
  })

  it('is the same in chunks of any size', () => {
    const plain = readTranscript(text).agents.flatMap(({ events }) => events)
    const bytes = new TextEncoder().encode(text)
    for (const size of [1, 7, 1000]) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      )
      const stream = streamTranscript(chunks)
      const events: AgentEvent[] = [...stream]
      expect(stream.format).toBe(format)
      expect(events).toHaveLength(plain.length)
      expect(new Set(events.map((event) => JSON.stringify(event)))).toEqual(
        new Set(plain.map((event) => JSON.stringify(event))),
      )
    }
  })

  it('has a row in docs/scan.md', () => {
    const page = readFileSync(new URL('../../docs/scan.md', import.meta.url), 'utf8')
    expect(page).toContain(`| \`${format}\` |`)
  })
})
