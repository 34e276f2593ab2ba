/**
 * Shows the measurements in the terminal: the figures, the sessions that a policy got
 * wrong, what changed since an earlier run, and the events of one session with its
 * verdicts.
 */
import { styleText } from 'node:util'
import { isAlarm, pairResults, play } from './replay.mjs'
import { ACTIONS, atLeast, resultByWords, resultOf } from './score.mjs'
import { closedLoopTable, targetsTable, toTerminal, viewTable, viewTitle } from './tables.mjs'

const WIDTH = process.stdout.columns ?? 160
/** How many alarms of a session are listed; the rest is only counted. */
const LISTED = 3
/** A session of at most this many calls is traced as a whole. */
const SHORT = 60

const write = (text) => process.stdout.write(`${text}\n`)
const paint = (style, text) =>
  process.stdout.isTTY && !process.env.NO_COLOR ? styleText(style, text) : text
const bold = (text) => paint('bold', text)
const dim = (text) => paint('dim', text)

const COLOURS = {
  'false alarm': 'red',
  miss: 'yellow',
  hit: 'green',
  quiet: 'dim',
  'not scored': 'dim',
}

const LEGEND = {
  labels: `precision, of blocks, of stops: of the sessions that are alarmed (refused a call or stopped; stopped), how many inside a loop
delay: calls from the first repeat to the alarm; saved: calls in loops after the first alarm
strong, not stuck: sessions with a false alarm per 1,000 calls, on strong models and on labelled sessions that are not stuck`,
  'modern-turns': `work alarmed, blocked, stopped: sessions of today's agents; blocked includes stopped
per 1,000: sessions with a false alarm per 1,000 calls, with the Wilson interval`,
  'modern-calls': 'Each call is reported by itself, directly followed by its result, as hooks do.',
  scenarios:
    'alarmed includes blocked, blocked includes stopped; delay: calls before the first alarm',
}

/** Print the figures: what `measure` of main.mjs gives. */
export function showFigures({ views, closedLoop, targets, absentPeers, failedPeers }) {
  for (const view of views) {
    write(`\n${bold(viewTitle(view))}\n${dim(LEGEND[view.id])}\n\n${toTerminal(viewTable(view))}`)
  }
  if (closedLoop.length > 0) {
    write(
      `\n${bold('simulated agents: stuck stretches repeated up to 200 turns behind a LoopGuard')}`,
    )
    write(
      dim(
        'silent: loops without a word; nudges per loop: median and most; at: turn of the loop, median',
      ),
    )
    write(`\n${toTerminal(closedLoopTable(closedLoop))}`)
  }
  for (const { id, version, why } of absentPeers)
    write(`${id} ${version} did not install: ${why}\n`)
  for (const { id, sessions } of failedPeers) {
    const some = sessions.slice(0, LISTED).join(', ')
    write(`${id} ended or hung in ${sessions.length} sessions, which count as silent: ${some}, …\n`)
  }
  if (targets.length === 0) return
  write(`\n${bold('what balanced is meant to reach')}\n\n${toTerminal(targetsTable(targets))}`)
}

/** @param {readonly { title: string, table: object }[]} tables */
export function showTables(tables) {
  for (const { title, table } of tables) write(`\n${bold(title)}\n\n${toTerminal(table)}`)
  if (tables.length === 0) write('There is no data for this study.')
}

/**
 * Return the result of a policy on each session of a view. For labelled sessions the first
 * alarm decides, elsewhere any alarm inside a loop is a hit.
 */
export function resultsOf({ set, replay }, replayed, policy) {
  const judge = set === 'labels' ? resultOf : resultByWords
  return replayed.map(({ id, source, group, expect, spans, note, calls, alarms }) => {
    const run = { expect, spans, calls, alarms: alarms[replay][policy] }
    return { id, source, group, note, ...run, result: judge(run).result }
  })
}

