// Every place the package must work in. A row is one of them: where, how, and
// what to do; it gives back the verdicts, which are compared with the native
// engine's unless it brings a check of its own.
import { bunRows } from './rows/bun.mjs'
import { bundlerRows } from './rows/bundlers.mjs'
import { chromiumRows } from './rows/chromium.mjs'
import { denoRows } from './rows/deno.mjs'
import { edgeRuntimeRows } from './rows/edge-runtime.mjs'
import { nextRows } from './rows/next.mjs'
import { nodeRows, thisNodeRows } from './rows/node.mjs'
import { workerdRows } from './rows/workerd.mjs'

export const rows = [
  ...nodeRows,
  ...bunRows,
  ...denoRows,
  ...workerdRows,
  ...edgeRuntimeRows,
  ...chromiumRows,
  ...bundlerRows,
  ...nextRows,
]

/** Those that need nothing but the Node that runs them. */
export const coreRows = thisNodeRows
