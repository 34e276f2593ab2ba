/**
 * Detects when a whole swarm of agents is stuck on the same call.
 *
 * @module
 */

import { type Answer, type EngineInstance, engineInstance } from '../engine/engine.js'
import { requireString, supportUsing } from '../input/check.js'
import { toText } from '../input/json-text.js'
import { readSnapshot } from '../input/plain-data.js'
import { wellFormed } from '../input/surrogates.js'
import { readSwarmOptions } from '../options.js'
import type { FingerprintInfo, Snapshot, SwarmOptions, SwarmStats, Verdict } from '../types.js'
import { CONTINUE, freezeVerdict } from '../verdict.js'

type Swarm = InstanceType<EngineInstance['Swarm']>

/**
 * Counts calls by fingerprint across workers. By default ten calls in total, from at least two
 * workers, are a global loop; every further call is reported too. Its memory is bounded: beyond
 * `capacity` fingerprints, the least recently recorded is forgotten.
 *
 * @example
 * ```ts
 * const swarm = new SwarmDetector()
 * const verdict = swarm.record('worker-1', 'web_search', { query: 'weather' })
 * if (verdict.kind === 'global') broadcast(verdict.message)
 * ```
 */
export class SwarmDetector {
  readonly #instance: EngineInstance
  #swarm: Swarm | null
  #verdict: Verdict = CONTINUE

  /**
   * @throws TypeError for an unknown option or a value of the wrong type.
   * @throws RangeError for a value that is not allowed.
   */
  constructor(options?: SwarmOptions) {
    const data = readSwarmOptions(options)
    this.#instance = engineInstance()
    this.#swarm = new this.#instance.Swarm(data)
    supportUsing(this)
  }

  /** Records a tool call of a worker. */
  record(workerId: string, name: string, args?: unknown): Verdict {
    this.#live()
    requireString(workerId, 'record(workerId): workerId')
    requireString(name, 'record(name): name')
    const text = args === undefined ? '' : toText(args, 'record(args): args')
    const swarm = this.#live()
    const { CallFlag, scratch } = this.#instance
    scratch.write(text, workerId, name)
    const flags = args === undefined ? CallFlag.NoArgs : 0
    return this.#answer(swarm.record(scratch.first, scratch.second, scratch.third, flags))
  }

  /** Records a call by its fingerprint, computed with {@link computeToolFingerprint} or otherwise. */
  recordFingerprint(workerId: string, tool: string, fingerprint: string): Verdict {
    const swarm = this.#live()
    requireString(workerId, 'recordFingerprint(workerId): workerId')
    requireString(tool, 'recordFingerprint(tool): tool')
    requireString(fingerprint, 'recordFingerprint(fingerprint): fingerprint')
    const { scratch } = this.#instance
    scratch.write(fingerprint, workerId, tool)
    return this.#answer(swarm.recordFingerprint(scratch.first, scratch.second, scratch.third))
  }

  /** The latest verdict. */
  get verdict(): Verdict {
    this.#live()
    return this.#verdict
  }

  /** Returns what is known about a fingerprint; `undefined` if nothing is. */
  info(fingerprint: string): FingerprintInfo | undefined {
    const swarm = this.#live()
    requireString(fingerprint, 'info(fingerprint): fingerprint')
    const info = swarm.info(wellFormed(fingerprint)) as FingerprintInfo | undefined
    return info && Object.freeze(info)
  }

  /** Returns the global loops. */
  loops(): FingerprintInfo[] {
    const loops = this.#live().loops() as FingerprintInfo[]
    return loops.map((loop) => Object.freeze(loop))
  }

  /** Returns totals over all fingerprints. */
  stats(): SwarmStats {
    return Object.freeze(this.#live().stats() as SwarmStats)
  }

  /** Creates a unique worker id. */
  createWorkerId(): string {
    return this.#live().createWorkerId()
  }

  /** Returns the swarm's memory as plain JSON. */
  toJSON(): Snapshot {
    return this.#live().toJSON() as Snapshot
  }

  /** Continues from a snapshot. An invalid snapshot is rejected and changes nothing. */
  restoreFrom(snapshot: unknown): void {
    this.#live()
    const data = readSnapshot(snapshot)
    const swarm = this.#live()
    swarm.restore(data)
    this.#verdict = freezeVerdict(swarm.verdict() as Verdict)
  }

  /** Forgets everything but the options: the swarm has completed. */
  clear(): void {
    this.#live().clear()
    this.#verdict = CONTINUE
  }

  /** Releases the engine's memory. Afterwards every other method throws. */
  free(): void {
    this.#instance.free(this.#swarm)
    this.#swarm = null
  }

  /** Same as {@link SwarmDetector.free | free()}, for `using`. */
  [Symbol.dispose](): void {
    this.free()
  }

  #live(): Swarm {
    if (this.#swarm === null) throw new TypeError('this SwarmDetector was freed; make a new one')
    return this.#swarm
  }

  #answer(answer: Answer): Verdict {
    this.#verdict =
      this.#instance.recorded(answer) === 0
        ? CONTINUE
        : freezeVerdict(this.#live().verdict() as Verdict)
    return this.#verdict
  }
}
