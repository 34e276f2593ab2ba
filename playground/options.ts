/**
 * The detector's options as controls. All of it is derived from the presets and from the
 * engine's errors about wrong values, so that a new option gets its control automatically.
 *
 * @module
 */

import { LoopDetector, type LoopDetectorOptions, type PresetName, presets } from 'loophound'
import { readTranscript } from 'loophound/transcripts'
import { hintFor } from './option-hints.js'

/** What JSON can hold. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }
export type Path = readonly string[]

/** One control. */
export interface Field {
  readonly path: Path
  readonly label: string
  /** What it means. */
  readonly hint: string | null
  readonly value: Json
  /** What the preset has. */
  readonly preset: Json
  readonly isChanged: boolean
  readonly control:
    | {
        readonly type: 'number'
        readonly min: number
        readonly max: number
        readonly isOptional: boolean
      }
    | { readonly type: 'choice'; readonly choices: readonly string[] }
    | { readonly type: 'switch' }
    | { readonly type: 'text' }
    | { readonly type: 'list' }
    /** Something with controls of its own; with a switch, if it can be turned off. */
    | { readonly type: 'group'; readonly canBeOff: boolean; readonly fields: readonly Field[] }
}

export const PRESETS = Object.keys(presets) as readonly PresetName[]

/** Options that are not for tuning: a map of tools by name, and what a scan sets itself. */
const LEFT_OUT = ['preset', 'tools', 'observe']

/** The preset's values with the changes. */
export function resolve(options: LoopDetectorOptions): JsonObject {
  const { preset = 'balanced', ...changes } = options
  const base = presets[preset] as JsonObject | undefined
  if (!base) return changes as JsonObject
  return merge(base, changes as JsonObject, []) as JsonObject
}

function merge(base: Json | undefined, change: Json | undefined, path: Path): Json {
  if (change === undefined) return base ?? null
  // A pattern that is switched on has the values that another preset gives it.
  if (change === true && isObject(shapeOf(path))) return isObject(base) ? base : shapeOf(path)
  if (!isObject(change)) return change
  const under = isObject(base) ? base : isObject(shapeOf(path)) ? (shapeOf(path) as JsonObject) : {}
  const keys = new Set([...Object.keys(under), ...Object.keys(change)])
  return Object.fromEntries(
    Array.from(keys, (key) => [key, merge(under[key], change[key], [...path, key])]),
  )
}

/** What stands at a path in the first preset that has more than "off" there. */
function shapeOf(path: Path): Json {
  for (const name of PRESETS) {
    const value = at(presets[name] as JsonObject, path)
    if (value !== undefined && value !== false) return value
  }
  return null
}

