/**
 * Writes every case of this folder to stdout as a scenario, one JSON object a line:
 *
 *     node tests/classes/export.mjs > classes.jsonl
 */
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const { outputFiles } = await build({
  entryPoints: [fileURLToPath(new URL('index.ts', import.meta.url))],
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'node',
})
const { classes } = await import(
  `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`
)

for (const [name, { healthy, stuck }] of Object.entries(classes)) {
  for (const [index, { title, events, nudges }] of healthy.entries()) {
    const label = nudges ? 'contested' : 'clear'
    write({
      id: `${name}-healthy-${index + 1}`,
      expect: 'healthy',
      label,
      title,
      class: name,
      nudges,
      events,
    })
  }
  for (const [index, { events, ...rest }] of stuck.entries()) {
    write({
      id: `${name}-stuck-${index + 1}`,
      expect: 'loop',
      label: 'realistic',
      class: name,
      ...rest,
      events,
    })
  }
}

function write(scenario) {
  process.stdout.write(`${JSON.stringify(scenario)}\n`)
}
