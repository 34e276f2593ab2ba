// Deno, which grants nothing unless told to.
import { app } from '../apps.mjs'
import { printed } from '../start.mjs'
import { deno } from '../tools.mjs'

export const denoRows = [
  {
    runtime: 'Deno',
    how: 'no permissions',
    async run() {
      const cwd = await app('deno')
      const args = ['run', '--no-prompt', '--no-remote', '--node-modules-dir=manual', 'main.mjs']
      return printed(deno(), args, { cwd, env: { DENO_NO_UPDATE_CHECK: '1' } })
    },
  },
]
