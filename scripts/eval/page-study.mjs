// The part of docs/evaluation.md that is about the default preset alone.
import { markdown } from './markdown.mjs'
import { betterOnes, undecided } from './study.mjs'
import {
  breadthTable,
  costText,
  intervalsTable,
  leftOutTable,
  neverTable,
  onlyTable,
  thresholdsTable,
  withoutTable,
} from './study-tables.mjs'
import { checkTargets, MOST_FALSE_ALARMS } from './targets.mjs'
import { two } from './texts.mjs'

/** @param {object} balanced The preset's figures. */
export function targetsSection(balanced) {
  const targets = checkTargets(balanced)
  const verdict = (met) => (met ? 'yes' : '**no**')
  const rows = targets.map(({ name, goal, value, met, byWords, metByWords }) => ({
    name,
    cells: [
      ...[goal, value, verdict(met)],
      ...(byWords === null ? ['', ''] : [byWords, verdict(metByWords)]),
    ],
  }))
  const titles = ['target', 'measured', 'reached', 'by the words', 'reached']
  const missed = targets.filter(({ met }) => !met).length
  const told =
    missed === 0 ? 'It reaches all of them.' : `It misses ${missed} of ${targets.length}.`
  return `\`balanced\`, the default, was built and tuned on these trajectories, with four targets. ${told}

${markdown({ corner: 'figure', columns: titles.map((title) => ({ title })), rows })}

"By the words" is the other of [two ways to count](#two-ways-to-count).
A preset tuned on the sample that measures it looks better than it is; [below](#how-far-to-trust-this) is what can be said about that.`
}

export function ablationSection(ablation) {
  return `## What each detector brings

\`balanced\` with one of its detectors off, as differences to the whole; a dot where no digit changes. Printed by \`npm run eval -- --ablation\`.

${markdown(withoutTable(ablation))}

- **hits, false**: labelled trajectories; **strong**: false alarms, as runs, on the strong models.
- **agreed, beyond**: of all trajectories, those with an alarm in which the corpus' rules see a loop, and those in which they see none; see [breadth](#breadth).

A loop is often seen by more than one detector, so that one that seems to bring little may still be the first to speak, or the one that says best what is wrong. Each alone:

${markdown(onlyTable(ablation))}

Within the detectors, some rules wait for a count of their own. If they waited without end:

${markdown(neverTable(ablation))}`
}

export function thresholdsSection(thresholds) {
  return `## Thresholds

Every number of \`balanced\` with its neighbours: differences to the row of the number itself. Printed by \`npm run eval -- --thresholds\`.

${markdown(thresholdsTable(thresholds))}

${betterText(betterOnes(thresholds))}
${undecidedText(undecided(thresholds))}
A \`window\` below twice \`maxPeriod\` takes \`maxPeriod\` down with it, and \`maxPeriod\` cannot be more than half the \`window\`. \`cooldown\` is changed for all detectors at once.`
}

function betterText(better) {
  const rule = `a higher F1 with at most ${MOST_FALSE_ALARMS} false alarms per 1,000 calls of strong models`
  if (better.length === 0) return `No neighbour has ${rule}.`
  return `These have ${rule}: ${better.map(({ name, value }) => `${name} ${value}`).join(', ')}.`
}

function undecidedText(knobs) {
  if (knobs.length === 0) return 'Each of them makes a difference somewhere.'
  const names = knobs.map(({ name }) => name).join(', ')
  return `No trajectory tells the neighbours of these apart: ${names}. What they are is not founded on this corpus.`
}

export function breadthSection(breadth) {
  if (!breadth) return ''
  const { policies, source } = breadth
  return `## Breadth

The labels are few. For breadth, the corpus has labels by a slow set of rules that sees every trajectory whole; **these rules are wrong in places**, and where a person has looked, the person is right. So this is agreement, not a score. Printed by \`npm run eval -- --breadth\`.

${markdown(breadthTable('policy', policies))}

- **agreed**: an alarm, and a loop by the rules; **silent**: a loop by the rules, and no alarm.
- **beyond**: an alarm where the rules see no loop, not even when read loosely.

\`${source.of}\` by source:

${markdown(breadthTable('source', source.rows))}
`
}

export function validationSection(validation) {
  const { alarmed, calls, rate, most } = validation.intervals.strong
  return `## How far to trust this

Had other runs been labelled, the figures of \`balanced\` would be others. Drawing as many of the labelled runs with repetition, 2,000 times, 95 of 100 draws lie between these. Printed by \`npm run eval -- --validation\`.

${markdown(intervalsTable(validation))}

On the strong models it gave ${alarmed === 0 ? 'no' : alarmed} false alarm${alarmed === 1 ? '' : 's'} in ${calls} calls, ${two(rate)} per 1,000. With 95 % confidence it is no more than ${two(most)}.

Would other values have been chosen, had one source of trajectories not been there? For each source left out: the numbers of which a neighbour is better on the rest (a higher F1, with at most ${MOST_FALSE_ALARMS} false alarms per 1,000 calls of strong models), and what \`balanced\` then finds on that source, as it is and with all these changes at once.

${markdown(leftOutTable(validation))}

Loops found, of those not alarmed too early, and the false alarms after a plus.`
}

export function costSection(cost) {
  return `## Cost

\`record()\` and \`recordResult()\` with everything of \`balanced\` on take ${costText(cost)} the processor time that they take with \`nudge\`, on ${cost.calls} calls of the corpus and their results: ${cost.rounds} rounds in which the two take turns. The times depend on the machine, and even the ratio does a little. Printed by \`npm run eval -- --cost\`.`
}
