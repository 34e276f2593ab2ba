/**
 * No event makes the compiled engine panic: there is no way from what records one to a panic.
 *
 * In the published engine a panic is one instruction, which tells nothing. So the same source is
 * compiled for this test with panics that are functions.
 *
 * Building, restoring and reading may panic; js/engine recovers from that.
 */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  compile,
  compileEngine,
  findPath,
  plainName,
  reachable,
  readCallGraph,
  type Ways,
} from './call-graph.js'

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
  'alloc::rc::Rc<T,A>::drop_slow':
    'Frees the detector, of which JavaScript keeps a reference for as long as it calls it.',
  'hashbrown::raw::RawTable<T,A>::reserve_rehash':
    'It fails for a table of more than 2^28 entries, or if memory ran out. Ours hold the calls of a window, the fingerprints of a swarm (a million at most), and the workers of one (65,536).',
}

/**
 * What stands in the table for somebody else. Calls through the table are told apart by their
 * signatures alone, and these have common ones.
 */
const FOR_OTHERS: {
  readonly name: RegExp
  readonly callers: RegExp | null
  readonly why: string
}[] = [
  {
    name: /\bcore::fmt::/,
    callers: /\bcore::fmt::/,
    why: 'How values are printed. Only printing calls it, and recording prints nothing.',
  },
  {
    name: /^wasm_bindgen::convert::closures\b|^js_sys::futures\b/,
    callers: null,
    why: 'What js-sys would have JavaScript call. None of it is used.',
  },
]

const argued: Ways = {
  isClosed: (name) => name in ARGUED,
  isMeant: (name, caller) =>
    FOR_OTHERS.every((other) => !other.name.test(name) || other.callers?.test(caller)),
}

/** What is called while an agent runs, again and again, with whatever it does. */
const EVENTS = [
  'scratch',
  'fingerprint',
  'engine_record',
  'engine_recordResult',
  'engine_recordText',
  'engine_pushText',
  'engine_beginTurn',
  'engine_beginBatch',
  'engine_endBatch',
  'engine_userMessage',
  'engine_contextCompacted',
  'engine_clearAfterFeedback',
  'engine_extend',
  'engine_isStuck',
  'swarm_record',
  'swarm_recordFingerprint',
]

/** What is called once, or only looks. */
const OTHERS = [
  ...['engine_new', 'engine_restore', 'engine_reset', 'presetOptions'],
  ...['engine_calls', 'engine_explain'],
  ...['engine_verdict', 'engine_state', 'engine_recentNames', 'engine_toJSON'],
  ...['swarm_new', 'swarm_restore', 'swarm_clear', 'swarm_createWorkerId'],
  ...['swarm_verdict', 'swarm_info', 'swarm_loops', 'swarm_stats', 'swarm_toJSON'],
]

const graph = readCallGraph(await compileEngine())
const events = EVENTS.map((name) => graph.exports.get(name) as string)

/** Names are the compiler's to change. If it does, these fail, before the engine passes unseen. */
describe('a module that can panic', () => {
  const made = readPanicking()
  const exported = [...made.exports.keys()].filter((name) => /^(panics|works)_/.test(name))
  const wayFrom = (name: string) => findPath(made, [name], PANIC)

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
    const ours = [...graph.exports.keys()].filter((name) => !name.startsWith('__'))
    expect(ours.toSorted()).toEqual([...EVENTS, ...OTHERS].toSorted())
    expect(graph.table.length).toBeGreaterThan(50)
    // Without the exceptions there is a way, so the search does find what is there.
    expect(findPath(graph, events, PANIC)).not.toBeNull()
  })

  it.each(EVENTS)('has no way from %s to a panic, but through what is argued', (name) => {
    const start = graph.exports.get(name) as string
    expect(findPath(graph, [start], PANIC, argued)).toBeNull()
  })

  it('has no exception that is not needed', () => {
    for (const one of Object.keys(ARGUED)) {
      const others = (name: string) => name in ARGUED && name !== one
      expect(findPath(graph, events, one, { ...argued, isClosed: others }), one).not.toBeNull()
    }
    for (const { name } of FOR_OTHERS) {
      expect(graph.table.map(plainName)).toContainEqual(expect.stringMatching(name))
    }
  })

  it('has no trap of its own: a dead end only follows a call that does not return', () => {
    const names = [...reachable(graph, events, argued).keys()]
    const ours = names.filter((name) => /\bloophound(_wasm)?::/.test(name))
    expect(ours.length).toBeGreaterThan(100)
    const odd = ours.flatMap((name) =>
      (graph.functions.get(name)?.dead ?? [])
        .filter((before) => !isEnd(plainName(before)))
        .map(() => plainName(name)),
    )
    // The glue around our classes: a null handle, which the façade never passes.
    expect(odd.filter((name) => !name.includes('wasm_bindgen::convert'))).toEqual([])
  })
})

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
