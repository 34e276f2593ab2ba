// Bun: both module systems, and a program compiled into one file.
import path from 'node:path'
import { app } from '../apps.mjs'
import { printed } from '../start.mjs'
import { bun } from '../tools.mjs'

const row = (how, run) => ({
  runtime: 'Bun',
  how,
  run: async () => run(await app('bun')),
})

export const bunRows = [
  row('ESM', (cwd) => printed(bun(), ['main.mjs'], { cwd })),
  row('CommonJS', (cwd) => printed(bun(), ['main.cjs'], { cwd })),
  row('bun build --compile', async (cwd) => {
    await printed(bun(), ['build', '--compile', 'main.mjs', '--outfile', 'out/program'], { cwd })
    // From elsewhere: nothing but the one file may be needed.
    return printed(path.join(cwd, 'out/program'), [], { cwd: path.parse(cwd).root })
  }),
]
