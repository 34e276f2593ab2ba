/**
 * The report of a scan, which the terminal, JSON and HTML outputs and your own code read. Types
 * only.
 *
 * Calls are counted separately for each agent, from 0.
 *
 * @module
 */

import type {
  Action,
  LoopDetectorOptions,
  LoopKind,
  SkippedRecords,
  TranscriptFormat,
  Verdict,
} from '../types.js'

/** Options of {@link scan}. */
export interface ScanOptions extends LoopDetectorOptions {
  /** The transcript's format; recognised by its first records if absent or `auto`. */
  format?: 'auto' | TranscriptFormat
  /**
   * The prices of models, for sessions that do not give costs themselves; built-in prices if
   * absent. `null` for none.
   */
  prices?: PriceTable | null
  /** Whether the report also lists every call. */
  timeline?: boolean
}

/** The prices of models. */
export interface PriceTable {
  /** The day on which the prices were looked up, such as `2026-11-18`. */
  readonly date: string
  /** Prices by model name, without a leading provider and a trailing date. */
  readonly models: Readonly<Record<string, ModelPrice>>
}

/** The price of a model, in US dollars per million tokens. */
export interface ModelPrice {
  readonly in: number
  readonly out: number
  /** Input read from a cache. */
  readonly cacheRead?: number
  /** Input written to a cache. */
  readonly cacheWrite?: number
}

/** Tokens, in the format's own figures; `null` for unknown. */
export interface Tokens {
  readonly in: number | null
  readonly out: number | null
}

/** What something cost; `null` for unknown. */
export interface Spent {
  /** Wall time in milliseconds. */
  readonly ms: number | null
  /** Tokens of the model responses. */
  readonly tokens: Tokens | null
  /** US dollars. Also `null` if the price of any of these responses is unknown. */
  readonly cost: number | null
}

/** One loop in a transcript: all alarms about it together. */
export interface ScanFinding extends Spent {
  /** The agent, as in {@link AgentTranscript}. */
  readonly agent: string
  /** The pattern. */
  readonly kind: LoopKind
  /** The tool that is repeated, if one is. */
  readonly tool: string | null
  /** The repeated calls, short, readable and safe to print. */
  readonly pattern: readonly string[]
  /** Index of the first call in the loop; -1 where only text repeats. */
  readonly from: number
  /** Index of the last call in the loop; -1 where only text repeats. */
  readonly to: number
  /** How many calls are in the loop. There may be others between them. */
  readonly calls: number
  /** How many calls came after the first pass. `ms`, `tokens` and `cost` are theirs. */
  readonly wasted: number
  /** How many of these came after the first alarm. */
  readonly avoidable: number
  /** How many alarms there were about it. */
  readonly alarms: number
  /** The most severe action among these. */
  readonly action: Exclude<Action, 'continue'>
  /** Index of the first alarm in the list of that agent's events. */
  readonly event: number
  /** Index of the agent's latest call at the first alarm; -1 if there was none. */
  readonly call: number
  /** The first alarm. Its `message` is what the model would have read. */
  readonly verdict: Verdict
}

/** What one agent did. */
export interface AgentReport extends Spent {
  /** The agent's id in the transcript; empty for the main thread. */
  readonly id: string
  /** Its name. */
  readonly name: string | null
  /** The agent that started it. */
  readonly parent: string | null
  readonly calls: number
  readonly results: number
  /** Results that are known to be failures. */
  readonly errors: number
  readonly turns: number
  /** Calls that loops wasted, each counted once. */
  readonly wasted: number
  /** Loops. */
  readonly loops: number
}

/** How one tool was used, by all agents. */
export interface ToolReport {
  readonly tool: string
  readonly calls: number
  /** Results that are known to be failures. */
  readonly errors: number
  /** Calls that loops wasted, each counted once. */
  readonly wasted: number
}

/** One call, as a timeline shows it. */
export interface CallReport {
  readonly agent: string
  readonly tool: string
  /** The arguments as text, cut to 400 characters. */
  readonly args: string
  /** The output as text, cut to 2000 characters; `null` if there is none. */
  readonly output: string | null
  /** Whether it succeeded; `null` if unknown. */
  readonly ok: boolean | null
  /** The model turn. */
  readonly turn: number
  /** When it was made, in milliseconds since 1970. */
  readonly at: number | null
  /** The alarm at this call, if there was one. */
  readonly action: Exclude<Action, 'continue'> | null
}

/** What {@link scan} found. */
export interface ScanReport extends Spent {
  /** The format the transcript was read as. */
  readonly format: TranscriptFormat
  /** Agent threads. */
  readonly agents: number
  /** Events read, of all agents. */
  readonly events: number
  /** Tool calls among them. */
  readonly calls: number
  /** Tool results among them. */
  readonly results: number
  /** Results that are known to be failures. */
  readonly errors: number
  /** Messages that a person wrote. */
  readonly userMessages: number
  /** Model turns: batches of calls and texts without calls. */
  readonly turns: number
  /** When the first event happened, in milliseconds since 1970. */
  readonly start: number | null
  /** Whether a loop was found. Running into the iteration cap alone is not a loop. */
  readonly stuck: boolean
  /** What loops wasted; a call in two loops counts once. */
  readonly waste: Spent & {
    readonly calls: number
    /** How many of these came after the first alarm of their loop. */
    readonly avoidable: number
  }
  /** The most severe verdict, the first among equals; `continue` if there are no findings. */
  readonly verdict: Verdict
  /** The first finding. */
  readonly first: ScanFinding | null
  /** One for each loop, and for running into the iteration cap; agent by agent, each in order. */
  readonly findings: readonly ScanFinding[]
  /** The findings that are loops. */
  readonly loops: readonly ScanFinding[]
  /** One entry per agent, the main thread first. */
  readonly byAgent: readonly AgentReport[]
  /** One entry per tool, the most used first. */
  readonly byTool: readonly ToolReport[]
  /** Every call, agent by agent, if `timeline` is set. */
  readonly timeline: readonly CallReport[] | null
  /** What was not read, and how many times. */
  readonly skipped: readonly SkippedRecords[]
}
