/**
 * Writes docs/evaluation.md and its charts from eval/results.json, which keeps the latest
 * figures of every set: figures that were not measured this time stay as they were.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { drawChart } from './charts.mjs'
import { AGENTS, LIMIT } from './closed-loop.mjs'
import { checkTargets, STUDIED } from './figures.mjs'
import { PEERS } from './peers/peers.mjs'
import { NOT_YET, POLICIES } from './policies.mjs'
import { SETS, VIEWS } from './sets.mjs'
import {
  closedLoopTable,
  kindsTable,
  sourcesTable,
  targetsTable,
  thousands,
  toMarkdown,
  two,
  viewTable,
} from './tables.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const RESULTS = 'eval/results.json'
const PAGE = 'docs/evaluation.md'

/** Update the stored figures, the page and the charts. Returns the files that were written. */
export function updatePage(measured) {
  const results = mergeResults(readResults(), measured)
  const files = {
    [RESULTS]: `${jsonText(results, 4)}\n`,
    [PAGE]: pageOf(results),
    ...chartsOf(results),
  }
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(root, file), text)
  return Object.keys(files)
}

/** JSON with a line for each entry down to a depth, so that a change shows as a few lines. */
function jsonText(value, depth) {
  if (depth === 0 || value === null || typeof value !== 'object') return JSON.stringify(value)
  const inner = (entry) => jsonText(entry, depth - 1)
  if (Array.isArray(value)) return `[\n${value.map(inner).join(',\n')}\n]`
  const entries = Object.entries(value).map(
    ([key, entry]) => `${JSON.stringify(key)}: ${inner(entry)}`,
  )
  return `{\n${entries.join(',\n')}\n}`
}

export function readResults() {
  const file = path.join(root, RESULTS)
  const none = { views: [], closedLoop: [], studies: {} }
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : none
}

/**
 * Replace old figures with new ones, policy by policy; policies that no longer exist are
 * removed.
 */
export function mergeResults(old, { views = [], closedLoop = [], studies = {} }) {
  const order = [...POLICIES, ...PEERS].map(({ id }) => id)
  const merged = VIEWS.flatMap(({ id }) => {
    const versions = [old.views, views].flatMap((list) => list.filter((view) => view.id === id))
    if (versions.length === 0) return []
    const rows = new Map(versions.flatMap(({ policies }) => policies.map((row) => [row.id, row])))
    return [{ ...versions.at(-1), policies: order.flatMap((name) => rows.get(name) ?? []) }]
  })
  const key = ({ from, policy, agent }) => [from, policy, agent].join(' ')
  const trials = new Map([...old.closedLoop, ...closedLoop].map((row) => [key(row), row]))
  const isCurrent = ({ policy, agent }) =>
    order.includes(policy) && AGENTS.some(({ id }) => id === agent)
  return {
    views: merged,
    closedLoop: [...trials.values()].filter(isCurrent),
    studies: { ...old.studies, ...studies },
  }
}

const rowsOf = ({ policies }) =>
  policies.map(({ id, group }) => ({ name: titleOf(id), isOurs: group === 'presets' }))

/** A policy whose id does not say what it is has a few words beside it. */
function titleOf(name) {
  const words = POLICIES.find(({ id }) => id === name)?.words
  return words === undefined ? name : `${name}: ${words}`
}

const column = ({ policies }, of) => policies.map(of)

/** @returns {Record<string, string>} The charts that can be drawn, by file. */
export function chartsOf({ views, closedLoop }) {
  const charts = { labels: labelsChart, 'modern-calls': modernChart, scenarios: scenariosChart }
  const drawn = views.flatMap((view) =>
    charts[view.id] ? [[`docs/evaluation-${view.id}.svg`, charts[view.id](view)]] : [],
  )
  if (closedLoop.length > 0) drawn.push(['docs/evaluation-agents.svg', agentsChart(closedLoop)])
  return Object.fromEntries(drawn)
}

function tunedOn(set) {
  const { isTunedOn } = SETS.find(({ id }) => id === set)
  return `: ${STUDIED} was ${isTunedOn ? '' : 'not '}tuned on these`
}

function labelsChart(view) {
  const series = [
    { name: 'precision', style: 'main', values: column(view, ({ precision }) => precision) },
    { name: 'recall', style: 'other', values: column(view, ({ recall }) => recall) },
  ]
  return drawChart(`Labelled sessions${tunedOn('labels')}`, rowsOf(view), [
    { title: 'Precision and recall', kind: 'dots', max: 1, step: 0.2, series },
  ])
}

