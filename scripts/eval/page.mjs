// docs/evaluation.md and its chart. Nothing in them changes unless the figures do.
import { writeFileSync } from 'node:fs'
import { write } from '../support/cli.mjs'
import { inRoot } from '../support/files.mjs'
import { BASELINE_TITLES } from './baselines.mjs'
import { drawChart } from './chart.mjs'
import { markdown } from './markdown.mjs'
import {
  ablationSection,
  breadthSection,
  costSection,
  targetsSection,
  thresholdsSection,
  validationSection,
} from './page-study.mjs'
import { NOT_YET, POLICIES } from './policies.mjs'
import { UNEXPLAINED } from './report.mjs'
import { baselinesTable } from './study-tables.mjs'
import { kindsTable, mainTable, sourcesTable, withoutTable, wordsTable } from './tables.mjs'

const PAGE = 'docs/evaluation.md'
const CHART = 'docs/evaluation.svg'

/** @param {object} all What `measureAll` gives. */
export function writePage(all) {
  writeFileSync(inRoot(CHART), drawChart(all.figures.policies))
  writeFileSync(inRoot(PAGE), pageOf(all))
  write(`${PAGE} and ${CHART} are written.\n`)
}

export function pageOf({ figures, baselines, ablation, thresholds, validation, breadth, cost }) {
  const { labelled, stuck, policies } = figures
  const balanced = policies.find(({ id }) => id === 'balanced')
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

${targetsSection(balanced)}

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

${ablationSection(ablation)}

${thresholdsSection(thresholds)}

${breadthSection(breadth)}
${validationSection(validation)}

${costSection(cost)}

## The policies

A policy is a set of options; they are in \`scripts/eval/policies.mjs\`.

| policy | what it is |
|---|---|
${POLICIES.map(({ id, about }) => `| \`${id}\` | ${about} |`).join('\n')}

Not measured, since our options cannot say it:

| policy | what is missing |
|---|---|
${NOT_YET.map(({ name, missing }) => `| ${name} | ${missing} |`).join('\n')}

${READINGS}
${markdown(wordsTable(figures))}

${baselinesText(baselines)}

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
The figures above count as the baselines do.
By the words, with recall over all stuck runs, it would be as follows. The last column tells how many stuck runs had their first alarm too early; these make all the difference.
`

function baselinesText(rows) {
  if (rows.length === 0) return 'The corpus has no baselines to compare with.'
  const others = rows.filter(({ agrees }) => !agrees)
  const reasons = others.map(({ id, differs }) => `- \`${id}\`: ${differs ?? UNEXPLAINED}`)
  return `Against the baselines, counted as they are: ${rows.length - others.length} of ${rows.length} policies that are in both tables agree to the last digit printed. Where one does not, our figure stands after the arrow.

${markdown(baselinesTable(BASELINE_TITLES, rows))}
${reasons.length > 0 ? `\n${reasons.join('\n')}\n` : ''}`.trimEnd()
}
