/**
 * Where transcripts come from: a sample, the clipboard, files or folders.
 *
 * @module
 */

import type { TranscriptFormat } from 'loophound'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { several } from '../js/report/figures.js'
import { type Given, picked } from './files.js'
import type { Format, Source } from './judge.js'
import { formats } from './options.js'
import { SAMPLES } from './samples.js'

/** Longer texts are not put into the text field, which would take longer than judging them. */
const SHOWN = 20_000
/** Milliseconds without a key after which a typed text is judged. */
const PAUSE = 500

export function Input(props: {
  sources: readonly Source[]
  format: Format
  recognised: TranscriptFormat | null
  load: (source: Source) => void
  read: (given: readonly Given[]) => void
  setFormat: (format: Format) => void
}) {
  const { sources, format, recognised, load, read, setFormat } = props
  const [first] = sources
  const sample = SAMPLES.find(({ text }) => sources.length === 1 && first?.text === text)
  const known = useMemo(formats, [])
  const shown = sources.length === 1 && first && first.text.length <= SHOWN ? first.text : ''
  const paste = (text: string) => {
    if (text.trim() !== '') load({ name: 'pasted transcript', text })
  }
  // What is typed stays in the field until something else is loaded: judging lags behind the keys.
  const typed = useRef<{ text: string; source: Source | undefined } | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another source ends the wait
  useEffect(() => () => clearTimeout(timer.current), [first])
  const type = (text: string) => {
    clearTimeout(timer.current)
    typed.current = { text, source: first }
    if (text.trim() === '') return
    timer.current = setTimeout(() => {
      const source = { name: 'typed transcript', text }
      typed.current = { text, source }
      load(source)
    }, PAUSE)
  }
  const content = typed.current?.source === first ? typed.current?.text : sample ? '' : shown
  return (
    <section class="input" aria-label="Transcript">
      <div class="samples">
        <span id="samples-name">Take a sample</span>
        <ul aria-labelledby="samples-name">
          {SAMPLES.map((one) => (
            <li key={one.name}>
              <button type="button" aria-pressed={sample === one} onClick={() => load(one)}>
                {one.title}
              </button>
            </li>
          ))}
        </ul>
      </div>
      <div class="own">
        <label for="paste">or your own session</label>
        <textarea
          id="paste"
          rows={2}
          spellcheck={false}
          placeholder="Paste a transcript, or drop files or folders."
          value={content}
          onPaste={(event) => {
            const text = event.clipboardData?.getData('text/plain') ?? ''
            // What is there is replaced: a transcript is pasted whole.
            event.preventDefault()
            paste(text)
          }}
          onInput={(event) => type(event.currentTarget.value)}
        />
        <div class="buttons">
          <FileButton title="Open files" read={read} />
          <FileButton title="Open a folder" read={read} isFolder />
          <label class="format">
            Format{' '}
            <select
              value={format}
              onChange={(event) => setFormat(event.currentTarget.value as Format)}
            >
              {known.map((name) => (
                <option key={name} value={name}>
                  {name === 'auto' ? `recognised${recognised ? `: ${recognised}` : ''}` : name}
                </option>
              ))}
            </select>
          </label>
        </div>
        {!sample && <p class="hint">{describe(sources)}</p>}
      </div>
    </section>
  )
}

function describe(sources: readonly Source[]): string {
  const size = sources.reduce((sum, { text }) => sum + text.length, 0)
  const length =
    size < 1000
      ? several(size, 'character')
      : size < 1e6
        ? `${Math.round(size / 1000)} kB`
        : `${(size / 1e6).toFixed(1)} MB`
  const what = sources.length === 1 ? sources[0]?.name : several(sources.length, 'file')
  return `${what}, ${length}`
}

function FileButton(props: {
  title: string
  read: (given: readonly Given[]) => void
  isFolder?: boolean
}) {
  const { title, read, isFolder = false } = props
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <button type="button" onClick={() => input.current?.click()}>
        {title}…
      </button>
      <input
        ref={input}
        class="unseen"
        type="file"
        multiple
        tabIndex={-1}
        aria-label={title}
        {...(isFolder && { webkitdirectory: true })}
        onChange={({ currentTarget }) => {
          read(picked(currentTarget.files ?? []))
          currentTarget.value = ''
        }}
      />
    </>
  )
}
