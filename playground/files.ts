/**
 * Reads the files and folders that a visitor drops or picks. Nothing is sent anywhere.
 *
 * @module
 */

import { decompress } from 'fzstd'
import { unpackTranscript } from 'loophound/transcripts'
import { several } from '../js/report/figures.js'
import { readShared, type Shared } from './hash.js'
import type { Source } from './judge.js'

/** File names of transcripts. Only such files are read from a folder. */
const NAMED = /\.(?:jsonl|ndjson|json|traj|eval|md|txt|log)(?:\.gz|\.zst)?$/i
/** The largest file that is read. */
const MAX_BYTES = 256 * 2 ** 20
/** Characters that are kept in all. */
const MAX_TOTAL = 512 * 2 ** 20

/** How many problems are shown one by one; the others are only counted. */
const TOLD = 3

/** A file that was dropped or picked, and where it was. */
export interface Given {
  readonly path: string
  /** Rejects if it cannot be opened. */
  readonly open: () => Promise<File>
  /** Whether it is a folder whose files could not be listed. */
  readonly isFolder?: boolean
}

/** What was read. */
export interface Read {
  readonly sources: readonly Source[]
  /** What was not read, and why, in sentences; empty if everything was. */
  readonly notice: string
  /** What this page saved, if that is what was given. */
  readonly saved: Shared | null
}

/** Reads files; each gets a unique name. */
export async function readFiles(given: readonly Given[]): Promise<Read> {
  const sources: Source[] = []
  const problems: string[] = []
  let leftOut = 0
  let total = 0
  for (const { path, open, isFolder = false } of given) {
    if (given.length > 1 && !isFolder && !NAMED.test(path)) {
      leftOut += 1
      continue
    }
    try {
      const file = await open()
      if (file.size > MAX_BYTES || total > MAX_TOTAL) {
        problems.push(`${path} is too large for a page; the command "loophound scan" reads it.`)
        continue
      }
      const bytes = new Uint8Array(await file.arrayBuffer())
      const data = await unpackTranscript(bytes, { zstd: decompress, maxBytes: MAX_BYTES })
      const text = typeof data === 'string' ? data : JSON.stringify(data)
      const saved = given.length === 1 ? savedIn(text) : null
      if (saved) return { sources: [], notice: '', saved }
      total += text.length
      sources.push({ name: unused(path, sources), text })
    } catch (error) {
      problems.push(`${path}: ${(error as Error).message}`)
    }
  }
  return { sources, notice: noticeOf(problems, leftOut, sources.length), saved: null }
}

function noticeOf(problems: readonly string[], leftOut: number, read: number): string {
  const parts = problems.slice(0, TOLD)
  if (problems.length > 1) parts.unshift(`${several(problems.length, 'file')} could not be opened.`)
  if (problems.length > TOLD) parts.push(`And ${problems.length - TOLD} more.`)
  if (read === 0 && problems.length === 0) {
    parts.push('No transcript is among these files: none ends in .jsonl, .json or the like.')
  } else if (leftOut > 0) {
    parts.push(`${several(leftOut, 'file')} left out: only .jsonl, .json and the like are read.`)
  }
  return parts.join(' ')
}

/** What this page saved, if the text is that. */
export function savedIn(text: string): Shared | null {
  if (!text.startsWith('{"engine":')) return null
  try {
    return readShared(JSON.parse(text))
  } catch {
    return null
  }
}

function unused(name: string, sources: readonly Source[]): string {
  if (!sources.some((source) => source.name === name)) return name
  return unused(`${name}'`, sources)
}

/** The files that were picked. */
export const picked = (files: Iterable<File>): Given[] =>
  Array.from(files, (file) => ({
    path: file.webkitRelativePath || file.name,
    open: async () => file,
  }))

/** A file or folder of a drop. */
interface Dropped {
  readonly path: string
  readonly open: (() => Promise<File>) | null
  readonly children: () => Promise<Dropped[]>
}

/** The files of a drop, those in folders among them. */
export async function filesOf({ items, files }: DataTransfer): Promise<Given[]> {
  // Everything has to be taken before anything is awaited.
  const entries = Array.from(items, (item) => item.webkitGetAsEntry?.() ?? null)
  if (!entries.some((entry) => entry?.isDirectory)) return picked(files)
  // Chromium does not read the entries of a page that was opened from a disk, but the handles.
  const handles = location.protocol === 'file:' ? Array.from(items, handleOf) : []
  const given: Given[] = []
  for (const [index, entry] of entries.entries()) {
    const handle = await handles[index]
    if (handle) await collect(fromHandle(handle, handle.name), given)
    else if (entry) await collect(fromEntry(entry), given)
  }
  return given
}

async function collect({ path, open, children }: Dropped, into: Given[]): Promise<void> {
  if (open) {
    into.push({ path, open })
    return
  }
  try {
    for (const one of await children()) await collect(one, into)
  } catch (error) {
    into.push({ path, open: () => Promise.reject(error), isFolder: true })
  }
}

function fromEntry(entry: FileSystemEntry): Dropped {
  return {
    path: entry.fullPath.slice(1),
    open: isFile(entry)
      ? () => new Promise<File>((resolve, reject) => entry.file(resolve, reject))
      : null,
    async children() {
      const reader = (entry as FileSystemDirectoryEntry).createReader()
      const all: Dropped[] = []
      for (;;) {
        // Each call returns some of them, and none when there are no more.
        const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
          reader.readEntries(resolve, reject),
        )
        if (some.length === 0) return all
        all.push(...some.map(fromEntry))
      }
    },
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile
}

function fromHandle(handle: FileSystemHandle, path: string): Dropped {
  return {
    path,
    open: handle.kind === 'file' ? () => (handle as FileSystemFileHandle).getFile() : null,
    async children() {
      const all: Dropped[] = []
      for await (const one of (handle as FileSystemDirectoryHandle).values()) {
        all.push(fromHandle(one, `${path}/${one.name}`))
      }
      return all
    },
  }
}

/** Returns the handle of what was dropped, where the browser has handles. */
async function handleOf(item: DataTransferItem): Promise<FileSystemHandle | null> {
  const { getAsFileSystemHandle: take } = item as {
    getAsFileSystemHandle?: () => Promise<FileSystemHandle | null>
  }
  return (await take?.call(item).catch(() => null)) ?? null
}
