/**
 * What other agents do about loops, in our options: the one place that says so. The conformance
 * tests hold it against their own tests, and docs/peers.md shows it to whoever comes from there.
 *
 * @module
 */

import type { AgentEvent, LoopDetectorOptions } from 'loophound'
import { asTheyAre, type Peer, setting, type Vector, type VectorEvent } from '../support/vectors.js'

type Config = Vector['config']

export interface KnownPeer extends Peer {
  /** The peer's configuration as it ships. */
  readonly shipped: Config
}

/** The same call in a row, arguments compared by meaning, each call judged, no cap on turns. */
const IN_A_ROW = {
  preset: 'guard',
  identity: 'canonical',
  batch: 'each',
  iterationCap: null,
} as const

/** Refused at once, every time. */
const REFUSE = [{ at: 1, action: 'block', level: 'critical' }] as const

/** So many calls are allowed; the next is refused. Less than one is no limit. */
function refuseAfter(allowed: number): LoopDetectorOptions {
  if (allowed < 1) return { ...IN_A_ROW, detectors: { 'exact-repeat': false } }
  const detectors = { 'exact-repeat': { rungs: REFUSE } }
  return { ...IN_A_ROW, threshold: allowed + 1, detectors }
}

/**
 * A host that wants a rule about something which is no tool call records it as one, with a result.
 * In `headless` mode people's messages do not count; else they are told.
 */
function openHandsTells(event: VectorEvent, config: Config): readonly AgentEvent[] {
  if (event.t === 'meta' && event.kind === 'condensation') {
    return [
      { t: 'call', name: 'condensation' },
      { t: 'result', name: 'condensation', ok: true, output: event.text ?? '' },
    ]
  }
  if (event.t === 'user' && config.userMessageResets === false) return []
  return asTheyAre(event)
}

export const PEERS: Readonly<Record<string, KnownPeer>> = {
  // Five full passes of one to five calls, whatever they brought.
  'gemini-cli': {
    shipped: { toolCallThreshold: 5, maxCyclePeriod: 5 },
    options: (config) => {
      const threshold = setting(config, 'toolCallThreshold')
      const maxPeriod = setting(config, 'maxCyclePeriod')
      const window = threshold * maxPeriod
      const options: LoopDetectorOptions = { preset: 'cycles', threshold, maxPeriod, window }
      return config.disabled === true ? { ...options, detectors: { cycle: false } } : options
    },
  },

  // The part of it that is on by default; a replayed call is not recorded twice by its host.
  'qwen-code': {
    shipped: { inARow: 5, cap: 1000 },
    options: (config) => ({
      ...IN_A_ROW,
      threshold: setting(config, 'inARow'),
      iterationCap: setting(config, 'cap'),
    }),
  },

  // Equal results are asked for; where the host knows of an error, any error will do.
  openhands: {
    shipped: {
      userMessageResets: true,
      actionObservation: 4,
      actionError: 3,
      monologue: 3,
      alternating: 6,
      condensation: 10,
    },
    options: (config) => ({
      preset: 'window',
      maxPeriod: 2,
      detectors: {
        'windowed-repeat': false,
        'exact-repeat': { threshold: setting(config, 'actionObservation'), results: true },
        cycle: { threshold: setting(config, 'alternating') / 2, results: true },
        'failure-cascade': { threshold: setting(config, 'actionError') },
        summary: { threshold: setting(config, 'monologue') },
      },
      // No patience with polls, acknowledgements and busy services; only whole rounds count.
      patience: { poll: 2, unsure: 2, infrastructure: 2, stale: 1_000_000 },
      tools: {
        run: { class: 'shell' },
        run_ipython: { threshold: 3 },
        condensation: { threshold: setting(config, 'condensation') },
      },
    }),
    tells: openHandsTells,
  },

  // The person is asked when a call was refused, and whatever the answer, counting starts anew.
  'roo-code': {
    shipped: { limit: 3 },
    options: (config) => refuseAfter(setting(config, 'limit')),
    answers: (detector) => detector.clearAfterFeedback(),
  },

  cline: {
    shipped: { soft: 3, hard: 5 },
    options: (config) => ({
      ...IN_A_ROW,
      threshold: setting(config, 'soft'),
      detectors: {
        'exact-repeat': {
          climb: 'count',
          rungs: [
            { at: setting(config, 'soft'), action: 'nudge', level: 'notice' },
            { at: setting(config, 'hard'), action: 'stop', level: 'critical' },
          ],
        },
      },
    }),
  },

  // Allows two and asks the person at the third, which waits for the answer.
  opencode: {
    shipped: { threshold: 3 },
    options: (config) => refuseAfter(setting(config, 'threshold') - 1),
  },

  // Its host asks only from the tenth step on.
  crush: {
    shipped: { window: 10, most: 5 },
    options: (config) => ({
      preset: 'window',
      threshold: setting(config, 'most') + 1,
      window: setting(config, 'window'),
      detectors: { 'windowed-repeat': { results: true } },
    }),
  },

  // The run ends in any sequence that repeats. Ours may have up to 1,000 calls.
  forgecode: {
    shipped: { threshold: 3 },
    options: (config) => {
      const threshold = setting(config, 'threshold')
      return { preset: 'cycles', threshold, maxPeriod: 1000, window: 1000 * threshold }
    },
  },

  // Allows n in a row and denies the one after.
  goose: {
    shipped: { maxRepetitions: 2 },
    options: (config) => refuseAfter(setting(config, 'maxRepetitions')),
    reports: (verdict) => verdict.action === 'block',
  },

  // Counts a call among the last `window`: seed 003's rule.
  attocode: {
    shipped: { threshold: 3, window: 20 },
    options: (config) => ({
      preset: 'window',
      threshold: setting(config, 'threshold'),
      window: setting(config, 'window'),
    }),
  },

  // This version of koda still counted in a window; seed 001 is its later, consecutive one.
  koda: {
    shipped: { window: 20, repeat: 3, nameSaturation: 8 },
    options: (config) => ({
      preset: 'window',
      threshold: setting(config, 'repeat'),
      window: setting(config, 'window'),
    }),
  },

  // The nearest we have to a streak for each tool: other tools in between do not end it.
  openrouter: {
    shipped: { block: 3, stop: 6, window: 20 },
    options: (config) => ({
      preset: 'window',
      threshold: setting(config, 'block'),
      window: setting(config, 'window'),
      detectors: {
        'windowed-repeat': {
          rungs: [
            { at: setting(config, 'block'), action: 'block', level: 'warning' },
            { at: setting(config, 'stop'), action: 'stop', level: 'critical' },
          ],
        },
      },
    }),
  },
}
