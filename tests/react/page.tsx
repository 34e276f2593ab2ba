/** The page that the tests of `loophound/react` open: the example, with an agent that is stuck. */

import { LoopGuard, scan } from 'loophound'
import { LoopTimeline, useLoopGuard } from 'loophound/react'
import { StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { type Agent, AgentPanel } from '../../examples/react/agent-panel.js'

let calls = 0
const stuck: Agent = {
  next: async () => {
    calls += 1
    return { id: `${calls}`, name: 'read', args: { path: 'a.txt' } }
  },
  run: async () => ({ ok: true, output: 'hello' }),
  // What the model is told is shown where no component writes.
  refuse: async (_call, reason) => {
    document.title = reason
  },
}

/** How many guards were released. */
let released = 0
const free = LoopGuard.prototype.free
LoopGuard.prototype.free = function () {
  released += 1
  free.call(this)
}

/** A guard whose component renders again, and whose callback changes with it. */
function Counter() {
  const [renders, render] = useState(0)
  const [heard, setHeard] = useState('nothing')
  const { guard, verdicts } = useLoopGuard({
    detector: 'window',
    onWarning: false,
    onVerdict: () => setHeard(`render ${renders}`),
  })
  const [first] = useState(guard)
  return (
    <section id="counter">
      <button type="button" onClick={() => render(renders + 1)}>
        Render
      </button>
      <button
        type="button"
        onClick={() => {
          guard.call({ name: 'read', args: {} })
          guard.endStep()
        }}
      >
        Call
      </button>
      <output>
        {verdicts.length} verdicts, heard in {heard}, {first === guard ? 'same' : 'other'} guard
      </output>
    </section>
  )
}

function Page() {
  const [isShown, show] = useState(true)
  const [chosen, choose] = useState('')
  const call = { t: 'call', name: 'read', args: { path: 'a.txt' } }
  const result = { t: 'result', ok: true, output: 'hello' }
  const events = Array.from({ length: 8 }, () => [call, result]).flat()
  const report = scan(events, { timeline: true })
  return (
    <main>
      <button type="button" onClick={() => show(!isShown)}>
        Toggle
      </button>
      <button type="button" onClick={() => choose(`${released} released`)}>
        Count
      </button>
      <p id="chosen">{chosen}</p>
      {isShown && <AgentPanel agent={stuck} />}
      {isShown && <Counter />}
      <LoopTimeline
        report={report}
        onSelect={({ tool }, index) => choose(`${tool} ${index + 1}`)}
        className="choosable"
      />
    </main>
  )
}

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <Page />
    </StrictMode>,
  )
}
