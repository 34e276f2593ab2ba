/**
 * Codex's hooks: Claude Code's events, but without batches and failures.
 *
 * @module
 */

import {
  hookAbilities,
  readHookInput,
  writeHookOutput,
} from '../../adapters/claude-agent/dialect.js'
import type { HookInput } from '../../adapters/claude-agent/types.js'
import { claudeSession, type Dialect, type Fields } from './dialect.js'

const asInput = (input: Fields) => input as unknown as HookInput

export const codex: Dialect = {
  // Only the start of a session has no turn; Claude Code's start of a session has no mode.
  recognizes: (input) =>
    'turn_id' in input ||
    (input.hook_event_name === 'SessionStart' && 'model' in input && 'permission_mode' in input),
  session: claudeSession,
  read: (input, steps) => readHookInput(asInput(input), steps),
  // A stop before a call makes the whole answer invalid, so the run is stopped after one. Codex
  // 0.169 shows the reason but continues its turn: there, a stop means that every call is refused.
  abilities: (input) => hookAbilities(asInput(input)),
  write: (input, answer) => writeHookOutput(asInput(input).hook_event_name, answer) as Fields,
  steps: { hasBatches: false },
}
