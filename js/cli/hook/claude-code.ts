/**
 * Claude Code's hooks. Other hosts also run the hooks they find in its settings; their input is
 * ignored, because they have their own settings.
 *
 * @module
 */

import {
  hookAbilities,
  readHookInput,
  writeHookOutput,
} from '../../adapters/claude-agent/dialect.js'
import type { HookInput } from '../../adapters/claude-agent/types.js'
import { claudeSession, type Dialect, type Fields, requireText } from './dialect.js'

const asInput = (input: Fields) => input as unknown as HookInput

export const claudeCode: Dialect = {
  // Everything that is not from another host; input without an event name is reported as an
  // error.
  recognizes: () => true,
  session(input) {
    // Not all of them name their sessions as Claude Code does.
    if (isForeign(input)) return { sessionId: '', agentId: null }
    requireText(input, 'hook_event_name')
    return claudeSession(input)
  },
  read: (input, steps) => (isForeign(input) ? [] : readHookInput(asInput(input), steps)),
  abilities: (input) => hookAbilities(asInput(input)),
  write: (input, answer) => writeHookOutput(asInput(input).hook_event_name, answer) as Fields,
}

/**
 * Returns whether Cursor, Copilot or VS Code sent an input: they run the hooks of Claude Code's
 * settings, too.
 */
function isForeign(input: Fields): boolean {
  return 'cursor_version' in input || ('timestamp' in input && !('permission_mode' in input))
}
