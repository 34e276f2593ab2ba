/** No input makes the compiled engine panic: there is no way from its exports to a panic. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { compile, ENGINE, findPath, plainName, readCallGraph } from './call-graph.js'

/** Where every panic of Rust goes through. */
const PANIC = 'core::panicking::panic_fmt'

/**
 * The only functions in front of a panic, none of them ours, and why no input leads there.
 * Whoever needs to add one must have such a reason.
 */
const ARGUED: Record<string, string> = {
  'alloc::raw_vec::handle_error':
    'Memory ran out: 4 GiB, or what the host allows. What is kept is bounded, and one argument is at most 64 Mi characters.',
  'alloc::raw_vec::RawVecInner<A>::shrink':
    'Its callers, Vec::shrink_to and into_boxed_slice, compare the lengths before they call it.',
  'hashbrown::raw::RawTable<T,A>::reserve_rehash':
    'It fails for a table of more than 2^28 entries, or if memory ran out. Ours hold the calls of a window, the fingerprints of a swarm (a million at most), and the workers of one (65,536).',
}

const graph = readCallGraph(ENGINE)

/** Names are the compiler's to change. If it does, these fail, before the engine passes unseen. */
describe('a module that can panic', () => {
  const made = readPanicking()
  const exported = made.roots.filter((name) => /^(panics|works)_/.test(name))
  const wayFrom = (name: string) => findPath({ ...made, roots: [name] }, isPanic, () => false)

  it('is read whole', () => {
    const source = readFileSync(path.join(import.meta.dirname, 'panicking.rs'), 'utf8')
    const written = [...source.matchAll(/^ {4}((?:panics|works)_\w+)\(/gm)].map(([, name]) => name)
    expect(written.length).toBeGreaterThan(30)
    expect(exported.toSorted()).toEqual(written.toSorted())
  })

  it.each(exported.filter((name) => name.startsWith('panics')))('is told: %s', (name) => {
    expect(wayFrom(name)).not.toBeNull()
  })

  it.each(exported.filter((name) => name.startsWith('works')))('is told apart: %s', (name) => {
    expect(wayFrom(name)).toBeNull()
  })
})

describe('the compiled engine', () => {
  it('is read whole', () => {
    expect(graph.functions.size).toBeGreaterThan(500)
    const names = [...graph.functions.keys()].map(plainName)
    expect(names).toEqual(expect.arrayContaining([PANIC, ...Object.keys(ARGUED)]))
    expect(graph.roots.map(plainName)).toEqual(
      expect.arrayContaining([
        'engine_record',
        'engine_recordResult',
        'engine_pushText',
        'scratch',
      ]),
    )
    // Without the exceptions there is a way, so the search does find what is there.
    expect(findPath(graph, isPanic, () => false)).not.toBeNull()
  })

  it('has no way from an export or a table to a panic, but through what is argued', () => {
    expect(findPath(graph, isPanic, (name) => name in ARGUED)).toBeNull()
  })

  it('has no exception that is not needed', () => {
    for (const one of Object.keys(ARGUED)) {
      const others = (name: string) => name in ARGUED && name !== one
      expect(
        findPath(graph, (name) => name === one, others),
        one,
      ).not.toBeNull()
    }
  })

  it('has no trap of its own: a dead end only follows a call that does not return', () => {
    const ours = [...graph.functions.values()].filter(({ name }) => /\bloophound::/.test(name))
    expect(ours.length).toBeGreaterThan(200)
    const odd = ours.flatMap(({ name, dead }) =>
      dead.filter((before) => !isEnd(plainName(before))).map(() => plainName(name)),
    )
    // The glue around our classes: a null handle, which the façade never passes.
    expect(odd.filter((name) => !name.includes('wasm_bindgen::convert'))).toEqual([])
  })
})

function isPanic(name: string): boolean {
  return name === PANIC
}

function isEnd(name: string): boolean {
  return name === 'alloc::raw_vec::handle_error' || name.startsWith('wasm_bindgen::')
}

function readPanicking() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'loophound-panics-'))
  try {
    return readCallGraph(compile('panicking.rs', folder))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
