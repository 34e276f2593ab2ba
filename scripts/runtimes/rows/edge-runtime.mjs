// edge-runtime, Vercel's model of its edge, with code generation switched off as
// it is there.
import { app } from '../apps.mjs'
import { printed } from '../start.mjs'

export const edgeRuntimeRows = [
  {
    runtime: 'edge-runtime',
    how: 'no wasm code generation',
    run: async () => printed(process.execPath, ['main.mjs'], { cwd: await app('edge-runtime') }),
  },
]