function modernChart(view) {
  const today = column(view, (row) => row.today)
  const rates = {
    ...{ name: 'measured, with the 95 % interval', style: 'bad' },
    ...{ values: today.map(({ rate }) => rate), intervals: today },
  }
  const loops = column(view, (row) => row.loops)
  return drawChart(`Sessions of today’s agents, call by call${tunedOn('modern')}`, rowsOf(view), [
    {
      title: 'Sessions with a false alarm, per 1,000 calls',
      kind: 'dots',
      max: 2,
      step: 0.5,
      series: [rates],
    },
    {
      ...{ title: `${loops[0].sessions} sessions that are stuck`, kind: 'bars' },
      parts: [
        { name: 'found', style: 'good', values: loops.map(({ found }) => found) },
        {
          name: 'missed',
          style: 'none',
          values: loops.map(({ sessions, found }) => sessions - found),
        },
      ],
    },
  ])
}

function scenariosChart(view) {
  const clear = column(view, (row) => row.clear)
  const loops = column(view, (row) => row.realistic)
  return drawChart(`Scenarios, made up to be hard${tunedOn('scenarios')}`, rowsOf(view), [
    {
      ...{ title: `${clear[0].sessions} healthy runs: what was done to them`, kind: 'bars' },
      parts: [
        { name: 'nothing', style: 'good', values: clear.map((row) => row.sessions - row.alarmed) },
        { name: 'nudged', style: 'warn', values: clear.map((row) => row.alarmed - row.blocked) },
        { name: 'blocked', style: 'bad', values: clear.map((row) => row.blocked - row.stopped) },
        { name: 'stopped', style: 'worse', values: clear.map((row) => row.stopped) },
      ],
    },
    {
      ...{ title: `${loops[0].sessions} realistic loops`, kind: 'bars' },
      parts: [
        { name: 'alarmed', style: 'good', values: loops.map(({ alarmed }) => alarmed) },
        { name: 'missed', style: 'none', values: loops.map((row) => row.sessions - row.alarmed) },
      ],
    },
  ])
}

function agentsChart(closedLoop) {
  const rows = closedLoop.filter(({ policy }) => policy === STUDIED)
  const names = rows.map(({ from, agent }) => ({ name: `${from}, ${agent}`, isOurs: false }))
  const hardest = (name, style) => ({ name, style, values: rows.map((row) => row.hardest[name]) })
  return drawChart(`Simulated agents in a loop, ${STUDIED}`, names, [
    {
      ...{ title: 'Loops, by the most severe action', kind: 'bars' },
      parts: [
        hardest('silent', 'none'),
        hardest('nudged', 'warn'),
        hardest('blocked', 'bad'),
        hardest('stopped', 'worse'),
      ],
    },
    {
      ...{ title: 'Nudges in a loop', kind: 'dots', max: LIMIT, step: 50 },
      series: [
        { name: 'median', style: 'main', values: rows.map(({ nudges }) => nudges.median) },
        { name: 'most', style: 'other', values: rows.map(({ nudges }) => nudges.most) },
      ],
    },
  ])
}

/** The results on held-out sets, which this command cannot measure. */
const CHECKS = {
  columns: [
    { title: 'set', isText: true },
    { title: 'healthy runs' },
    { title: 'loops' },
    { title: 'when', isText: true },
    { title: 'healthy blocked' },
    { title: 'healthy nudged' },
    { title: 'loops found' },
  ],
  rows: [
    ['first', '68', '52', 'after tuning on its misses', '0', '3 %', '98 %'],
    ['second', '86', '87', 'before anyone looked at it', '1', '7 %', '70 %'],
    ['second', '86', '87', 'after generalising from it', '0', '3 %', '87 %'],
    ['third', '101', '110', 'before anyone looked at it', '0', '5 %', '75 %'],
    ['third', '101', '110', 'after generalising from it', '0', '4 %', '81 %'],
    ['fourth', '69', '82', 'before anyone looked at it', '0', '6 %', '87 %'],
    ['fourth', '69', '82', 'after generalising from it', '0', '4 %', '89 %'],
    ['fifth', '111', '109', 'before anyone looked at it', '5', '21 %', '88 %'],
    ['fifth', '111', '109', 'after generalising from it', '3', '9 %', '94 %'],
    ['sixth', '53', '51', 'before anyone looked at it', '1', '13 %', '90 %'],
    ['sixth', '53', '51', 'after generalising from it', '1', '13 %', '92 %'],
    ['seventh', '142', '132', 'before anyone looked at it', '2', '11 %', '76 %'],
    ['seventh', '142', '132', 'after generalising from it', '2', '10 %', '83 %'],
    ['eighth', '59', '69', 'before anyone looked at it', '1', '10 %', '88 %'],
    ['eighth', '59', '69', 'after generalising from it', '0', '8 %', '94 %'],
    ['ninth', '69', '78', 'before anyone looked at it', '0', '6 %', '82 %'],
    ['ninth', '69', '78', 'after generalising from it', '0', '3 %', '88 %'],
    ['tenth', '47', '47', 'before anyone looked at it', '2', '9 %', '74 %'],
    ['tenth', '47', '47', 'after generalising from it', '0', '9 %', '79 %'],
  ],
}

