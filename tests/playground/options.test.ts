/** The playground's controls follow from the presets, all of them, and change what they say. */

import { LoopDetector, presets } from 'loophound'
import { describe, expect, it } from 'vitest'
import {
  change,
  type Field,
  fieldsOf,
  formats,
  type Json,
  mistakeIn,
  PRESETS,
  resolve,
} from '../../playground/options.js'
import fc from '../support/property.js'

/** Every control, those in groups among them. */
const all = (fields: readonly Field[]): readonly Field[] =>
  fields.flatMap((field) =>
    field.control.type === 'group' ? [field, ...all(field.control.fields)] : [field],
  )

/** The paths of every value that a preset holds. */
function paths(value: unknown, path: readonly string[] = []): string[] {
  const isLeaf =
    typeof value !== 'object' ||
    value === null ||
    (Array.isArray(value) && typeof value[0] !== 'object')
  if (isLeaf) return [path.join('.')]
  return Object.entries(value).flatMap(([key, part]) => paths(part, [...path, key]))
}

describe.each(PRESETS)('the controls of %s', (preset) => {
  const fields = all(fieldsOf({ preset }))

  it('are one for each value of the preset', () => {
    const { preset: _name, tools: _tools, observe: _observe, ...values } = presets[preset]
    const controls = fields
      .filter(({ control, value }) => control.type !== 'group' || value === false)
      .map(({ path }) => path.join('.'))
    expect(controls.sort()).toEqual(paths(values).sort())
  })

  it('have limits and choices, as the engine has them', () => {
    for (const { path, control, value } of fields) {
      if (control.type === 'number') {
        expect(control.max, path.join('.')).toBeGreaterThan(control.min)
      }
      if (control.type === 'choice') expect(control.choices, path.join('.')).toContain(value)
    }
    const evidence = fields.find(({ path }) => path.join('.') === 'evidence')
    expect(evidence?.control).toEqual({ type: 'choice', choices: ['quote', 'none'] })
  })

  it('say what they mean, down to each pattern and each kind of patience', () => {
    const isNamedByItself = ({ path: [group = ''] }: Field) => /^(messages|advice)$/.test(group)
    const silent = fields.filter(
      (one) => one.hint === null && !(one.path.length > 1 && isNamedByItself(one)),
    )
    // A rung is three plain words: from when on, what, and how serious.
    expect(
      silent.map(({ path }) => path.join('.')).filter((name) => !/\.rungs\./.test(name)),
    ).toEqual([])
  })

  it('start unchanged', () => {
    expect(fields.filter(({ isChanged }) => isChanged)).toEqual([])
  })

  it('set any allowed value, which a detector takes, and undo it', () => {
    const leaves = fields.filter(({ control }) =>
      ['number', 'choice', 'switch'].includes(control.type),
    )
    fc.assert(
      fc.property(fc.constantFrom(...leaves), fc.nat(20), (field, number) => {
        const value = another(field, number)
        const options = change({ preset }, field.path, value)
        const now = all(fieldsOf(options)).find(({ path }) => String(path) === String(field.path))
        expect(now?.value).toEqual(value)
        expect(mistakeIn({ preset, ...options }) ?? '').not.toContain('is not an option')
        expect(change(options, field.path, field.value)).toEqual({ preset })
      }),
    )
  })

  it('switch patterns on and off', () => {
    for (const { path, control, value } of fields) {
      if (control.type !== 'group' || !control.canBeOff) continue
      const options = change({ preset }, path, value === false)
      new LoopDetector(options).free()
      const now = all(fieldsOf(options)).find((field) => String(field.path) === String(path))
      expect(now?.value === false).toBe(value !== false)
      expect(change(options, path, value)).toEqual({ preset })
    }
  })
})

/** Some value that the control can have. */
function another({ control, value }: Field, number: number): Json {
  if (control.type === 'number') return Math.min(control.max, control.min + number)
  if (control.type === 'choice') return control.choices[number % control.choices.length] ?? null
  return control.type === 'switch' ? number % 2 === 0 : value
}

describe('options', () => {
  it('with one rung changed keep the others', () => {
    const options = change({}, ['detectors', 'cycle', 'rungs', '0', 'at'], 2)
    const { detectors } = presets.balanced
    const cycle = detectors?.cycle as { rungs: readonly object[] }
    expect(options.detectors?.cycle).toEqual({
      rungs: cycle.rungs.map((rung, index) => (index === 0 ? { ...rung, at: 2 } : rung)),
    })
  })

  it('resolve to the preset with the changes', () => {
    expect(resolve({ preset: 'nudge', threshold: 4 })).toEqual({ ...presets.nudge, threshold: 4 })
  })

  it('that are wrong are told', () => {
    expect(mistakeIn({ threshold: 0 })).toContain('options.threshold must be a whole number')
    expect(mistakeIn({})).toBeNull()
  })
})

it('the formats are those of the package', () => {
  expect(formats()).toContain('claude-code')
  expect(formats()[0]).toBe('auto')
})
