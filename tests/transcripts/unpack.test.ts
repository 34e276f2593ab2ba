/** Files that are packed: gzip, Zstandard by a function of the host, and Inspect's zip. */

import { gzipSync } from 'node:zlib'
import { readTranscript, unpackTranscript } from 'loophound/transcripts'
import { describe, expect, it } from 'vitest'
import { zip } from './packed.js'
import { SAMPLES } from './samples/index.js'

const encode = (text: string) => new TextEncoder().encode(text)

const sample = (id: number) =>
  JSON.stringify({ id, epoch: 1, messages: [{ role: 'user', content: 'q' }] })
const EVAL = {
  'header.json': JSON.stringify({ version: 2, eval: { task: 'x' } }),
  'samples/1_epoch_1.json': sample(1),
  'samples/2_epoch_1.json': sample(2),
  'summaries.json': '[]',
}

describe('gzip', () => {
  it.each(SAMPLES)('%s is the same packed', async (format, { text }) => {
    expect(readTranscript(await unpackTranscript(gzipSync(text))).format).toBe(format)
    expect(await unpackTranscript(encode(text))).toBe(text)
  })

  it('cut off after any byte is a TypeError', async () => {
    const packed = gzipSync('{"t":"turn"}\n'.repeat(50))
    for (let length = 2; length < packed.length; length++) {
      await expect(unpackTranscript(packed.subarray(0, length))).rejects.toThrow(TypeError)
    }
  })

  it('is not unpacked beyond the limit', async () => {
    const bomb = gzipSync(Buffer.alloc(20_000_000))
    await expect(unpackTranscript(bomb, { maxBytes: 1_000_000 })).rejects.toThrow(
      'transcript: more than 1000000 bytes when unpacked',
    )
  })
})

describe('Zstandard', () => {
  const packed = new Uint8Array([0x28, 0xb5, 0x2f, 0xfd, 1, 2, 3])

  it('is unpacked by the function of the host', async () => {
    const zstd = () => encode('{"t":"turn"}')
    expect(await unpackTranscript(packed, { zstd })).toBe('{"t":"turn"}')
  })

  it('is not unpacked beyond the limit', async () => {
    const unpacked = Buffer.alloc(20)
    let asked = 0
    function* chunks() {
      for (; ; asked++) yield unpacked
    }
    for (const zstd of [() => unpacked, async () => unpacked, chunks]) {
      await expect(unpackTranscript(packed, { zstd, maxBytes: 19 })).rejects.toThrow(
        'transcript: more than 19 bytes when unpacked',
      )
    }
    expect(asked).toBe(0)
  })

  it('is refused without one, and when it fails', async () => {
    await expect(unpackTranscript(packed)).rejects.toThrow('options.zstd is needed')
    const zstd = () => {
      throw new Error('bad')
    }
    await expect(unpackTranscript(packed, { zstd })).rejects.toThrow(
      'the Zstandard data is damaged',
    )
  })
})

describe("Inspect's zip", () => {
  it.each([[0], [8], [93]] as const)('is read with method %i', async (method) => {
    const log = await unpackTranscript(zip(EVAL, method), { zstd: (bytes) => bytes })
    const { format, agents } = readTranscript(log)
    expect(format).toBe('inspect')
    expect(agents.map(({ id }) => id)).toEqual(['1_epoch_1', '2_epoch_1'])
  })

  it('damaged at any byte is read or a TypeError', async () => {
    const packed = zip(EVAL)
    for (let index = 0; index < packed.length; index++) {
      const damaged = Buffer.from(packed)
      damaged[index] = (damaged[index] ?? 0) ^ 0xff
      for (const bytes of [damaged, packed.subarray(0, index)]) {
        await unpackTranscript(bytes).catch((error) => expect(error).toBeInstanceOf(TypeError))
      }
    }
  })

  it('of something else is refused', async () => {
    await expect(unpackTranscript(zip({ 'a.txt': 'a' }))).rejects.toThrow('without header.json')
  })
})
