/**
 * The state of the page, and all that can happen to it.
 *
 * @module
 */

import type { LoopDetectorOptions } from 'loophound'
import type { FolderReport } from '../js/report/folder-report.js'
import type { Shared, View } from './hash.js'
import type { Format, Source } from './judge.js'
import type { Mark } from './labels.js'
import { change, type Json, type Path } from './options.js'
import { MOST_MOVES, type Move } from './simulation.js'

/** Which of the two option sets. */
export type Side = 0 | 1
type Pair<T> = readonly [T, T]

/** What one option set says about the transcripts. */
export interface Result {
  readonly report: FolderReport | null
  readonly error: string | null
}

export interface State {
  readonly view: View
  readonly sources: readonly Source[]
  readonly format: Format
  /** The session that is shown, if it was chosen. */
  readonly chosen: string | null
  /** The options, and those to compare with. */
  readonly sets: Pair<LoopDetectorOptions>
  /** Which of them the controls change. */
  readonly edited: Side
  readonly results: Pair<Result>
  readonly marks: readonly Mark[]
  readonly moves: readonly Move[]
  /** What the visitor should know now. */
  readonly notice: string | null
}

export type Action =
  | { readonly type: 'view'; readonly view: View }
  | { readonly type: 'load'; readonly sources: readonly Source[]; readonly notice?: string | null }
  | { readonly type: 'format'; readonly format: Format }
  | { readonly type: 'choose'; readonly file: string }
  | { readonly type: 'edit'; readonly side: Side }
  | { readonly type: 'options'; readonly options: LoopDetectorOptions }
  | { readonly type: 'change'; readonly path: Path; readonly value: Json }
  | { readonly type: 'judged'; readonly side: Side; readonly report: FolderReport }
  | { readonly type: 'refused'; readonly side: Side; readonly error: string }
  | { readonly type: 'mark'; readonly mark: Mark }
  | { readonly type: 'unmark'; readonly mark: Mark }
  | { readonly type: 'move'; readonly moves: readonly Move[] }
  | { readonly type: 'restart' }
  | { readonly type: 'open'; readonly shared: Shared; readonly notice: string | null }
  | { readonly type: 'notice'; readonly notice: string | null }

const NOTHING: Result = { report: null, error: null }

/** The page as it opens, with a first transcript. */
export function initialState(source: Source): State {
  return {
    view: 'session',
    sources: [source],
    format: 'auto',
    chosen: null,
    sets: [{ preset: 'balanced' }, { preset: 'window' }],
    edited: 0,
    results: [NOTHING, NOTHING],
    marks: [],
    moves: [],
    notice: null,
  }
}

/** Returns what the page is after an action. */
export function reduce(state: State, action: Action): State {
  switch (action.type) {
    case 'view':
      // Only the comparison shows the second set.
      return { ...state, view: action.view, edited: action.view === 'compare' ? state.edited : 0 }
    case 'load': {
      const { sources, notice = null } = action
      const view = state.view === 'compare' ? 'compare' : 'session'
      const fresh = { format: 'auto', chosen: null, marks: [] } as const
      return { ...state, ...fresh, view, sources, notice, results: [NOTHING, NOTHING] }
    }
    case 'format':
      return { ...state, format: action.format }
    case 'choose':
      return { ...state, chosen: action.file }
    case 'edit':
      return { ...state, edited: action.side }
    case 'options':
      return { ...state, sets: replace(state.sets, state.edited, action.options) }
    case 'change': {
      const options = change(state.sets[state.edited], action.path, action.value)
      return { ...state, sets: replace(state.sets, state.edited, options) }
    }
    case 'judged': {
      const result = { report: action.report, error: null }
      return { ...state, results: replace(state.results, action.side, result) }
    }
    case 'refused': {
      // The last good report stays, so that a half-typed number does not empty the page.
      const result = { ...state.results[action.side], error: action.error }
      return { ...state, results: replace(state.results, action.side, result) }
    }
    case 'mark':
      return { ...state, marks: [...state.marks, action.mark] }
    case 'unmark':
      return { ...state, marks: state.marks.filter((mark) => mark !== action.mark) }
    case 'move':
      return { ...state, moves: [...state.moves, ...action.moves].slice(0, MOST_MOVES) }
    case 'restart':
      return { ...state, moves: [] }
    case 'open': {
      const { view, sets, format, moves, source } = action.shared
      const opened = source
        ? { sources: [source], chosen: null, marks: [], results: [NOTHING, NOTHING] as const }
        : {}
      const edited = 0
      const { notice } = action
      return { ...state, ...opened, view, sets, format: format as Format, moves, edited, notice }
    }
    case 'notice':
      return { ...state, notice: action.notice }
  }
}

function replace<T>([first, second]: Pair<T>, side: Side, value: T): Pair<T> {
  return side === 0 ? [value, second] : [first, value]
}

/** What a link to this page carries. */
export function sharedOf(state: State, engine: string, source: Source | null): Shared {
  const { view, sets, format, moves } = state
  return { engine, view, sets, format, moves, source }
}