function at(value: Json | undefined, path: Path): Json | undefined {
  let found = value
  for (const key of path) found = (found as JsonObject | undefined)?.[key]
  return found
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the controls for these options. The groups come last. */
export function fieldsOf(options: LoopDetectorOptions): readonly Field[] {
  const base = presets[options.preset ?? 'balanced'] as JsonObject | undefined
  const fields = Object.entries(resolve(options))
    .filter(([key]) => !LEFT_OUT.includes(key))
    .map(([key, value]) => field([key], value, base?.[key]))
  return [...fields.filter(isSimple), ...fields.filter((one) => !isSimple(one))]
}

const isSimple = ({ control }: Field) => control.type !== 'group'

function field(path: Path, value: Json, preset: Json | undefined): Field {
  const key = path.at(-1) ?? ''
  const fallback = preset ?? null
  return {
    path,
    label: /^\d+$/.test(key) ? `rung ${Number(key) + 1}` : wordsOf(key),
    hint: hintFor(path),
    value,
    preset: fallback,
    isChanged: JSON.stringify(value) !== JSON.stringify(fallback),
    control: controlOf(path, value, preset),
  }
}

function controlOf(path: Path, value: Json, preset: Json | undefined): Field['control'] {
  const shape = shapeOf(path)
  if (isObject(shape) || (Array.isArray(shape) && isObject(shape[0]))) {
    const parts = value === false || value === null ? [] : Object.entries(value as JsonObject)
    const under = isObject(preset) || Array.isArray(preset) ? (preset as JsonObject) : undefined
    const canBeOff = PRESETS.some((name) => at(presets[name] as JsonObject, path) === false)
    return {
      type: 'group',
      canBeOff,
      fields: parts.map(([key, part]) => field([...path, key], part, under?.[key])),
    }
  }
  if (Array.isArray(value)) return { type: 'list' }
  if (typeof value === 'boolean') return { type: 'switch' }
  if (typeof value === 'number' || value === null) {
    const isOptional = PRESETS.some((name) => at(presets[name] as JsonObject, path) === null)
    return { type: 'number', isOptional, ...rangeOf(path) }
  }
  const choices = choicesOf(path)
  return choices.length > 0 ? { type: 'choice', choices } : { type: 'text' }
}

/** `fuzzyThreshold` as `fuzzy threshold`. */
function wordsOf(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

/** The numbers that the engine takes there. */
function rangeOf(path: Path): { readonly min: number; readonly max: number } {
  const [, min, max] = /from (\d+) to (\d+)/.exec(complaint(path, -1)) ?? []
  return { min: Number(min ?? 0), max: Number(max ?? 1_000_000) }
}

/** The words that the engine takes there; none where it takes any text. */
function choicesOf(path: Path): readonly string[] {
  return quoted(complaint(path, '?'))
}

/** The formats that transcripts can be in, `auto` first. */
export function formats(): readonly string[] {
  try {
    readTranscript([], '?' as 'auto')
    return []
  } catch (error) {
    return quoted((error as Error).message)
  }
}

/** The texts in quotation marks in `must be one of "a", "b"; got "?"`. */
function quoted(message: string): readonly string[] {
  const [, list = ''] = /must be one of (.*); got/.exec(message) ?? []
  return Array.from(list.matchAll(/"([^"]*)"/g), ([, one = '']) => one)
}

const complaints = new Map<string, string>()

/** Returns the engine's error about a value that no option can have. */
function complaint(path: Path, wrong: Json): string {
  const name = path.join('.')
  let text = complaints.get(name)
  if (text === undefined) {
    text = mistakeIn(put({}, path, wrong, (inner) => shapeOf(inner)) as LoopDetectorOptions) ?? ''
    complaints.set(name, text)
  }
  return text
}

/** What is wrong with options; `null` if nothing is. */
export function mistakeIn(options: LoopDetectorOptions): string | null {
  try {
    new LoopDetector(options).free()
    return null
  } catch (error) {
    return (error as Error).message
  }
}

/** Returns the options with one value changed; a value that the preset has is left out. */
export function change(options: LoopDetectorOptions, path: Path, value: Json): LoopDetectorOptions {
  const { preset, ...changes } = options
  const resolved = resolve(options)
  const next = put(changes as JsonObject, path, value, (inner) => at(resolved, inner) ?? null)
  const base = presets[preset ?? 'balanced'] as JsonObject
  return { ...(preset && { preset }), ...(trim(next, base) as JsonObject) }
}

/** Puts a value into nested data. A list is taken over whole before one of its parts changes. */
function put(
  into: Json,
  path: Path,
  value: Json,
  current: (path: Path) => Json,
  done: Path = [],
): Json {
  const [key, ...rest] = path
  if (key === undefined) return value
  const here = current(done)
  if (done.length > 0 && Array.isArray(here)) {
    return here.map((part, index) =>
      String(index) === key ? put(part, rest, value, current, [...done, key]) : part,
    )
  }
  const object = isObject(into) ? into : {}
  return { ...object, [key]: put(object[key] ?? {}, rest, value, current, [...done, key]) }
}

/** Leaves out what is as in the preset. */
function trim(value: Json, base: Json | undefined): Json | undefined {
  if (JSON.stringify(value) === JSON.stringify(base)) return undefined
  if (!isObject(value) || !isObject(base)) return value
  const kept = Object.entries(value).flatMap(([key, part]) => {
    const rest = trim(part, base[key])
    return rest === undefined ? [] : [[key, rest] as const]
  })
  return kept.length === 0 ? undefined : Object.fromEntries(kept)
}
