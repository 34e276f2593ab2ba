/**
 * A simulated agent that the visitor steers, to watch how the guard escalates.
 *
 * @module
 */

import type { LoopDetectorOptions } from 'loophound'
import { useMemo } from 'preact/hooks'
import { MOST_MOVES, type Move, type Run, type Step, simulate } from './simulation.js'
import type { Action } from './state.js'
import { Patterns } from './why.js'

const BUTTONS: readonly (readonly [move: Move, title: string, about: string])[] = [
  ['repeat', 'Repeat', 'run the failing test again'],
  ['vary', 'Vary', 'the same with another flag'],
  ['fix', 'Fix', 'edit the code: something new'],
  ['poll', 'Poll', 'ask whether the deployment is ready'],
]

const LADDER = ['continue', 'nudge', 'block', 'stop'] as const
const RUNGS: Readonly<Record<(typeof LADDER)[number], string>> = {
  continue: 'No alarm.',
  nudge: 'The model gets a hint.',
  block: 'The call is refused.',
  stop: 'The run ends.',
}

export function AgentPane(props: {
  moves: readonly Move[]
  options: LoopDetectorOptions
  dispatch: (action: Action) => void
}) {
  const { moves, options, dispatch } = props
  const run = useMemo((): Run | null => {
    try {
      return simulate(moves, options)
    } catch {
      return null
    }
  }, [moves, options])
  if (!run) return <h2 class="answer">These options are not allowed</h2>
  const latest = run.steps.at(-1)
  const rung = run.stopped ? 'stop' : rungOf(latest)
  const isOver = run.stopped !== null || moves.length >= MOST_MOVES
  const move = (...next: Move[]) => dispatch({ type: 'move', moves: next })
  return (
    <>
      <h2 class="answer" aria-live="polite">
        {run.stopped ?? (latest ? headline(latest) : 'You are the agent')}
      </h2>
      <p class="lead">
        A test fails. Choose what the agent does next, and watch how far the guard goes.
        {(options.preset ?? 'balanced') === 'balanced' &&
          ' It nudges first, then refuses a call, and stops the run only when both were ignored.'}
      </p>
      <div class="buttons moves">
        {BUTTONS.map(([name, title, about]) => (
          <button key={name} type="button" disabled={isOver} onClick={() => move(name)}>
            <b>{title}</b> <span>{about}</span>
          </button>
        ))}
      </div>
      <p class="buttons">
        <button
          type="button"
          disabled={isOver}
          onClick={() => move(...Array.from({ length: 10 }, (): Move => 'repeat'))}
        >
          Repeat ten times
        </button>
        <button
          type="button"
          disabled={moves.length === 0}
          onClick={() => dispatch({ type: 'restart' })}
        >
          Start again
        </button>
      </p>
      <ol class="ladder" aria-label="How far the guard has gone">
        {LADDER.map((name) => (
          <li key={name} class={name} {...(name === rung && { 'aria-current': 'step' })}>
            <b>
              {name}
              {name !== 'continue' && countOf(run, name)}
            </b>{' '}
            <span>{RUNGS[name]}</span>
          </li>
        ))}
      </ol>
      {run.explanation && (
        <>
          <h3>How close each pattern is</h3>
          <Patterns patterns={run.explanation.patterns} />
        </>
      )}
      {run.steps.length > 0 && <h3>Steps, the newest first</h3>}
      <ol class="steps" reversed>
        {run.steps.map((step) => <StepView key={step.number} step={step} />).reverse()}
      </ol>
    </>
  )
}

const rungOf = (step: Step | undefined) => step?.verdict?.action ?? 'continue'

/** The newest step in a line. A nudge is decided in one step, and read at the start of the next. */
function headline(step: Step): string {
  const read = step.nudge === null ? '' : 'The model has read the hint. '
  return `Step ${step.number}: ${read}${RUNGS[rungOf(step)]}`
}

/** How many times it came to that, if it did. */
function countOf({ steps }: Run, action: string): string {
  const count = steps.filter(({ verdict }) => verdict?.action === action).length
  return count === 0 ? '' : ` × ${count}`
}

function StepView({ step }: { step: Step }) {
  const { call, nudge, hasRun, output, isFailure, verdict } = step
  return (
    <li value={step.number}>
      {nudge && (
        <details open>
          <summary>The model first reads the hint of the step before:</summary>
          <blockquote>{nudge}</blockquote>
        </details>
      )}
      <p>
        <b>{call.name}</b> <code>{JSON.stringify(call.args)}</code>
        {isFailure && <span class="badge error">error</span>}
        {verdict && <span class={`badge ${verdict.action}`}>{verdict.action}</span>}
      </p>
      {hasRun ? (
        <pre>{output}</pre>
      ) : (
        <>
          <p>Refused. Instead of a result, the model gets:</p>
          <blockquote>{output}</blockquote>
        </>
      )}
    </li>
  )
}
