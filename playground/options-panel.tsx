/**
 * The controls for the detector's options.
 *
 * @module
 */

import type { LoopDetectorOptions, PresetName } from 'loophound'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { type Field, fieldsOf, type Json, mistakeIn, PRESETS } from './options.js'
import type { Action, Side } from './state.js'

/** What each preset is for. */
const ABOUT: Readonly<Record<PresetName, string>> = {
  balanced: 'Compares results, and escalates by evidence. The default.',
  nudge: 'Counts equal calls, nudges, never stops.',
  guard: 'Five equal calls in a row, and a cap on turns.',
  cycles: 'Cycles of one to three calls.',
  window: 'Three equal calls among the last twenty.',
}

/** On a narrow screen, the options stand above the answer, and must not hide it. */
const IS_WIDE = matchMedia('(min-width: 56rem)').matches

export function OptionsPanel(props: {
  options: LoopDetectorOptions
  side: Side | null
  error: string | null
  dispatch: (action: Action) => void
}) {
  const { options, side, error, dispatch } = props
  const preset = options.preset ?? 'balanced'
  const fields = useMemo(() => fieldsOf(options), [options])
  const [isExplained, explain] = useState(false)
  const changed = Object.keys(options).some((name) => name !== 'preset')
  return (
    <aside aria-label="Options">
      <details class={`options${isExplained ? ' explained' : ''}`} open={IS_WIDE}>
        <summary>
          <h2>Options{side !== null && <> {side === 0 ? 'A' : 'B'}</>}</h2>
        </summary>
        {side !== null && (
          <fieldset class="choices">
            <legend class="unseen">Which options to change</legend>
            {([0, 1] as const).map((one) => (
              <label key={one}>
                <input
                  type="radio"
                  name="side"
                  checked={side === one}
                  onChange={() => dispatch({ type: 'edit', side: one })}
                />
                {one === 0 ? 'A' : 'B'}
              </label>
            ))}
          </fieldset>
        )}
        <fieldset class="choices">
          <legend class="unseen">Preset</legend>
          {PRESETS.map((name) => (
            <label key={name}>
              <input
                type="radio"
                name="preset"
                checked={preset === name}
                onChange={() => dispatch({ type: 'options', options: { preset: name } })}
              />
              {name}
            </label>
          ))}
        </fieldset>
        <p class="hint">
          {ABOUT[preset]}{' '}
          {changed && (
            <button
              type="button"
              class="plain"
              onClick={() => dispatch({ type: 'options', options: { preset } })}
            >
              Undo all changes
            </button>
          )}
        </p>
        {error !== null && (
          <p class="problem" role="alert">
            {error}
          </p>
        )}
        <p class="hint">
          <button
            type="button"
            class="plain"
            aria-pressed={isExplained}
            onClick={() => explain(!isExplained)}
          >
            {isExplained ? 'Hide the explanations' : 'Explain the options'}
          </button>
        </p>
        <div class="fields">
          {fields.map((field) => (
            <FieldView key={`${preset} ${field.path}`} field={field} dispatch={dispatch} />
          ))}
        </div>
        <AsJson options={options} dispatch={dispatch} />
      </details>
    </aside>
  )
}

interface FieldProps {
  readonly field: Field
  readonly dispatch: (action: Action) => void
}

/** A group that is not open has no controls: there are hundreds in all. */
function FieldView({ field, dispatch }: FieldProps) {
  const { path, label, hint, control, isChanged } = field
  const [isOpen, open] = useState(false)
  const set = (value: Json) => dispatch({ type: 'change', path, value })
  if (control.type !== 'group') return <Control field={field} set={set} />
  const inner = control.fields.map((one) => (
    <FieldView key={one.path.join(' ')} field={one} dispatch={dispatch} />
  ))
  return (
    <details
      class={`group${isChanged ? ' changed' : ''}`}
      onToggle={(event) => {
        if (event.target === event.currentTarget) open(event.currentTarget.open)
      }}
    >
      <summary>
        {label}
        {field.value === false && <span class="hint"> off</span>}
        {isChanged && <span class="unseen"> (changed)</span>}
        {hint && <span class="about">{hint}</span>}
      </summary>
      {isOpen && (
        <div>
          {control.canBeOff && (
            <label class="field">
              <span>{label} is looked for</span>
              <input
                type="checkbox"
                checked={field.value !== false}
                onChange={(event) => set(event.currentTarget.checked)}
              />
            </label>
          )}
          {inner}
        </div>
      )}
    </details>
  )
}

