/**
 * `loophound hook`: answers one event of a Claude Code session, in a process of its own.
 *
 * @module
 */

import { type LoopDetectorOptions, LoopGuard } from 'loophound'
import { answerHook, type HookInput, type HookOutput } from 'loophound/claude-agent'
import { DETECTOR_OPTIONS, detectorOptions, readArguments, UsageError } from './options.js'
import { SessionFile, stateFolder } from './session-file.js'
import { printError, write } from './terminal.js'

/** The exit code for a mistake in the options: 2 would block the agent. */
const NOT_BLOCKING = 1

/**
 * Runs the command.
 *
 * @throws UsageError for a mistake in the options.
 */
export async function hookCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(
    args,
    { ...DETECTOR_OPTIONS, observe: { type: 'boolean' }, 'state-dir': { type: 'string' } },
    NOT_BLOCKING,
  )
  if (positionals.length > 0) {
    throw new UsageError(`The hook takes no "${positionals[0]}".`, undefined, NOT_BLOCKING)
  }
  const detector = detectorOptions(values, NOT_BLOCKING)
  if (process.stdin.isTTY) {
    throw new UsageError(
      'The hook reads JSON on standard input; this is a terminal.',
      undefined,
      NOT_BLOCKING,
    )
  }
  write(`${JSON.stringify(await answer(detector, values.observe ?? false, values['state-dir']))}\n`)
  return 0
}

/** Answers an event; whatever goes wrong, the agent goes on as if there were no hook. */
async function answer(
  detector: LoopDetectorOptions,
  observes: boolean,
  folder: string | undefined,
): Promise<HookOutput> {
  try {
    const input = readInput(await readStandardInput())
    const file = new SessionFile(folder ?? stateFolder(), input.session_id, input.agent_id)
    const guard = new LoopGuard({
      detector,
      mode: observes ? 'observe' : 'act',
      onError: warn,
      onVerdict: ({ action, kind, tool }) => {
        if (observes) printError(`observed ${action}: ${kind}${tool ? `, ${tool}` : ''}.`)
      },
    })
    return file.update(guard, () => answerHook(guard, input), warn)
  } catch (error) {
    warn(error)
    return {}
  }
}

async function readStandardInput(): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) text += chunk
  return text
}

/**
 * Checks the hook's input.
 *
 * @throws TypeError when it is not one.
 */
function readInput(text: string): HookInput {
  const input: unknown = JSON.parse(text)
  const { hook_event_name, session_id, agent_id } = (input ?? {}) as Partial<HookInput>
  for (const [name, value] of Object.entries({ hook_event_name, session_id })) {
    if (typeof value !== 'string' || value === '') {
      throw new TypeError(`the hook's input must have a text "${name}"`)
    }
  }
  if (agent_id != null && typeof agent_id !== 'string') {
    throw new TypeError(`"agent_id" in the hook's input must be a text`)
  }
  return input as HookInput
}

function warn(problem: unknown): void {
  const reason = problem instanceof Error ? problem.message : String(problem)
  printError(`${reason}. The agent goes on unwatched.`)
}
