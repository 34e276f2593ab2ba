/**
 * Shows why the detector raised an alarm or not: what the call counted as, and how close
 * each pattern was.
 *
 * @module
 */

import type { Explanation, PatternCount } from 'loophound'
import { useEffect, useState } from 'preact/hooks'
import { alarmOf, type Explained } from './judge.js'

/** Asks for an explanation, and shows it when it is there; with the text for the model, if wanted. */
export function WhyCall(props: { ask: () => Promise<Explained | null>; hasText?: boolean }) {
  const { ask, hasText = false } = props
  const [explained, setExplained] = useState<Explained | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the parent's key changes with the question
  useEffect(() => {
    let isWanted = true
    ask().then(
      (answer) => isWanted && setExplained(answer),
      () => isWanted && setExplained(null),
    )
    return () => {
      isWanted = false
    }
  }, [])
  if (!explained) return null
  const alarm = alarmOf(explained)
  const { action, message } = alarm.verdict
  return (
    <>
      {hasText && message !== null && (
        <>
          <p>
            At this call, the guard would {DEEDS[action]}. The model would {READS[action]}:
          </p>
          <blockquote>{message}</blockquote>
        </>
      )}
      {explained.isOfLast && alarm.call && (
        <p>
          The calls of one turn are judged together. This is about the last of them:{' '}
          <code>{alarm.call.label}</code>
        </p>
      )}
      <Why
        explanation={alarm}
        result={explained.atResult?.result ?? null}
        earlierAlarms={explained.earlierAlarms}
      />
    </>
  )
}

const DEEDS = {
  continue: 'say nothing',
  nudge: 'nudge',
  block: 'refuse the call',
  stop: 'end the run',
} as const

const READS = {
  continue: 'read',
  nudge: 'read',
  block: 'get, instead of a result',
  stop: 'get, instead of a result',
} as const

/** Shows an explanation. */
export function Why(props: {
  explanation: Explanation
  result: Explanation['result']
  earlierAlarms: Explained['earlierAlarms']
}) {
  const { call, loops, patterns } = props.explanation
  const { result, earlierAlarms } = props
  const facts = [
    call && `It counts as ${EFFECTS[call.effect]}.`,
    result && `It ${result.failed ? 'failed' : 'worked'}; the result is ${words(result.evidence)}.`,
    result &&
      result.sameResults > 1 &&
      `This call has had the same result ${result.sameResults} times in a row.`,
    result?.waiting && 'It counts as waiting.',
    ...loops.map(
      ({ kind, evidence, atMost, action }) =>
        `The evidence for ${kind} is "${words(evidence)}", which allows ${article(atMost)} at most. Decision: ${action}${reason(action, earlierAlarms[kind])}.`,
    ),
  ]
  return (
    <div class="why">
      <p>{facts.filter(Boolean).join(' ')}</p>
      <Patterns patterns={patterns} />
    </div>
  )
}

/** Why a loop is not reported: alarms about one loop come further and further apart. */
const reason = (action: string, earlier: number | undefined) =>
  action === 'continue' && earlier !== undefined
    ? `, since call ${earlier + 1} raised an alarm of this kind, and the next one is due later`
    : ''

const EFFECTS = { read: 'reading', write: 'writing', execute: 'executing' } as const

const article = (action: string) => (action === 'continue' ? 'silence' : `a ${action}`)

const words = (name: string) => name.replaceAll('-', ' ')

/**
 * How close each pattern is, the closest first. A pattern that is looked for in several ways is as
 * close as the closest of them.
 */
export function Patterns({ patterns }: { patterns: readonly PatternCount[] }) {
  const share = ({ count, threshold }: PatternCount) => count / Math.max(1, threshold)
  // Without a cap, its threshold is the largest number there is.
  const shown = patterns.filter(({ threshold }) => threshold < Number.MAX_SAFE_INTEGER)
  const closest = new Map<string, PatternCount>()
  for (const pattern of shown.sort((a, b) => share(b) - share(a))) {
    if (!closest.has(pattern.kind)) closest.set(pattern.kind, pattern)
  }
  return (
    <dl class="patterns">
      {Array.from(closest.values(), ({ kind, count, threshold, active }) => (
        <div key={kind} class={active ? 'active' : ''}>
          <dt>{kind}</dt>
          <dd>
            <meter
              aria-label={`${kind}: ${count} of ${threshold}`}
              min={0}
              low={threshold / 2}
              high={threshold * 0.99}
              optimum={0}
              max={Math.max(1, threshold)}
              value={Math.min(count, Math.max(1, threshold))}
            />
            <span>
              {count} of {threshold}
              {active ? ', a loop' : count >= threshold && ', but no loop of this kind'}
            </span>
          </dd>
        </div>
      ))}
    </dl>
  )
}
