#!/usr/bin/env node
/**
 * The command `loophound`.
 *
 * @module
 */

import {
  HELP,
  HELP_DOCTOR,
  HELP_EXPLAIN,
  HELP_HOOK,
  HELP_INSTALL,
  HELP_SCAN,
  HELP_SWARM,
  HELP_UNINSTALL,
} from './help.js'
import { hookCommand } from './hook/command.js'
import { type UsageError, version } from './options.js'
import { printable, printError, write } from './terminal.js'

interface Command {
  readonly help: string
  /** Runs the command; returns the exit code. */
  readonly run: (args: readonly string[]) => Promise<number>
  /** The exit code if it fails. */
  readonly failed: number | ((args: readonly string[]) => number)
}

/** For all commands, because any may be in a hook's settings: 2 would make hosts refuse the call. */
const FAILED = 1

const COMMANDS: Readonly<Record<string, Command>> = {
  hook: {
    help: HELP_HOOK,
    run: hookCommand,
    // In Copilot, any failing hook refuses the call.
    failed: (args) => (args.some((arg) => /^(--host=)?copilot$/.test(arg)) ? 0 : FAILED),
  },
  // Loaded only when needed: a hook is started for every event of an agent.
  scan: {
    help: HELP_SCAN,
    run: async (args) => (await import('./scan/index.js')).scanCommand(args),
    failed: 2,
  },
  explain: {
    help: HELP_EXPLAIN,
    run: async (args) => (await import('./scan/index.js')).explainCommand(args),
    failed: 2,
  },
  swarm: {
    help: HELP_SWARM,
    run: async (args) => (await import('./swarm.js')).swarmCommand(args),
    failed: 2,
  },
  install: {
    help: HELP_INSTALL,
    run: async (args) => (await import('./install/index.js')).installCommand(args),
    failed: 2,
  },
  uninstall: {
    help: HELP_UNINSTALL,
    run: async (args) => (await import('./install/index.js')).uninstallCommand(args),
    failed: 2,
  },
  doctor: {
    help: HELP_DOCTOR,
    run: async (args) => (await import('./install/index.js')).doctorCommand(args),
    failed: 2,
  },
}

// A reader that closes the pipe early, such as head, is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) =>
  process.exit(error.code === 'EPIPE' ? 0 : 1),
)
// A closed standard error must not prevent the answer.
process.stderr.on('error', () => {})

process.exitCode = await main(process.argv.slice(2))

async function main([name = '--help', ...args]: readonly string[]): Promise<number> {
  if (name === '--version' || name === '-v') return print(version())
  if (name === '--help' || name === '-h' || name === 'help') return help(args[0])
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command) {
    printError(
      `There is no command "${printable(name)}".`,
      `There are: ${Object.keys(COMMANDS).join(', ')}. Try "loophound --help".`,
    )
    return FAILED
  }
  if (args.includes('--help') || args.includes('-h')) return print(command.help)
  try {
    return await command.run(args)
  } catch (error) {
    // Node would print an uncaught error without making it safe to print.
    const { name: kind, message, advice } = error as UsageError
    if (kind === 'UsageError') printError(message, advice ?? `Try "loophound ${name} --help".`)
    else printError(`${error}.`, 'Please report this: it is a bug.')
    return typeof command.failed === 'number' ? command.failed : command.failed(args)
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
