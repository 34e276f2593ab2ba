/**
 * Reads files block by block and unpacks them on the way, so that a file of any size takes little
 * memory.
 *
 * @module
 */

import { closeSync, openSync, readSync } from 'node:fs'
import { Gunzip } from 'fflate'
import { Decompress } from 'fzstd'

const BLOCK = 256 * 1024
/** How many blocks are read between two progress reports. */
const REPORTED = 16

const STANDARD_INPUT = 0

/** The first bytes of packed files. */
const PACKED = {
  gzip: [0x1f, 0x8b],
  zstd: [0x28, 0xb5, 0x2f, 0xfd],
  zip: [0x50, 0x4b, 3, 4],
} as const

/** How a file is packed. */
export type Packing = keyof typeof PACKED

/** How much is unpacked at a time: it may become a thousand times as much, or 32,000 times. */
const PIECE = { gzip: 16 * 1024, zstd: 1024 }

/** No more is unpacked: a small file may hold terabytes. */
const MAX_UNPACKED = 16 * 1024 ** 3

/** Returns how a file is packed that begins with these bytes. */
export function packingOf(start: Uint8Array): Packing | undefined {
  const packings = Object.keys(PACKED) as Packing[]
  return packings.find((one) => PACKED[one].every((byte, index) => start[index] === byte))
}

/** Returns the first bytes of a file. */
export function startOf(file: string, most: number): Uint8Array {
  const start = Buffer.alloc(most)
  const handle = openSync(file, 'r')
  try {
    return start.subarray(0, readSync(handle, start, 0, most, 0))
  } finally {
    closeSync(handle)
  }
}

/**
 * Reads a file block by block; `-` is standard input. Each block is valid until the next one is
 * requested.
 *
 * @param onRead Called with the number of bytes while a large file is read.
 */
export function* blocksOf(
  file: string,
  onRead: (bytes: number) => void = () => {},
): Generator<Uint8Array, void, void> {
  const handle = file === '-' ? STANDARD_INPUT : openSync(file, 'r')
  try {
    const block = Buffer.allocUnsafe(BLOCK)
    for (let count = 1; ; count++) {
      const length = readSync(handle, block, 0, BLOCK, null)
      if (length === 0) return
      yield block.subarray(0, length)
      if (count % REPORTED === 0) onRead(REPORTED * BLOCK)
    }
  } finally {
    if (handle !== STANDARD_INPUT) closeSync(handle)
  }
}

/**
 * Unpacks blocks, one after the other.
 *
 * @throws TypeError when they are damaged, or too large when unpacked.
 */
export function* unpackBlocks(
  blocks: Iterable<Uint8Array>,
  packing: 'gzip' | 'zstd',
  maxBytes = MAX_UNPACKED,
): Generator<Uint8Array, void, void> {
  let ready: Uint8Array[] = []
  let size = 0
  const take = (chunk: Uint8Array) => {
    size += chunk.length
    if (size <= maxBytes) ready.push(chunk)
  }
  const engine = packing === 'gzip' ? new Gunzip(take) : new Decompress(take)
  const push = (piece: Uint8Array, isLast: boolean) => {
    ready = []
    try {
      engine.push(piece, isLast)
    } catch (cause) {
      throw new TypeError(`transcript: the ${packing} data is damaged`, { cause })
    }
    if (size > maxBytes)
      throw new TypeError(`transcript: more than ${maxBytes} bytes when unpacked`)
    return ready
  }
  for (const block of blocks) {
    for (let at = 0; at < block.length; at += PIECE[packing]) {
      // What is not unpacked yet is kept, but the block is not.
      yield* push(new Uint8Array(block.subarray(at, at + PIECE[packing])), false)
    }
  }
  yield* push(new Uint8Array(0), true)
}

/** Unpacks Zstandard, for `unpackTranscript`. */
export const zstd = (bytes: Uint8Array): Iterable<Uint8Array> => unpackBlocks([bytes], 'zstd')
