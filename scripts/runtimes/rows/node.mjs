// Node: each supported version, in both module systems and in its test runner.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { app } from '../apps.mjs'
import { printed } from '../start.mjs'
import { node } from '../tools.mjs'

const SUPPORTED = [20, 22, 24]

const rowsOf = (major) => [
  row(major, 'ESM', (cwd) => printed(node(major), ['main.mjs'], { cwd })),
  row(major, 'CommonJS', (cwd) => printed(node(major), ['main.cjs'], { cwd })),
  row(major, 'node --test', async (cwd) => {
    const VERDICTS = path.join(cwd, `verdicts-${major}.json`)
    await printed(node(major), ['--test'], { cwd, env: { VERDICTS } })
    return readFileSync(VERDICTS, 'utf8')
  }),
]

const row = (major, how, run) => ({
  runtime: `Node ${major}`,
  how,
  run: async () => run(await app('node')),
})

export const nodeRows = SUPPORTED.flatMap(rowsOf)

/** The Node that runs this, whichever it is. */
export const thisNodeRows = rowsOf(Number(process.versions.node.split('.')[0]))
