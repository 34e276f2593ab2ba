/**
 * The modules that study one preset, with the types that their plain JavaScript does not have.
 *
 * @module
 */

import type * as engine from 'loophound'
import type { LoopDetectorOptions } from 'loophound'
import type { Figures, Judged, Label, Policy, PolicyFigures, Run, Score } from './harness.js'

/** What the corpus' rules say of a run. */
export interface Rules {
  readonly id: string
  readonly oracle_strict: boolean
  readonly oracle_loose: boolean
}

export interface Breadth {
  readonly runs: number
  readonly strict: number
  readonly agreed: number
  readonly silent: number
  readonly beyond: number
}

export interface Variant {
  readonly id: string
  readonly name: string
  readonly options: LoopDetectorOptions
}

export interface Knob {
  readonly name: string
  readonly value: number
  with(value: number): LoopDetectorOptions
}

interface Neighbours {
  readonly knob: Knob
  readonly variants: readonly (Variant & { readonly value: number })[]
}

export interface Plan {
  readonly base: Variant
  readonly without: readonly Variant[]
  readonly only: readonly Variant[]
  readonly never: readonly Variant[]
  readonly neighbours: readonly Neighbours[]
}

export interface StudyRow extends Score {
  readonly strong: { readonly alarmed: number; readonly calls: number; readonly rate: number }
  readonly breadth: Breadth | null
}

export interface Ablation {
  readonly base: StudyRow
  readonly without: readonly (StudyRow & { readonly name: string })[]
  readonly only: readonly (StudyRow & { readonly name: string })[]
  readonly never: readonly (StudyRow & { readonly name: string })[]
}

export interface KnobRows {
  readonly name: string
  readonly value: number
  readonly rows: readonly (StudyRow & { readonly value: number })[]
}

interface Range {
  readonly low: number | null
  readonly high: number | null
}

interface Change {
  readonly name: string
  readonly from: number
  readonly to: number
}

export interface Validation {
  readonly intervals: Readonly<Record<'precision' | 'recall' | 'f1', Range>>
  readonly left: readonly {
    readonly source: string
    readonly changes: readonly Change[]
    readonly own: Score
    readonly other: Score | null
  }[]
}

export interface Cost {
  readonly calls: number
  readonly ratio: { readonly median: number; readonly low: number; readonly high: number }
}

export interface Baseline {
  readonly id: string
  readonly agrees: boolean
  readonly differs?: string
  readonly cells: readonly { readonly theirs: string; readonly ours: string }[]
}

export interface Breadths {
  readonly policies: Readonly<Record<string, Breadth>>
  readonly source: { readonly of: string; readonly rows: Readonly<Record<string, Breadth>> }
}

/** Everything that is on the page. */
export interface Measured {
  readonly figures: Figures
  readonly baselines: readonly Baseline[]
  readonly ablation: Ablation
  readonly thresholds: readonly KnobRows[]
  readonly validation: Validation
  readonly breadth: Breadths | null
  readonly cost: Cost
}

/** What was replayed, for the studies. */
export interface Replayed {
  readonly judged: readonly Judged[]
  readonly labels: ReadonlyMap<string, Label>
  readonly oracle: ReadonlyMap<string, Rules> | null
}

interface Table {
  readonly columns: readonly { readonly title: string }[]
  readonly rows: readonly { readonly name: string; readonly cells: readonly string[] }[]
}

const load = (name: string) =>
  import(new URL(`../../scripts/eval/${name}.mjs`, import.meta.url).href)

type Values = LoopDetectorOptions | Readonly<Record<string, unknown>>

export const variants: {
  detectorsOf(values: Values): string[]
  withoutEach(values: Values): Variant[]
  onlyEach(values: Values): Variant[]
  withoutPatience(values: Values): Variant[]
  knobsOf(values: Values): Knob[]
  neighboursOf(values: Values, isAllowed: (options: LoopDetectorOptions) => boolean): Neighbours[]
  combine(preset: string, changes: readonly Values[]): LoopDetectorOptions
} = await load('variants')

export const study: {
  planOf(e: typeof engine): Plan
  ablationOf(plan: Plan, replayed: Replayed): Ablation
  thresholdsOf(plan: Plan, replayed: Replayed): KnobRows[]
  undecided(thresholds: readonly KnobRows[]): KnobRows[]
  betterOnes(thresholds: readonly KnobRows[]): { name: string; value: number }[]
} = await load('study')

export const breadth: {
  breadthOf(runs: readonly Run[], oracle: ReadonlyMap<string, Rules>): Breadth
  breadthBySource(runs: readonly Run[], oracle: ReadonlyMap<string, Rules>): Record<string, Breadth>
} = await load('breadth')

export const bootstrap: {
  intervals(
    outcomes: readonly string[],
    how?: { draws?: number; seed?: number },
  ): Record<'precision' | 'recall' | 'f1', Range>
  mostExpected(seen: number): number
} = await load('bootstrap')

export const leaveOut: {
  choicesWithoutEach(
    plan: Pick<Plan, 'base' | 'neighbours'>,
    replayed: Pick<Replayed, 'judged' | 'labels'>,
  ): { source: string; changes: Change[]; options: LoopDetectorOptions }[]
} = await load('leave-out')

export const {
  validationOf,
}: {
  validationOf(
    plan: Plan,
    replayed: Replayed,
    judge: (policies: readonly Pick<Policy, 'id' | 'options'>[]) => Promise<readonly Judged[]>,
  ): Promise<Validation>
} = await load('validation')

export const {
  compare,
}: {
  compare(
    job: () => void,
    other: () => void,
    how: { rounds: number; clock?: () => number },
  ): { job: number; other: number; ratio: Cost['ratio'] }
} = await load('timing')

export const targets: {
  checkTargets(figures: PolicyFigures): {
    readonly name: string
    readonly goal: string
    readonly value: string
    readonly met: boolean
    readonly byWords: string | null
    readonly metByWords: boolean | null
  }[]
  isBetter(a: Pick<StudyRow, 'f1' | 'strong'>, b: Pick<StudyRow, 'f1' | 'strong'>): boolean
} = await load('targets')

export const baselines: {
  readBaselines(folder: string): Map<string, string[]>
  baselinesIn(text: string): Map<string, string[]>
  compareBaselines(
    known: ReadonlyMap<string, readonly string[]>,
    figures: Figures,
    policies: readonly Policy[],
  ): Baseline[]
} = await load('baselines')

export const {
  change,
}: {
  change(
    text: (value: number | null) => string,
  ): (value: number | null, before: number | null) => string
} = await load('texts')

export const tables: {
  withoutTable(ablation: Ablation): Table
  thresholdsTable(thresholds: readonly KnobRows[]): Table
} = await load('study-tables')

export const {
  measureAll,
  measurePolicies,
}: {
  measureAll(folder: string, policies: readonly Policy[], plan: Plan): Promise<Measured>
  measurePolicies(
    folder: string,
    policies: readonly Policy[],
  ): Promise<{ figures: Figures; baselines: Baseline[] }>
} = await load('measure')
