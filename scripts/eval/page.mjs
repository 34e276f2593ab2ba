// docs/evaluation.md and its chart. Nothing in them changes unless the figures do.
import { writeFileSync } from 'node:fs'
import { inRoot } from '../support/paths.mjs'
import { write } from '../support/terminal.mjs'
import { drawChart } from './chart.mjs'
import { NOT_YET, POLICIES } from './policies.mjs'
import { kindsTable, mainTable, sourcesTable, withoutTable, wordsTable } from './tables.mjs'

const PAGE = 'docs/evaluation.md'
const CHART = 'docs/evaluation.svg'

export function writePage(figures) {
  writeFileSync(inRoot(CHART), drawChart(figures.policies))
  writeFileSync(inRoot(PAGE), pageOf(figures))
  write(`${PAGE} and ${CHART} are written.\n`)
}

export function pageOf(figures) {
  const { labelled, stuck, policies } = figures
  const strong = policies[0].strong.calls
  const sound = policies[0].notStuck.calls
  return `# Evaluation

How well do the presets, and the policies of other agents, tell a loop from work?
This page is written by a command, from trajectories that agents really produced:

\`\`\`sh
npm run eval -- --write
\`\`\`

The trajectories are not part of this repository. They are expected in \`../shared/corpus\`; \`--corpus <dir>\` looks elsewhere.
\`npm run eval -- --help\` tells how to see single trajectories, missed loops and false alarms.

**\`balanced\` is not tuned yet.** It has two simple rules today, and its figures here are a starting point, not what it is meant to reach.

![Precision against recall of every policy; the table below has the figures](evaluation.svg)

## Figures

On ${labelled} trajectories that people read and labelled, ${stuck} of them stuck:

${markdown(mainTable(figures))}

- **precision, recall, F1**: by trajectory. A hit is an alarm, any verdict but \`continue\`, from the first repeat of a loop to one call after its end. An alarm in a run that is not stuck, or before the loop, is false.
- **delay, p90**: calls from the first repeat to the alarm, median and 90th percentile, of the hits.
- **saved**: the share of all calls in loops that come after the first alarm of their run, also if that came too early.
- **strong**: runs with a false alarm for each 1,000 calls, on all runs of two strong models that nobody labelled stuck (${strong} calls).
- **not stuck**: the same on the labelled runs that are not stuck (${sound} calls).
- **hits, misses, false**: trajectories. Half of the sample was chosen because it holds repetition, so these are not rates to expect in the field.

## By kind of loop

Stuck stretches in which there is an alarm. How many there are of a kind is in brackets.

${markdown(kindsTable(figures))}

## By source

Loops caught, of those not alarmed too early, and the false alarms after a plus. How many labelled trajectories a source has is in brackets.

${markdown(sourcesTable(figures))}

Precision and recall when one source is left out, to see whether a figure hangs on a single one:

${markdown(withoutTable(figures))}

## The policies

A policy is a set of options; they are in \`scripts/eval/policies.mjs\`.

| policy | what it is |
|---|---|
${POLICIES.map(({ id, about }) => `| \`${id}\` | ${about} |`).join('\n')}

Not measured, since our options cannot say it yet:

| policy | what is missing |
|---|---|
${NOT_YET.map(({ name, missing }) => `| ${name} | ${missing} |`).join('\n')}

${READINGS}
${markdown(wordsTable(figures))}

## How a trajectory is replayed

- Calls come before their results; calls that stand together are one batch, which is judged when its last call is known.
- Text right before a call is streamed with \`pushText()\`; any other text is a turn of its own, \`recordText()\`.
- In the customer-service runs (\`tau_…\`) a \`user\` event is a person, \`userMessage()\`. Elsewhere it is the harness speaking and is left out; a text before it still is a turn of its own.
- A verdict on a result belongs to the call of that result. One on text or on a turn belongs to the call it leads up to, or else to the call before it.
- Long texts are cut in the corpus. What the engine gets instead is equal exactly when the whole texts were.
- The replay goes on after an alarm, whatever the verdict was.
`
}

const READINGS = `## Two ways to count

The README of the corpus prints baselines, and its words and its baselines differ in one point: a policy that speaks before every loop of a stuck run, and again inside one.
By the words, "only before every span" is a false alarm, so that run is a hit.
The baselines, as can be told from their figures, go by its first alarm: a false alarm, and then not a missed loop as well.

The figures above count as the baselines do, and agree with them to the last digit printed, for \`same-3\`, \`same-5\`, \`result-3\`, \`gemini-cli\`, \`cycles\` and \`window\`: precision, recall, F1, median delay and false alarms on runs that are not stuck.
The baseline for OpenHands (1.00, 0.38) is another policy than the row here: it has the two rules that are missing, and not the one on text.

By the words, with recall over all stuck runs, it would be as follows. The last column tells how many stuck runs had their first alarm too early; these make all the difference.
`

function markdown({ corner, columns, rows }) {
  const titles = [corner, ...columns.map(({ title }) => title)]
  const code = (name) => (corner === 'policy' ? `\`${name}\`` : name)
  return [
    `| ${titles.join(' | ')} |`,
    `|---|${columns.map(() => '---:|').join('')}`,
    ...rows.map(({ name, cells }) => `| ${[code(name), ...cells].join(' | ')} |`),
  ].join('\n')
}
