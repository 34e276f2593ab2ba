// workerd, the runtime of Cloudflare Workers, started by miniflare.
import { app } from '../apps.mjs'
import { printed } from '../start.mjs'

const row = (how, file) => ({
  runtime: 'workerd',
  how,
  run: async () => printed(process.execPath, [file], { cwd: await app('workerd') }),
})

export const workerdRows = [
  row('handler', 'handler.mjs'),
  row('Durable Object, evicted between', 'evicted.mjs'),
]
