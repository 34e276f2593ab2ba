#!/usr/bin/env node
/**
 * Replays sample transcripts and shows where a detector would have spoken, and what it would have
 * said. `node examples/replay.mjs --help` tells how to call it.
 *
 * @module
 */

import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { presets } from '../pkg/dist/index.js'
import { loadRecording } from './replay/recording.mjs'
import { bold, dim, line, plural, red, shorten, WIDTH, wrap } from './replay/screen.mjs'
import { playSwarm } from './replay/swarm.mjs'
import { playTranscript } from './replay/transcript.mjs'

const HELP = `Replays transcripts and shows the verdicts where they fall.

  node examples/replay.mjs [--preset <name>] [file …]

  file             a sample of examples/, by path or name, or a transcript of your own:
                   events or OpenAI chat messages, as JSON or JSON lines
  --preset <name>  judge by this preset instead of the one each sample asks for:
                   ${Object.keys(presets).join(', ')}
  --help           this text

Without a file, all samples are replayed. Set NO_COLOR to have no colours.`

// A reader that closes the pipe early, such as head, is not an error.
process.stdout.on('error', (error) => process.exit(error.code === 'EPIPE' ? 0 : 1))

try {
  main()
} catch (error) {
  process.stderr.write(`${red('replay:')} ${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
}

function main() {
  const { values, positionals } = parseArgs({
    options: { preset: { type: 'string' }, help: { type: 'boolean' } },
    allowPositionals: true,
  })
  if (values.help) {
    line(HELP)
    return
  }
  if (values.preset !== undefined && !Object.hasOwn(presets, values.preset)) {
    throw new RangeError(
      `--preset must be one of ${Object.keys(presets).join(', ')}; got ${values.preset}`,
    )
  }
  const files = positionals.length > 0 ? positionals : samples()
  const outcomes = files.map((file) => play(file, values.preset))
  if (outcomes.length > 1) conclude(outcomes)
}

/** The samples in this folder, the healthy one last: it is the most quiet. */
function samples() {
  const folder = fileURLToPath(new URL('.', import.meta.url))
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
  const order = (name) => (name === 'healthy.json' ? 1 : 0)
  return names
    .sort((a, b) => order(a) - order(b) || a.localeCompare(b))
    .map((name) => folder + name)
}

function play(file, preset) {
  const recording = loadRecording(file)
  const judge = recording.swarm ? 'swarm' : (preset ?? recording.preset)
  heading(`━━ ${recording.title}`, `${judge} · ${recording.source}`)
  const outcome = recording.swarm ? playSwarm(recording) : playTranscript(recording, preset)
  line()
  return outcome
}

function heading(title, source) {
  const fits = title.length + source.length + 2 <= WIDTH
  line(fits ? `${bold(title)}  ${dim(source)}` : bold(shorten(title, WIDTH)))
  if (!fits) line(dim(shorten(source, WIDTH)))
  line()
}

function conclude(outcomes) {
  const calls = outcomes.reduce((sum, outcome) => sum + outcome.calls, 0)
  const quiet = outcomes.filter((outcome) => outcome.verdicts === 0).length
  const summary =
    `${plural(outcomes.length, 'transcript')}, ${plural(calls, 'call')}: ` +
    `${outcomes.length - quiet} with verdicts, ${quiet} without.`
  for (const part of wrap(summary, WIDTH)) line(bold(part))
  const hint = 'To look at them, or at a session of yours, in a browser: npm run playground'
  for (const part of wrap(hint, WIDTH)) line(part)
}
