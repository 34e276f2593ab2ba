#!/usr/bin/env node
/**
 * The command `loophound`.
 *
 * @module
 */

import { readFileSync } from 'node:fs'
import { HELP, HELP_HOOK, HELP_SCAN } from './help.js'
import { hookCommand } from './hook.js'
import { UsageError } from './options.js'
import { scanCommand } from './scan.js'
import { printError, write } from './terminal.js'

const COMMANDS: Readonly<
  Record<string, { help: string; run: (args: readonly string[]) => Promise<number> }>
> = {
  hook: { help: HELP_HOOK, run: hookCommand },
  scan: { help: HELP_SCAN, run: scanCommand },
}

// A reader that closes the pipe early, such as head, is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) =>
  process.exit(error.code === 'EPIPE' ? 0 : 1),
)

process.exitCode = await main(process.argv.slice(2))

async function main([name = '--help', ...args]: readonly string[]): Promise<number> {
  if (name === '--version' || name === '-v') return print(version())
  if (name === '--help' || name === '-h' || name === 'help') return help(args[0])
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command) {
    printError(
      `There is no command "${name}".`,
      `There are: ${Object.keys(COMMANDS).join(', ')}. Try "loophound --help".`,
    )
    return 2
  }
  if (args.includes('--help') || args.includes('-h')) return print(command.help)
  try {
    return await command.run(args)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    printError(error.message, error.advice ?? `Try "loophound ${name} --help".`)
    return error.code
  }
}

function help(topic: string | undefined): number {
  const command = topic !== undefined && Object.hasOwn(COMMANDS, topic) ? COMMANDS[topic] : null
  return print(command?.help ?? HELP)
}

function print(text: string): number {
  write(`${text}\n`)
  return 0
}

/** Reads the version from the manifest of the package. */
function version(): string {
  const manifest = new URL('../package.json', import.meta.url)
  return JSON.parse(readFileSync(manifest, 'utf8')).version
}
