/**
 * The evaluation's modules, with the types that its plain JavaScript does not have.
 *
 * @module
 */

import type { AgentEvent, LoopDetectorOptions, ReplayStep } from 'loophound'
import * as engine from 'loophound'
import type { Measured, Rules } from './study-harness.js'

export interface Span {
  readonly from: number
  readonly to: number
  readonly kind: string
}

export interface Label {
  readonly id: string
  readonly stuck: boolean
  readonly spans: readonly Span[]
  readonly borderline: boolean
  readonly reason: string
}

export interface Alarm {
  readonly call: number
  readonly kind?: string
  readonly action?: string
}

export interface Run {
  readonly label?: Label
  readonly id?: string
  readonly source?: string
  readonly calls: number
  readonly alarms: readonly Alarm[]
}

export interface Outcome {
  readonly outcome: 'hit' | 'miss' | 'false alarm' | 'quiet'
  readonly delay?: number
}

interface Rates {
  readonly precision: number | null
  readonly recall: number | null
  readonly f1: number | null
}

export interface Score extends Rates {
  readonly hits: number
  readonly misses: number
  readonly falseAlarms: number
  readonly early: number
  readonly quiet: number
  readonly delay: { readonly median: number | null; readonly p90: number | null }
  readonly saved: number | null
}

export interface Policy {
  readonly id: string
  readonly group: 'presets' | 'peers'
  readonly options: LoopDetectorOptions
  readonly about: string
  readonly baseline?: string
  readonly differs?: string
}

export interface Judged {
  readonly id: string
  readonly source: string
  readonly calls: number
  readonly alarms: Readonly<Record<string, readonly Alarm[]>>
}

export interface PolicyFigures extends Score {
  readonly id: string
  readonly group: Policy['group']
  readonly byWords: Rates
  readonly strong: { readonly alarmed: number; readonly calls: number; readonly rate: number }
  readonly notStuck: { readonly alarmed: number; readonly calls: number; readonly rate: number }
  readonly kinds: Readonly<Record<string, { readonly caught: number; readonly total: number }>>
  readonly sources: Readonly<Record<string, Score>>
  readonly without: Readonly<Record<string, Score>>
}

export interface Figures {
  readonly labelled: number
  readonly stuck: number
  readonly trajectories: number
  readonly policies: readonly PolicyFigures[]
}

export interface Corpus {
  readonly labels: ReadonlyMap<string, Label>
  readonly lines: readonly string[]
}

export interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

interface Point {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

interface Trajectory {
  readonly source: string
  readonly events: readonly Readonly<Record<string, unknown>>[]
}

const load = (name: string) =>
  import(new URL(`../../scripts/eval/${name}.mjs`, import.meta.url).href)

export const score: {
  outcomeOf(run: Run): Outcome
  outcomeByWords(run: Run): Outcome
  score(runs: readonly Run[]): Score
  scoreByWords(runs: readonly Run[]): Rates
  falseAlarmRate(runs: readonly Run[]): { alarmed: number; calls: number; rate: number | null }
  recallByKind(runs: readonly Run[]): PolicyFigures['kinds']
  quantile(values: readonly number[], at: number): number | null
} = await load('score')

export const {
  POLICIES,
  NOT_YET,
}: {
  POLICIES: readonly Policy[]
  NOT_YET: readonly { readonly name: string; readonly missing: string }[]
} = await load('policies')

export const { eventsOf }: { eventsOf(trajectory: Trajectory): AgentEvent[] } = await load('events')

const judge: {
  alarmsOf(e: typeof engine, options: LoopDetectorOptions, events: readonly AgentEvent[]): Alarm[]
  judgeSteps(
    e: typeof engine,
    options: LoopDetectorOptions,
    events: readonly AgentEvent[],
  ): Generator<{ step: ReplayStep; call: number }>
} = await load('judge')

export const corpus: {
  findCorpus(given?: string, usual?: string): string | null
  readCorpus(folder: string, which?: { id?: string; all?: boolean }): Corpus
  readOracle(folder: string): ReadonlyMap<string, Rules> | null
} = await load('corpus')

export const {
  judgeAll,
}: {
  judgeAll(
    corpus: Corpus,
    policies: readonly Pick<Policy, 'id' | 'options'>[],
    how?: { isBrief?: boolean },
  ): Promise<Judged[]>
} = await load('pool')

export const {
  evaluate,
}: {
  evaluate(corpus: Corpus, judged: readonly Judged[], policies: readonly Policy[]): Figures
} = await load('figures')

export const {
  readOptions,
}: {
  readOptions(args: readonly string[]): Readonly<Record<string, unknown>> & {
    readonly policies: readonly Policy[]
  }
} = await load('options')

export const { pageOf }: { pageOf(all: Measured): string } = await load('page')

export const {
  drawChart,
}: {
  drawChart(
    policies: readonly Pick<PolicyFigures, 'id' | 'group' | 'precision' | 'recall'>[],
  ): string
} = await load('chart')

export const {
  placeLabels,
  overlaps,
}: {
  placeLabels(points: readonly Point[], frame: Box): { readonly box: Box }[]
  overlaps(a: Box, b: Box): boolean
} = await load('placing')

/** The alarms of a detector with these options. */
export function alarmsOf(options: LoopDetectorOptions, events: readonly AgentEvent[]): Alarm[] {
  return judge.alarmsOf(engine, options, events)
}

/** Each step of the replay as "kind call", such as `calls 0`. */
export function stepsOf(options: LoopDetectorOptions, events: readonly AgentEvent[]): string[] {
  const steps = [...judge.judgeSteps(engine, options, events)]
  return steps.map(({ step, call }) => `${step.kind} ${call}`)
}
