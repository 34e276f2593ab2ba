/**
 * A text as it streams, and where the guard would cut it off.
 *
 * @module
 */

import type { LoopDetectorOptions, TextChannel } from 'loophound'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { several } from '../js/report/figures.js'
import { CHANT } from './samples.js'
import { type StreamOutcome, streamText, watchesText } from './text-stream.js'

const CHANNELS: readonly TextChannel[] = ['text', 'reasoning', 'arguments']
/** Milliseconds between two chunks. */
const PACE = 25

export function TextPane({ options }: { options: LoopDetectorOptions }) {
  const [text, setText] = useState(CHANT)
  const [chunk, setChunk] = useState(12)
  const [channel, setChannel] = useState<TextChannel>('text')
  /** Characters that have come so far. */
  const [come, setCome] = useState(Number.POSITIVE_INFINITY)
  const isStreaming = come < text.length
  const outcome = useMemo((): StreamOutcome | null => {
    try {
      return streamText(text, chunk, channel, options)
    } catch {
      return null
    }
  }, [text, chunk, channel, options])

  useEffect(() => {
    if (!isStreaming) return
    const timer = setTimeout(() => setCome(come + chunk), PACE)
    return () => clearTimeout(timer)
  }, [come, isStreaming, chunk])

  const start = () => {
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
    setCome(isCalm ? Number.POSITIVE_INFINITY : 0)
  }
  return (
    <>
      <h2 class="answer" aria-live="polite">
        {isStreaming ? 'Streaming…' : headline(outcome, text)}
      </h2>
      <p class="lead">
        Models also loop in the middle of a response. The guard reads the text as it streams, and
        cuts it off once it only repeats itself.{' '}
        {watchesText(options)
          ? 'How much it takes is the threshold of chant, under detectors.'
          : 'These options do not look for that: take balanced, or switch on chant under detectors.'}
      </p>
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault()
          start()
        }}
      >
        <button type="submit" class="primary">
          Stream it
        </button>
        <label>
          Channel{' '}
          <select
            value={channel}
            onChange={(event) => setChannel(event.currentTarget.value as TextChannel)}
          >
            {CHANNELS.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <label>
          Characters in a chunk{' '}
          <input
            type="number"
            min={1}
            max={1000}
            value={chunk}
            onInput={({ currentTarget: { valueAsNumber } }) => {
              if (valueAsNumber >= 1) setChunk(Math.floor(valueAsNumber))
            }}
          />
        </label>
      </form>
      {outcome && <Streamed text={text} come={come} outcome={outcome} />}
      {outcome?.alarms.map(({ at, verdict }) => (
        <article key={at} class={`loop ${verdict.action}`}>
          <h3>
            <span class="badge">{verdict.action}</span> {verdict.kind}, after{' '}
            {several(at, 'character')}
          </h3>
          <p>{verdict.summary} The model would read:</p>
          <blockquote>{verdict.message}</blockquote>
        </article>
      ))}
      <label class="field wide-field">
        <span>The text</span>
        <textarea
          rows={8}
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value)
            setCome(Number.POSITIVE_INFINITY)
          }}
        />
      </label>
    </>
  )
}

function headline(outcome: StreamOutcome | null, text: string): string {
  if (!outcome) return 'These options are not allowed'
  if (outcome.cutAt === null) return 'The text would not be cut'
  return `Cut after ${several(outcome.cutAt, 'character')}: ${several(text.length - outcome.cutAt, 'character')} saved`
}

/** The text so far: what repeats is marked, and what would have been cut off is struck out. */
function Streamed(props: { text: string; come: number; outcome: StreamOutcome }) {
  const { text, come, outcome } = props
  const cut = outcome.cutAt ?? text.length
  const details = outcome.alarms.at(-1)?.verdict.details
  const since = Math.min(details?.since ?? cut, cut)
  const end = Math.min(come, text.length)
  const part = (from: number, to: number) => text.slice(from, Math.max(from, Math.min(to, end)))
  return (
    <p class="streamed">
      {part(0, since)}
      <mark>{part(since, cut)}</mark>
      {outcome.cutAt !== null && end >= cut && (
        <>
          <strong class="cut">cut here</strong>
          <del>{part(cut, text.length)}</del>
        </>
      )}
    </p>
  )
}