/**
 * Choose sessions: those that match every word, or the failed ones if there is no word. A
 * word is part of an id, or a result, source, group, kind or action; `all` matches any
 * session.
 */
export function select(results, words) {
  if (words.length === 0) {
    return results.filter(({ result }) => result === 'false alarm' || result === 'miss')
  }
  return results.filter(({ id, result, source, group, alarms }) => {
    const fields = [result, source, group, ...alarms.flatMap(({ kind, action }) => [kind, action])]
    const matches = (word) => id.includes(word) || fields.some((field) => field.startsWith(word))
    return words.every((word) => word === 'all' || matches(word))
  })
}

/** List sessions, each with its first alarms. */
export function showResults({ id: view, replay }, policy, results) {
  const counts = Object.keys(COLOURS).flatMap((name) => {
    const { length } = results.filter(({ result }) => result === name)
    return length > 0 ? [`${length} ${name}`] : []
  })
  write(`\n${bold(`${view}, ${policy}`)}: ${counts.join(', ') || 'nothing to show'}`)
  for (const { id, source, group, spans, note, calls, alarms, result } of results) {
    write(
      `\n${paint(COLOURS[result], result)}  ${bold(id)}  ${dim(`${source}, ${group}, ${calls} calls`)}`,
    )
    const stuck = spans.filter(({ kind }) => kind !== 'scenario').map(spanText)
    const told = [stuck.length > 0 ? `stuck: ${stuck.join(', ')}` : '', note].filter(Boolean)
    if (told.length > 0) write(`  ${told.join('. ')}`)
    for (const alarm of worthListing(alarms)) write(alarmText(alarm, '  '))
    const counted = Object.keys(ACTIONS).map((action) => atLeast(action, { alarms }).alarms.length)
    if (alarms.length > LISTED) {
      write(
        `  ${dim(`${counted[0]} alarms in all, ${counted[1]} of them block or stop, ${counted[2]} stop`)}`,
      )
    }
    write(
      `  ${dim(`npm run eval -- --trace ${id} --only ${policy}${replay === 'calls' ? ' --calls' : ''}`)}`,
    )
  }
  write('')
}

/** Return the first alarms, and the first of each more severe action. */
function worthListing(alarms) {
  const firsts = ['block', 'stop'].map((name) => alarms.find(({ action }) => action === name))
  return alarms.filter((alarm, index) => index < LISTED || firsts.includes(alarm))
}

const spanText = ({ from, to, kind }) => `${kind} ${from}–${to}`

/** "call 12  block  no-progress ×5, cycle of 2, since call 4, 6 wasted", and what is repeated. */
function alarmText({ call, action, kind, count, period, since, wasted, pattern }, lead) {
  const indent = ' '.repeat(lead.length)
  const facts = [
    count > 0 ? `${kind} ×${count}` : kind,
    period > 1 ? `cycle of ${period}` : '',
    since >= 0 ? `since call ${since}` : '',
    wasted > 0 ? `${wasted} wasted` : '',
  ]
  const repeated = pattern
    .slice(0, LISTED)
    .map((label) => `${indent}  ${shorten(label, WIDTH - 8)}`)
  const more = pattern.length > LISTED ? [`${indent}  … ${pattern.length - LISTED} more`] : []
  return [
    `${lead}call ${call}  ${action}  ${facts.filter(Boolean).join(', ')}`,
    ...[...repeated, ...more].map(dim),
  ].join('\n')
}

/**
 * Show which sessions have another result than in an earlier run.
 *
 * @param {Record<string, object[]>} before By view, what `--json` printed as `results`.
 */
