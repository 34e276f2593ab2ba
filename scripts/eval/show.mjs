// One trajectory, with the label and the verdicts where they fall.
import { pairResults } from '../../examples/replay/results.mjs'
import { callRow, noteRow, verdictRows, wordsRow } from '../../examples/replay/rows.mjs'
import { bold, dim, line, plural, WIDTH, widest, wrap } from '../../examples/replay/screen.mjs'
import * as engine from '../../pkg/dist/index.js'
import { eventsOf } from './events.mjs'
import { isAlarm, judgeSteps } from './judge.mjs'
import { outcomeOf } from './score.mjs'

const WIDEST_NAME = 18

export function show({ labels, lines }, { policies }) {
  const trajectory = JSON.parse(lines[0])
  const label = labels.get(trajectory.id)
  line()
  line(`${bold(trajectory.id)}  ${dim(trajectory.source)}`)
  for (const part of wrap(told(label), WIDTH)) line(part)
  for (const policy of policies) showBy(policy, eventsOf(trajectory), label)
}

function told(label) {
  if (!label) return 'not labelled'
  const spans = label.spans.map(({ kind, from, to }) => `${kind} ${from}–${to}`).join(', ')
  const place = label.stuck ? `stuck (${spans})` : 'not stuck'
  return `${place}${label.borderline ? ', borderline' : ''}: ${label.reason}`
}

function showBy({ id, options }, events, label) {
  line()
  line(bold(`━━ ${id}`))
  line()
  const names = events.flatMap((event) => (event.t === 'call' ? [event.name] : []))
  const results = pairResults(events)
  const nameWidth = widest(names, WIDEST_NAME)
  const alarms = []
  for (const { step, call } of judgeSteps(engine, options, events)) {
    showStep(step, { results, nameWidth, label })
    if (!isAlarm(step)) continue
    alarms.push({ call })
    verdictRows(step.verdict)
  }
  line()
  const outcome = label ? `: ${outcomeOf({ label, alarms }).outcome}` : ''
  line(`  ${plural(names.length, 'call')}, ${plural(alarms.length, 'alarm')}${outcome}`)
}

function showStep({ kind, events, call }, { results, nameWidth, label }) {
  if (kind === 'calls') {
    for (const [position, event] of events.entries()) {
      const index = call - events.length + 1 + position
      border(label, 'from', index)
      callRow(
        { ...event, index, bracket: bracketOf(position, events) },
        outcomeOfCall(results.get(index)),
        nameWidth,
      )
      border(label, 'to', index)
    }
  } else if (kind === 'text') {
    wordsRow('“', events[0].text)
  } else if (kind === 'user') {
    wordsRow('❯', events[0].text ?? '')
  }
}

/** Where the label says that a stuck stretch begins and ends. */
function border(label, side, index) {
  for (const span of label?.spans ?? []) {
    if (span[side] !== index) continue
    noteRow(`${side === 'from' ? '┏' : '┗'} ${span.kind}`)
  }
}

function outcomeOfCall(result) {
  if (result === undefined) return { mark: 'open' }
  return { mark: result.ok === false ? 'failed' : 'ok', output: String(result.output ?? '') }
}

/** Calls of one turn are held together. */
function bracketOf(position, { length }) {
  if (length === 1) return ' '
  if (position === 0) return '┌'
  return position === length - 1 ? '└' : '│'
}
