/**
 * `loophound hook`: answers one event of an agent's session, in a separate process; with `--serve`,
 * answers all events in one process.
 *
 * @module
 */

import { readSync } from 'node:fs'
import { isatty } from 'node:tty'
import { DETECTOR_OPTIONS, detectorOptions, readArguments, UsageError } from '../options.js'
import { printable, write } from '../terminal.js'
import { answerInput, type HookOptions } from './answer.js'
import { requireHost } from './dialect.js'

/**
 * Runs the command.
 *
 * @throws UsageError for a mistake in the options.
 */
export async function hookCommand(args: readonly string[]): Promise<number> {
  const {
    values: { observe: observes = false, 'state-dir': folder, host, serve, idle, ...given },
    positionals,
  } = readArguments(args, {
    ...DETECTOR_OPTIONS,
    host: { type: 'string' },
    observe: { type: 'boolean' },
    'state-dir': { type: 'string' },
    serve: { type: 'boolean' },
    idle: { type: 'string' },
  })
  const port = serve ? positionals.shift() : undefined
  if (positionals.length > 0)
    throw new UsageError(printable(`The hook takes no "${positionals[0]}".`))
  // Empty if a variable is not set: the state would go into the project.
  if (folder === '') throw new UsageError('--state-dir must name a folder; it is empty.')
  const options: HookOptions = {
    detector: detectorOptions(given),
    host: host === undefined ? undefined : requireHost(host),
    observes,
    folder,
  }
  if (serve) {
    const { serveCommand } = await import('../serve/index.js')
    return serveCommand((text) => answerInput(text, options), folder, { port, idle })
  }
  if (idle !== undefined) throw new UsageError('--idle is for --serve.')
  if (isatty(0)) {
    throw new UsageError('The hook reads JSON on standard input; this is a terminal.')
  }
  const answer = answerInput(await readInput(), options)
  write(`${printable(JSON.stringify(answer))}\n`)
  return 0
}

/** Reads the input; empty if it cannot be read, which is reported as such. */
async function readInput(): Promise<string> {
  return readStandardInput().catch(() => '')
}

/** Reads what the host sends. Synchronously if possible: the stream takes longer to set up. */
async function readStandardInput(): Promise<string> {
  const chunks: Buffer[] = []
  const chunk = Buffer.alloc(65_536)
  try {
    for (let size = readSync(0, chunk); size > 0; size = readSync(0, chunk)) {
      chunks.push(Buffer.from(chunk.subarray(0, size)))
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // Windows reports the end as an error. A non-blocking pipe must be waited for.
    if (code === 'EAGAIN') for await (const rest of process.stdin) chunks.push(rest)
    else if (code !== 'EOF') throw error
  }
  return Buffer.concat(chunks).toString('utf8')
}
