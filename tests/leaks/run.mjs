// Does the engine's memory stay as it is, however many detectors there were?
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

for (const name of ['disposed', 'dropped']) {
  const file = fileURLToPath(new URL(`${name}.mjs`, import.meta.url))
  const { status } = spawnSync(process.execPath, ['--expose-gc', file], { stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}
