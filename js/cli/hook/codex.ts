/**
 * Codex's hooks: Claude Code's events, but without batches, and without an event for most failures.
 *
 * @module
 */

import {
  hookAbilities,
  outputOf,
  readHookInput,
  writeHookOutput,
} from '../../adapters/claude-agent/dialect.js'
import type { HookInput } from '../../adapters/claude-agent/types.js'
import { outputsIn } from './codex-transcript.js'
import {
  claudeSession,
  type Dialect,
  type Fields,
  type HookEvent,
  type HookSteps,
} from './dialect.js'

const asInput = (input: Fields) => input as unknown as HookInput

export const codex: Dialect = {
  // Only the start of a session has no turn; Claude Code's start of a session has no mode.
  recognizes: (input) =>
    'turn_id' in input ||
    (input.hook_event_name === 'SessionStart' && 'model' in input && 'permission_mode' in input),
  session: claudeSession,
  read: (input, steps) => [
    ...unreportedResults(input, steps),
    ...readHookInput(asInput(input), steps),
  ],
  // A stop before a call makes the whole answer invalid, so the run is stopped after one. Codex
  // 0.169 shows the reason but continues its turn: there, a stop means that every call is refused.
  abilities(input) {
    const abilities = hookAbilities(asInput(input))
    // There may be no event after a call that fails.
    return input.hook_event_name === 'PreToolUse' ? { ...abilities, nudge: true } : abilities
  },
  write: (input, answer) => writeHookOutput(asInput(input).hook_event_name, answer) as Fields,
  steps: { hasBatches: false },
}

/** Returns the results of earlier calls that only the transcript has, when the next call begins. */
function unreportedResults(input: Fields, { open = [] }: Readonly<HookSteps>): HookEvent[] {
  if (input.hook_event_name !== 'PreToolUse') return []
  const ids = open.map(({ id }) => id)
  return [...outputsIn(input.transcript_path, ids)].map(([id, output]) => ({
    type: 'result',
    id,
    name: open.find((call) => call.id === id)?.name ?? '',
    output: outputOf(output),
  }))
}
