/**
 * The contracts of a shared swarm: with its store, and with the guards that ask it. Types only, no
 * code.
 *
 * @module
 */

import type { ToolResult, Verdict } from 'loophound'
import type { HandOver, HandOverDecision } from './delegation.js'

/**
 * What a report is about: a call, or one of the incidents that `report: 'waste'` shares. An `edge` is
 * one hand-over of a task, which is no incident by itself; a `cycle` is one that is part of a circle.
 */
export type SwarmReportKind = 'call' | 'waste' | 'error' | 'verdict' | 'edge' | 'cycle'

/** What one worker reports about one fingerprint. Small, plain, serialisable. */
export interface SwarmReport {
  /** Identifies what is counted; at most 200 characters. Stores hash it to 64 bits. */
  readonly fingerprint: string
  readonly kind: SwarmReportKind
  /** How many equal reports this one stands for; at least 1. */
  readonly weight: number
  /** The report's number, incremented by its worker. A number is applied at most once. */
  readonly seq: number
  /** A readable text for operators; at most 120 characters. */
  readonly sample?: string | undefined
}

/**
 * What a store knows about one fingerprint. Times are those of the store's clock, in milliseconds.
 */
export interface SwarmState {
  readonly fingerprint: string
  /** Reports in the window. */
  readonly total: number
  /** Distinct workers; saturates at `maxWorkers`. */
  readonly workers: number
  /** When the latch ends; 0 if there is none. */
  readonly latchedUntil: number
  /**
   * Whether this report set the latch. `true` for exactly one reporter of a new latch; also if that
   * report is sent again, as its reporter may never have got the first answer.
   */
  readonly fresh: boolean
  /** The store's time of the answer, so that the workers' clocks do not matter. */
  readonly now?: number | undefined
  /** When the fingerprint was first reported; always set if details were requested. */
  readonly firstSeen?: number | undefined
  /** When the latch was set. */
  readonly latchedSince?: number | undefined
  /** The worker whose report set the latch. */
  readonly latchedBy?: string | undefined
  readonly sample?: string | undefined
  /** Ids of workers that reported it, as the store keeps them; only set if details were requested. */
  readonly workerIds?: readonly string[] | undefined
}

/** When a fingerprint is latched, and for how long. */
export interface SwarmRule {
  /** The length of the sliding window, in milliseconds. */
  readonly windowMs: number
  /** Reports in the window that latch a fingerprint. */
  readonly threshold: number
  /** Distinct workers that must have made them. */
  readonly minWorkers: number
  /** How many distinct workers are counted; at most 128. */
  readonly maxWorkers: number
  /** How long a latch lasts, in milliseconds. */
  readonly latchMs: number
}

/**
 * The contract of a store. Everything else is shared code.
 *
 * Every method may reject; the swarm treats that as an outage of the store.
 */
export interface SwarmStore {
  /**
   * Applies reports in order, atomically per fingerprint, at most once per worker and number.
   * Returns the state of each, in the same order.
   */
  report(
    scope: string,
    worker: string,
    reports: readonly SwarmReport[],
    rule: SwarmRule,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<readonly SwarmState[]>
  /**
   * Lists latched fingerprints with their current totals, for polling and dashboards. Those that begin
   * with `edge:` count hand-overs, and are no loops by themselves.
   */
  latched(
    scope: string,
    limit: number,
    options?: { readonly details?: boolean | undefined },
  ): Promise<readonly SwarmState[]>
  /**
   * Pushes new latches, and lifted ones with `latchedUntil: 0`, where the engine can. Returns a
   * function that ends it. The signal ends it too, also one that never came about.
   */
  subscribe?(
    scope: string,
    on: (state: SwarmState) => void,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<() => void>
  /** Lifts the latch of a fingerprint and forgets it; without one, forgets the scope. */
  clear(scope: string, fingerprint?: string): Promise<void>
}

/** Whether the store responds: it does; it failed recently; it failed so often that it is paused. */
export type SwarmConnection = 'ok' | 'degraded' | 'offline'

/** What a shared swarm has done so far. `recorded` is the sum of the next three. */
export interface SharedSwarmStats {
  readonly state: SwarmConnection
  /** The id under which this worker reports: the given name and a unique suffix. */
  readonly worker: string
  readonly scope: string
  /** Reports made by this worker. */
  readonly recorded: number
  /** Of those, reports that the store has confirmed. */
  readonly delivered: number
  /** Of those, reports that wait for the store. */
  readonly buffered: number
  /** Of those, reports that were dropped: the buffer was full, or the swarm was disposed of. */
  readonly dropped: number
  /** Fingerprints that are latched, as far as this worker knows, without counts of hand-overs. */
  readonly latched: number
  /** Requests to the store that failed or took too long. */
  readonly failures: number
}

/** A call, as a swarm sees it. */
export interface SwarmCall {
  readonly name: string
  readonly args?: unknown
}

/**
 * What a guard calls. Every method is local and synchronous, and none throws: errors go to the
 * swarm's `onError`.
 *
 * In the order of a step: `ask` before a call runs, whose answer is treated like a verdict of the
 * detector; `observe` after each verdict that is not `continue`; `observeResult` after each result;
 * `handOver` before a task goes to another agent.
 */
export interface GuardSwarm {
  /** Asks about a call before it runs: the `global` verdict if the swarm is stuck on it. */
  ask(call: SwarmCall): Verdict
  /** Reports the local detector's verdict on a call, or on its result. */
  observe(call: SwarmCall, verdict: Verdict): void
  /** Reports a result. Returns a `global` verdict if it is an error that the whole swarm has. */
  observeResult(call: SwarmCall, result: Pick<ToolResult, 'ok' | 'output'>): Verdict
  /** Decides on a hand-over of a task to another agent, and reports it. */
  handOver(handOver: HandOver): HandOverDecision
  /** Settles when everything reported so far was sent or has failed; never rejects. */
  readonly pending: Promise<void>
}
