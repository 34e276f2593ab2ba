/**
 * What a guard takes and returns. Types only, no code.
 *
 * @module
 */

import type { LoopDetector } from '../detector.js'
import type { GuardSwarm } from '../swarm/types.js'
import type {
  LoopDetectorOptions,
  LoopKind,
  PresetName,
  Snapshot,
  ToolCall,
  ToolResult,
  Verdict,
} from '../types.js'
import type { LoopGuard } from './guard.js'

/** What to do with a tool call; narrows on `run`. Frozen. */
export type Decision =
  | {
      /** The detector's verdict on the call. */
      readonly verdict: Verdict
      /** The tool may run. Always so in observe mode. */
      readonly run: true
      readonly reply: null
    }
  | {
      readonly verdict: Verdict
      /** The tool may not run. */
      readonly run: false
      /** What the model gets as the call's result instead. */
      readonly reply: string
    }

/** A way of using a guard that makes it miss loops. */
export interface GuardWarning {
  /** A short name, the same in every release. */
  readonly code: string
  /** What is wrong. */
  readonly message: string
  /** What to do about it. */
  readonly remedy: string
}

/** The state of a run. */
export interface GuardOutcome {
  /** `finished` once a step ended without a tool call; `stopped` when a verdict ended the run. */
  readonly state: 'running' | 'finished' | 'stopped'
  /** Why it was stopped, in one sentence for people. */
  readonly summary: string | null
  /** The pattern that stopped it. */
  readonly kind: LoopKind | null
  /** How many tool calls there were. */
  readonly calls: number
  /** How many model turns. */
  readonly turns: number
}

/** What a verdict is about. */
export interface VerdictContext {
  /** The event it answers: a call, a result, a whole text, a piece of one, or a new turn. */
  readonly on: 'call' | 'result' | 'text' | 'chunk' | 'turn'
  /** The tool of the call or result, if it is one. */
  readonly tool: string | null
  /** The id of that call, if it has one. */
  readonly id: string | null
  /** Whether the guard acts on it; `false` in observe mode. */
  readonly acted: boolean
  /** The guard that gave it. */
  readonly guard: LoopGuard
}

/** Options of a {@link LoopGuard}. Everything is optional. */
export interface GuardOptions {
  /** The detector's preset or options, or a detector of yours; `balanced` if absent. */
  detector?: PresetName | LoopDetectorOptions | LoopDetector
  /**
   * `act` does what the verdicts say; `observe` only reports them: every call runs, nothing is
   * injected and nothing ends.
   */
  mode?: 'act' | 'observe'
  /** A name for the guard in reports: a run's, a thread's, an agent's. */
  id?: string
  /**
   * Called with every verdict that is not `continue`. What it throws, or a promise it returns that
   * fails, goes to `onError` and never reaches the agent.
   */
  onVerdict?: (verdict: Verdict, context: VerdictContext) => unknown
  /**
   * Called with errors inside the guard. The agent continues as if there were no guard. Without
   * this, the first error is shown with `console.warn`.
   */
  onError?: (error: unknown) => unknown
  /**
   * Called once for each way of using the guard that makes it miss loops: no results, steps that
   * never end, ids used twice. Without this, each is one line with `console.warn`; `false` turns
   * that off.
   */
  onWarning?: ((warning: GuardWarning) => unknown) | false
  /**
   * What happens to the detector's counts after a nudge was taken: `keep` them, or `clear` them as
   * {@link LoopDetector.clearAfterFeedback} does. If absent, they are cleared for the patterns that
   * escalate by feedback, as in the preset `guard`.
   */
  afterNudge?: 'keep' | 'clear'
  /**
   * A swarm across processes, such as a `SharedSwarm` of `loophound/swarm`. The guard reports to it
   * what this agent wastes, and asks before each call whether the swarm is stuck on it.
   */
  swarm?: GuardSwarm
  /** The agents above this one, outermost first, as {@link LoopGuard.handOver} returned them. */
  path?: readonly string[]
  /** How many calls are remembered by id, from 1 to 65536; 256 if absent. */
  remember?: number
}

/** What a step contained, for {@link LoopGuard.endStep}. */
export interface StepContent {
  /** Its calls; those that the guard has not seen ran elsewhere, and are recorded. */
  readonly calls?: readonly ToolCall[]
  /** Its results; those the guard has not seen yet are recorded. */
  readonly results?: readonly ToolResult[]
  /** Its text; a step without calls is recorded as a text-only turn. */
  readonly text?: string
}

/** A guard's memory as plain JSON. Only the fields named here are for you to read. */
export interface GuardSnapshot {
  /** Always `loophound-guard`. */
  readonly format: 'loophound-guard'
  /** The version of the snapshot format. */
  readonly version: 3
  /** The detector's own snapshot. */
  readonly detector: Snapshot
  readonly [field: string]: unknown
}
