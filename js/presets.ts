/**
 * The full options of the presets, read from the engine on first use.
 *
 * @module
 */

import { engineInstance } from './engine/engine.js'
import type { LoopDetectorOptions, PresetName } from './types.js'

type Loaded = Partial<Record<PresetName, LoopDetectorOptions>>

const loaded: Loaded = {}

/**
 * The full options of each preset. To change some, name the preset and the changes:
 * `new LoopDetector({ preset: 'nudge', threshold: 4 })`.
 *
 * @example
 * ```ts
 * presets.nudge.threshold // 3
 * presets.guard.iterationCap // 200
 * ```
 */
export const presets: Readonly<Record<PresetName, LoopDetectorOptions>> =
  /* @__PURE__ */ Object.freeze({
    get balanced() {
      return load('balanced')
    },
    get nudge() {
      return load('nudge')
    },
    get guard() {
      return load('guard')
    },
    get cycles() {
      return load('cycles')
    },
    get window() {
      return load('window')
    },
  })

function load(name: PresetName): LoopDetectorOptions {
  const options =
    loaded[name] ?? deepFreeze(engineInstance().presetOptions(name) as LoopDetectorOptions)
  loaded[name] = options
  return options
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const part of Object.values(value)) deepFreeze(part)
  return Object.freeze(value)
}