export function showChanges({ id: view }, before, results) {
  const earlier = new Map((before[view] ?? []).map((entry) => [entry.id, entry]))
  const summary = ({ result, alarms }) => {
    const [first] = alarms
    const hardest = ['stop', 'block', 'nudge'].find((name) =>
      alarms.some(({ action }) => action === name),
    )
    return first ? `${result} (${first.kind} at call ${first.call}, at most ${hardest})` : result
  }
  const changes = results.flatMap((entry) => {
    const old = earlier.get(entry.id)
    if (!old || summary(old) === summary(entry)) return []
    return [{ entry, old, isOther: old.result !== entry.result }]
  })
  const others = changes.filter(({ isOther }) => isOther).length
  write(
    `\n${bold(view)}: ${others} sessions have another result, ${changes.length - others} other alarms`,
  )
  for (const { entry, old } of changes)
    write(`  ${entry.id}\n    ${summary(old)} → ${summary(entry)}`)
}

/**
 * Show the calls of a session, with its label and the verdicts in place.
 *
 * @param {object} engine The package.
 * @param {object} session With `events`, as `eventsOf` makes them.
 * @param {{ id: string, options: object }} policy
 * @param {'turns' | 'calls'} way
 * @param {number | null} around Calls to show before and after each alarm and label; null for what
 *   suits the session's length.
 */
export function trace(engine, { id, source, group, note, spans, events }, policy, way, around) {
  const steps = [...play(engine, policy.options, events, way)]
  const calls = pairResults(events)
  const alarms = steps.filter(isAlarm)
  const marks = [...alarms.map(({ call }) => call), ...spans.flatMap(({ from, to }) => [from, to])]
  const reach = around ?? (calls.length <= SHORT ? calls.length : 5)
  const isShown = (call) =>
    reach >= calls.length || marks.some((mark) => Math.abs(mark - call) <= reach)

  write(
    `\n${bold(id)}  ${dim(`${source}, ${group}, ${calls.length} calls, ${policy.id}, by ${way}`)}`,
  )
  if (note) write(note)
  let wasShown = true
  for (const { kind, events: told, call, verdict, ...rest } of steps) {
    if (!isShown(call)) {
      if (wasShown) write(dim('   ⋮'))
      wasShown = false
      continue
    }
    wasShown = true
    if (kind === 'calls') {
      for (const [position, event] of told.entries()) {
        const index = call - told.length + 1 + position
        for (const span of spans) if (span.from === index) write(dim(`   ┏ ${span.kind}`))
        write(callText(event, index, events[calls[index].result], told.length > 1))
        for (const span of spans) if (span.to === index) write(dim(`   ┗ ${span.kind}`))
      }
    } else if (kind === 'text' || kind === 'chunk' || kind === 'user') {
      write(dim(`       ${kind === 'user' ? '❯' : '“'} ${shorten(told[0].text ?? '', WIDTH - 10)}`))
    }
    if (!isAlarm({ kind, verdict, ...rest })) continue
    const text = alarmText({ ...verdict, call }, '     ▲ ')
    write(paint(verdict.level === 'critical' ? 'red' : 'yellow', text))
    write(dim(`       ${shorten(verdict.message ?? '', WIDTH - 8)}`))
  }
  write(`\n${alarms.length} alarms\n`)
}

function callText({ name, args }, index, result, isParallel) {
  const mark = result === undefined ? '·' : result.ok === false ? '✗' : '✓'
  const shown = typeof args === 'string' ? args : JSON.stringify(args ?? {})
  const output = result === undefined ? 'no result' : String(result.output ?? '')
  const room = Math.max(40, WIDTH - name.length - 14)
  const left = shorten(shown, Math.floor(room * 0.5))
  const start = `${String(index).padStart(5)} ${isParallel ? '∥' : ' '}${mark} ${name} ${left}`
  return `${start}  ${dim(shorten(output, Math.max(20, WIDTH - start.length - 3)))}`
}

/** Return one line of at most `room` characters; a longer one is cut in the middle. */
function shorten(text, room) {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= room) return line
  const head = Math.ceil((room - 1) * 0.6)
  return `${line.slice(0, head)}…${line.slice(line.length - (room - 1 - head))}`
}
