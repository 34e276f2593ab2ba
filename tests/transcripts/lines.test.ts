/** Text in chunks of any size, as strings or as bytes, has the same lines. */

import { MAX_LINE, splitLines } from 'loophound/transcripts'
import { describe, expect, it } from 'vitest'

const TEXT = '\uFEFFeins\r\n\nzwei – 🦊…\n\uFEFFdrei\r\nlast, ünfinished'
const LINES = ['eins', '', 'zwei – 🦊…', '\uFEFFdrei', 'last, ünfinished']

function* pieces<T extends { slice(start: number, end: number): T; length: number }>(
  whole: T,
  size: number,
): Generator<T> {
  for (let start = 0; start < whole.length; start += size) yield whole.slice(start, start + size)
}

describe('splitLines', () => {
  const bytes = new TextEncoder().encode(TEXT)

  it.each([1, 2, 3, 5, 7, 16, 1000])('in pieces of %i', (size) => {
    expect([...splitLines(pieces(bytes, size))]).toEqual(LINES)
    expect([...splitLines(pieces(TEXT, size))]).toEqual(LINES)
  })

  it.each([1, 2, 3, 5, 16, 1000])('of UTF-16, in pieces of %i', (size) => {
    const little = new Uint8Array(Buffer.from(TEXT, 'utf16le'))
    const big = new Uint8Array(Buffer.from(little).swap16())
    for (const encoded of [little, big])
      expect([...splitLines(pieces(encoded, size))]).toEqual(LINES)
  })

  it('in a buffer that is used again for the next block', () => {
    const block = new Uint8Array(4)
    const blocks = function* () {
      for (const piece of pieces(bytes, 4)) {
        block.set(piece)
        yield block.subarray(0, piece.length)
      }
    }
    expect([...splitLines(blocks())]).toEqual(LINES)
  })

  it('with bytes and strings in turn', () => {
    const encode = (text: string) => new TextEncoder().encode(text)
    expect([...splitLines([encode('ä'), 'b\nc', encode('d\n'), ''])]).toEqual(['äb', 'cd'])
  })

  it('with bytes that are no UTF-8, also at the very end', () => {
    const broken = new Uint8Array([97, 0xff, 10, 98, 0xe2, 0x82])
    expect([...splitLines([broken])]).toEqual(['a\uFFFD', 'b\uFFFD'])
    expect([...splitLines(pieces(broken, 1))]).toEqual(['a\uFFFD', 'b\uFFFD'])
  })

  it('counts characters, not bytes, of a long line', () => {
    const long = 'é'.repeat(MAX_LINE)
    const encoded = new TextEncoder().encode(`${long}\n${long}x\nend`)
    const found = [...splitLines(pieces(encoded, 1 << 20))]
    expect(found.map((line) => line?.length)).toEqual([MAX_LINE, undefined, 3])
  })
})