/** Write the page. It depends only on the figures, not on a date or machine. */
export function pageOf(results) {
  const sections = [
    intro(results),
    ...results.views.map((view) => SECTIONS[view.id](view)),
    results.closedLoop.length > 0 ? closedLoopSection(results) : '',
    ...Object.entries(results.studies).map(([name, tables]) => studySection(name, tables)),
    policiesSection(results),
    METHOD,
  ]
  return sections.filter(Boolean).join('\n\n')
}

function intro({ views }) {
  return `# Evaluation

How well can a loop be told from work: by the presets, by the rules of other agents, and by published packages?
\`npm run eval\` measures it and prints the tables of this page; \`npm run eval -- --write\` writes the page. \`--peers\` also runs the published packages, and \`--help\` says how to look at single sessions.

The sessions are not part of this repository: the command looks for them in \`../shared\`, or where \`--data\` says. If a set is absent, the command says so, and the page keeps its figures.

## What was tuned on what

${SETS.map(setText).join('\n')}

On a set that \`balanced\` was tuned on, its figures are better than what to expect elsewhere. No other row was tuned on any of these sets. More modern sessions and scenarios of the same kind are kept apart, and are not part of this page.

Since \`balanced\` was tuned on all three sets, ten more sets of scenarios were written as a check, by others who did not see the engine. They are not part of the repository, and this page cannot measure them again:

${toMarkdown(CHECKS)}

Trust the rows from before anyone looked: at that time, \`balanced\` had not been tuned on that set.

## Targets

What \`balanced\`, the default, is meant to reach:

${toMarkdown(targetsTable(checkTargets(views)))}`
}

function setText({ id, about, isTunedOn }) {
  const tuned = isTunedOn
    ? 'The values of `balanced` were chosen on these.'
    : '`balanced` was not tuned on these.'
  return `- **${id}**: ${about}. ${tuned}`
}

const SECTIONS = {
  labels: (view) => `## Labelled sessions

![Precision and recall of every policy](evaluation-labels.svg)

${toMarkdown(viewTable(view))}

- **precision, of blocks, of stops**: of the sessions with an alarm (with a refused call or a stop; with a stop), the share in which the first one is inside a loop. An alarm is any verdict but \`continue\`. A loop lasts from its first repeat to one call after its end.
- **recall, F1**: by session. The columns on the right count hits, misses, false alarms and alarms that came too early. If the first alarm of a session comes before its loop, it is a false alarm, and not also a miss. If instead any alarm inside a loop counted as a hit, \`balanced\` would have precision ${byWords(view).precision} and recall ${byWords(view).recall}.
- **delay, p90**: calls from the first repeat to the alarm, median and 90th percentile.
- **saved**: the share of calls in loops that come after the first alarm.
- **strong, 95 %**: sessions of two strong models with a false alarm per 1,000 calls (${thousands(view.policies[0].strong.calls)} calls), and the Wilson interval. **not stuck**: the same on the labelled sessions that are not stuck (${thousands(view.policies[0].notStuck.calls)} calls).

Half of the sample was chosen because it contains repetition, so do not expect these rates in the field.

Stuck stretches with an alarm inside, by kind, with their number in brackets:

${toMarkdown(kindsTable(view))}

Loops found, of those not alarmed too early, and false alarms after a plus, by source:

${toMarkdown(sourcesTable(view))}`,

  'modern-turns': (view) => `## Sessions of today's agents

![False alarms per 1,000 calls, and stuck sessions found](evaluation-modern-calls.svg)

${view.policies[0].today.sessions} sessions of Claude Code, Codex and others with ${thousands(view.policies[0].today.calls)} calls, in which nobody found a loop. Every alarm there is suspect, and a block or a stop is a defect. ${view.policies[0].loops.sessions} sessions of older models are labelled stuck.

By turn, as in an agent's own loop: the calls that the model sent together are one batch.

${toMarkdown(viewTable(view))}

- **work alarmed, blocked, stopped**: sessions of today's agents. Blocked includes stopped.
- **per 1,000, 95 %**: sessions with a false alarm per 1,000 calls, and the Wilson interval.
- **loops found, blocked, stopped**: stuck sessions with an alarm (a block, a stop) inside the loop. **too early**: their first alarm came before it.
- **precision**: as above, over both. **unread alarmed**: of the ${view.policies[0].unread.sessions} sessions of older models that nobody read, or that are unclear; these are not scored.`,

  'modern-calls': (
    view,
  ) => `Call by call, as with hooks: each call by itself, directly followed by its result.

${toMarkdown(viewTable(view))}`,

  scenarios: (view) => `## Scenarios

![What happens to healthy runs, and loops found](evaluation-scenarios.svg)

${toMarkdown(viewTable(view))}

- **clear, contested**: healthy runs (${view.policies[0].clear.sessions} and ${view.policies[0].contested.sessions}); people disagree about the contested ones. Alarmed includes blocked, and blocked includes stopped.
- **loops**: ${view.policies[0].realistic.sessions} realistic ones; **delay** is the number of calls before the first alarm. **adversarial**: ${view.policies[0].adversarial.sessions} more that are built to escape detection, with an alarm.
- **precision**: over the clear and the realistic ones.`,
}

