/** Packs files as the programs do that write transcripts. */

import { deflateRawSync } from 'node:zlib'

/** Writes a zip, with its files stored or deflated. */
export function zip(files: Record<string, string>, method: 0 | 8 | 93 = 8): Buffer {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, content] of Object.entries(files)) {
    const data = method === 8 ? deflateRawSync(content) : Buffer.from(content)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(method, 8)
    local.writeUInt32LE(data.length, 18)
    local.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(method, 10)
    entry.writeUInt32LE(data.length, 20)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(offset, 42)
    const written = Buffer.concat([local, Buffer.from(name), data])
    locals.push(written)
    directory.push(Buffer.concat([entry, Buffer.from(name)]))
    offset += written.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(directory.length, 10)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, ...directory, end])
}

/** The most that a block of Zstandard holds. */
const BLOCK = 128 * 1024

/** Writes a frame of Zstandard whose blocks are stored as they are. */
export function zstd(content: string): Buffer {
  const data = Buffer.from(content)
  const header = Buffer.alloc(9)
  header.writeUInt32LE(0xfd2fb528, 0)
  // One segment, with its size in four bytes.
  header.writeUInt8(0xa0, 4)
  header.writeUInt32LE(data.length, 5)
  const parts = [header]
  for (let start = 0; start < data.length; start += BLOCK) {
    const block = data.subarray(start, start + BLOCK)
    const isLast = start + BLOCK >= data.length
    const size = Buffer.alloc(3)
    size.writeUIntLE(block.length * 8 + Number(isLast), 0, 3)
    parts.push(size, block)
  }
  return Buffer.concat(parts)
}
