// The figures of the evaluation, for the terminal and for the documentation.
import { bold, dim, write } from '../support/cli.mjs'

export function writeEvaluation(figures) {
  write(`\n${evaluationTable(figures)}\n`)
}

/** One list, in Markdown that also reads well in a terminal. */
export function evaluationTable({ sources, streams, turns }) {
  const all = Object.values(sources)
  const sum = (field) => all.reduce((total, source) => total + source[field], 0)
  const innocent = sum('innocent')
  const unknown = streams.filter(({ isKnown }) => !isKnown)
  const known = streams.filter(({ isKnown }) => isKnown)
  const rate = (unknown.length / (innocent / 1e6)).toFixed(2)
  const talk = turns.filter(({ isKnown }) => !isKnown)
  const rows = [
    '| source | runs | texts | characters | alarms | of them on runs known to chant or to repeat themselves |',
    '|---|---:|---:|---:|---:|---:|',
    ...Object.entries(sources).map(([name, source]) => {
      const own = streams.filter((alarm) => alarm.source === name)
      const cells = [source.runs, source.texts, source.characters, own.length]
      const numbers = cells.map((value) => value.toLocaleString('en'))
      return `| \`${name}\` | ${numbers.join(' | ')} | ${own.filter(({ isKnown }) => isKnown).length} |`
    }),
  ]
  return [
    ...rows,
    '',
    `- **False alarms: ${unknown.length}** on the ${innocent.toLocaleString('en')} characters of runs that nobody knows to do either: ${rate} for each million.`,
    `- Chants that users reported in issue trackers: ${new Set(known.filter(({ isChant }) => isChant).map(({ id }) => id)).size} runs found.`,
    `- Summary loops: ${turns.length} runs, ${turns.length - talk.length} of them known to repeat themselves${talk.length ? `; the other ${talk.length}: ${talk.map(({ id }) => `\`${id}\``).join(', ')}` : ''}.`,
  ].join('\n')
}

export function listAlarms({ streams, turns }) {
  for (const [title, alarms] of Object.entries({
    'In a stream': streams,
    'From turn to turn': turns,
  })) {
    write(`\n${bold(title)}\n`)
    for (const { id, isKnown, verdict } of alarms) {
      const { level, details, count } = verdict
      const what = details
        ? `${details.repeats} × ${JSON.stringify(details.unit)}`
        : `${count} turns`
      write(`${isKnown ? 'known  ' : bold('unknown')} ${level.padEnd(8)} ${id} ${dim(what)}\n`)
    }
  }
}