function byWords({ policies }) {
  const row = policies.find(({ id }) => id === STUDIED)
  return { precision: two(row?.byWords.precision), recall: two(row?.byWords.recall) }
}

function closedLoopSection({ closedLoop }) {
  const agents = AGENTS.map(({ id, about }) => `*${id}* ${about}`).join('; ')
  return `## Simulated agents

![What happens to an agent in a loop](evaluation-agents.svg)

In a recorded session, the agent never reads what the detector says. Here a simulated agent does: it repeats the stuck part of a session for up to ${LIMIT} turns behind a \`LoopGuard\`. After a nudge or a refused call, it does one of three things: ${agents}.

${toMarkdown(closedLoopTable(closedLoop))}

- **silent**: loops without any verdict. **nudges, most**: nudges in a loop, the median and the most.
- **blocked, stopped, at**: loops in which a call was refused, or which were ended; and in which turn of the loop, as a median.`
}

const STUDY_NOTES = {
  ablation:
    '`balanced` with patterns switched off. The figures are differences to the first row; a dot means no difference. Labels come first, then modern sessions call by call, then scenarios.',
  thresholds:
    'Every number of `balanced`, and its neighbours. The figures are differences to the first row; a dot means no difference. A neighbour is better if its F1 on the labels is higher, and it has no more false alarms on strong models.',
  breadth:
    'There are few labels. So a slow set of rules judged every whole session of the old corpus; **it is wrong in places**, so this is agreement, not a score. agreed: both see a loop; silent: only the rules do; beyond: an alarm where not even a loose rule sees one.',
}

function studySection(name, tables) {
  const parts = tables.map(({ title, table }) => `${title}:\n\n${toMarkdown(table)}`)
  return `## Study: ${name}

${STUDY_NOTES[name]} Printed by \`npm run eval -- --study ${name}\`.

${parts.join('\n\n')}`
}

function policiesSection({ views }) {
  const isMeasured = ({ id }) => views.some(({ policies }) => policies.some((row) => row.id === id))
  const packages = PEERS.filter(isMeasured)
  const published = packages.map(({ id, version, registry, about }) => {
    return `| \`${id}\` ${version} | ${registry === 'npm' ? 'npm' : 'PyPI'} | ${about} |`
  })
  const failures = views.flatMap(({ id: view, sessions, policies }) =>
    policies.flatMap(({ id, failed }) =>
      failed
        ? [
            `- \`${id}\` crashed or hung in ${failed} of the ${sessions} sessions of ${view}; they count as silent.`,
          ]
        : [],
    ),
  )
  const packagesText = `Published packages, with their defaults. They see calls one by one, each directly followed by its result, and no text unless it says so:

| package | from | how it is read |
|---|---|---|
${published.join('\n')}${failures.length > 0 ? `\n\n${failures.join('\n')}` : ''}`
  return `## The policies

The presets, and rules of others, written in our options; they are in \`eval/policies.mjs\`.

| policy | what it is |
|---|---|
${POLICIES.map(({ id, about }) => `| \`${id}\` | ${about} |`).join('\n')}

${packages.length > 0 ? `${packagesText}\n\n` : ''}Not measured, since our options cannot express it:

| policy | what is missing |
|---|---|
${NOT_YET.map(({ name, missing }) => `| ${name} | ${missing} |`).join('\n')}`
}

const METHOD = `## How a session is replayed

- By turn, calls in a row are one batch, which is judged when its last call is known. Call by call, each call is recorded by itself, and its result right after it.
- Text right before a call is streamed with \`pushText()\`; any other text is a turn of its own, \`recordText()\`.
- A \`user\` event is a person, \`userMessage()\`, in modern sessions and in the customer-service runs (\`tau_…\`). Elsewhere it comes from the program around the model, and is left out.
- A verdict on a result belongs to the call of that result. A verdict on text or on a turn belongs to the next call, or if there is none, to the call before.
- Long texts are cut in the stored sessions. The engine gets a replacement that is equal exactly when the whole texts were.
- The replay goes on after an alarm, whatever the verdict. The iteration cap of \`guard\` is a budget, not an alarm.
`