function Control({ field, set }: { field: Field; set: (value: Json) => void }) {
  const { path, label, hint, value, preset, control, isChanged } = field
  const id = `option-${path.join('-')}`
  const about = hint && (
    <span class="about" id={`${id}-about`}>
      {hint}
    </span>
  )
  const described = hint ? { 'aria-describedby': `${id}-about` } : {}
  const canUndo = preset !== null || (control.type === 'number' && control.isOptional)
  const undo = isChanged && canUndo && (
    <button
      type="button"
      class="plain"
      aria-label={`Undo the change of ${label}`}
      title={`The preset has ${JSON.stringify(preset)}`}
      onClick={() => set(preset)}
    >
      ↺
    </button>
  )
  const name = (
    <span class="name">
      <label for={id}>{label}</label> {undo}
    </span>
  )
  const kind = `field as-${control.type}${isChanged ? ' changed' : ''}`
  switch (control.type) {
    case 'number':
      return (
        <div class={kind}>
          {name}
          <Slider field={field} set={set} min={control.min} max={control.max} />
          <input
            id={id}
            {...described}
            type="number"
            min={control.min}
            max={control.max}
            value={value === null ? '' : Number(value)}
            placeholder={control.isOptional ? 'none' : ''}
            onInput={({ currentTarget }) => {
              if (currentTarget.value !== '') set(currentTarget.valueAsNumber)
              else if (control.isOptional) set(null)
            }}
          />
          {about}
        </div>
      )
    case 'choice':
      return (
        <div class={kind}>
          {name}
          <select
            id={id}
            {...described}
            value={String(value)}
            onChange={(event) => set(event.currentTarget.value)}
          >
            {control.choices.map((choice) => (
              <option key={choice}>{choice}</option>
            ))}
          </select>
          {about}
        </div>
      )
    case 'switch':
      return (
        <div class={kind}>
          {name}
          <input
            id={id}
            {...described}
            type="checkbox"
            checked={value === true}
            onChange={(event) => set(event.currentTarget.checked)}
          />
          {about}
        </div>
      )
    case 'list':
      return (
        <div class={kind}>
          {name}
          <textarea
            id={id}
            {...described}
            rows={3}
            value={(value as readonly string[]).join(', ')}
            onChange={(event) =>
              set(event.currentTarget.value.split(',').flatMap((one) => one.trim() || []))
            }
          />
          {about}
        </div>
      )
    default:
      return (
        <div class={kind}>
          {name}
          <textarea
            id={id}
            {...described}
            rows={3}
            value={String(value)}
            onChange={(event) => set(event.currentTarget.value)}
          />
          {about}
        </div>
      )
  }
}

/** Beside the number: quick to move, up to a few times what the preset has. */
function Slider(props: { field: Field; set: (value: Json) => void; min: number; max: number }) {
  const { field, set, min, max } = props
  const usual = Math.max(Number(field.preset ?? 0) * 3, Number(field.value ?? 0), 12)
  return (
    <input
      type="range"
      aria-label={`${field.label}, slider`}
      min={min}
      max={Math.min(max, usual)}
      value={Number(field.value ?? min)}
      onInput={(event) => set(event.currentTarget.valueAsNumber)}
    />
  )
}

/** Everything at once, and what has no control: options of single tools. */
function AsJson(props: { options: LoopDetectorOptions; dispatch: (action: Action) => void }) {
  const { options, dispatch } = props
  const [text, setText] = useState(() => JSON.stringify(options, null, 2))
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    setText(JSON.stringify(options, null, 2))
    setProblem(null)
  }, [options])
  const apply = (written: string) => {
    setText(written)
    let read: LoopDetectorOptions
    try {
      read = JSON.parse(written)
    } catch (error) {
      setProblem(`This is not JSON: ${(error as Error).message}`)
      return
    }
    const mistake = mistakeIn(read)
    setProblem(mistake)
    if (mistake === null) dispatch({ type: 'options', options: read })
  }
  return (
    <details class="group">
      <summary>as JSON</summary>
      <label class="field wide-field">
        <span>Options as JSON, those of single tools among them</span>
        <textarea
          rows={8}
          spellcheck={false}
          value={text}
          onChange={(event) => apply(event.currentTarget.value)}
        />
      </label>
      {problem !== null && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </details>
  )
}
