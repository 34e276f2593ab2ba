/**
 * Where each host keeps its hooks, and the format of an entry.
 *
 * @module
 */

import { join } from 'node:path'
import { homeFolder } from '../folders.js'
import type { Fields, Host } from '../hook/dialect.js'

export type Scope = 'user' | 'project'

/** How a host is set up. */
export interface HostSetup {
  readonly title: string
  /** The file to write, for the user or for the project in the current folder. */
  readonly file: (scope: Scope) => string
  /** The events to subscribe to. */
  readonly events: readonly string[]
  /** The entry of an event. */
  readonly entry: (command: string) => Fields
  /** The field of an entry that contains its hooks, if entries are groups of hooks. */
  readonly group?: 'hooks'
  /** What a new file begins with. */
  readonly begin: Fields
  /** The shell that runs the command on Windows. */
  readonly windowsShell: 'bash' | 'powershell'
  /**
   * Whether a failing command refuses the call. If so, it must never fail, even if Node or this
   * package is missing.
   */
  readonly refusesOnFailure?: boolean
  /** Returns the setting of the file that disables hooks, if there is one. */
  readonly switchedOff?: (config: Fields) => string | null
  /** Whether the host ignores a file that has comments, or a comma at the end of a list. */
  readonly readsPlainJson?: boolean
  /** Another file that may have hooks in it, or disable them. */
  readonly others?: {
    readonly file: (scope: Scope) => string
    /** Returns the setting of that file that disables hooks, if there is one. */
    readonly switchedOff: (text: string) => string | null
  }
  /** What the user has to do next. */
  readonly next: string
}

/** In seconds; many hooks of one session take turns. */
const TIMEOUT = 30

const grouped = (hook: Fields): Fields => ({ hooks: [hook] })

const home = (variable: string, folder: string): string =>
  process.env[variable] || join(homeFolder(), folder)

const disabledAll = ({ disableAllHooks }: Fields) =>
  disableAllHooks === true ? '"disableAllHooks": true' : null

const codexFolder = (scope: Scope): string =>
  scope === 'user' ? home('CODEX_HOME', '.codex') : '.codex'

/** Returns the line of Codex's `config.toml` that disables hooks; `codex_hooks` is its old name. */
function disabledInToml(text: string): string | null {
  const [, features = ''] = /^\[features\][^\n]*\n((?:(?!\[).*\n?)*)/m.exec(text) ?? []
  const line = /^[ \t]*((?:codex_)?hooks[ \t]*=[ \t]*false)\b/m.exec(features)
  return (
    line?.[1] ?? /^[ \t]*(features\.(?:codex_)?hooks[ \t]*=[ \t]*false)\b/m.exec(text)?.[1] ?? null
  )
}

export const SETUPS: Readonly<Record<Host, HostSetup>> = {
  'claude-code': {
    title: 'Claude Code',
    // A path on this machine must not be shared, so not the file that is committed.
    file: (scope) =>
      scope === 'user'
        ? join(home('CLAUDE_CONFIG_DIR', '.claude'), 'settings.json')
        : join('.claude', 'settings.local.json'),
    events: [
      'PreToolUse',
      'PostToolUseFailure',
      'PostToolBatch',
      'UserPromptSubmit',
      'Stop',
      'SubagentStop',
      'PostCompact',
      'SessionStart',
    ],
    entry: (command) => grouped({ type: 'command', command, timeout: TIMEOUT }),
    group: 'hooks',
    begin: {},
    windowsShell: 'bash',
    switchedOff: disabledAll,
    next: 'It is active in sessions that begin now.',
  },
  codex: {
    title: 'Codex',
    file: (scope) => join(codexFolder(scope), 'hooks.json'),
    events: [
      'PreToolUse',
      'PostToolUse',
      'UserPromptSubmit',
      'Stop',
      'SubagentStop',
      'PostCompact',
    ],
    entry: (command) => grouped({ type: 'command', command, timeout: TIMEOUT }),
    group: 'hooks',
    begin: {},
    windowsShell: 'powershell',
    readsPlainJson: true,
    others: {
      file: (scope) => join(codexFolder(scope), 'config.toml'),
      switchedOff: disabledInToml,
    },
    next: 'Codex runs hooks only after you have trusted them: start it, and enter /hooks.',
  },
  'qwen-code': {
    title: 'qwen-code',
    file: (scope) => join(scope === 'user' ? home('QWEN_HOME', '.qwen') : '.qwen', 'settings.json'),
    events: [
      'PreToolUse',
      'PostToolBatch',
      'UserPromptSubmit',
      'Stop',
      'SubagentStop',
      'PostCompact',
    ],
    entry: (command) => grouped({ type: 'command', name: 'loophound', command, timeout: TIMEOUT }),
    group: 'hooks',
    begin: {},
    windowsShell: 'powershell',
    refusesOnFailure: true,
    switchedOff: disabledAll,
    next: 'It is active in sessions that begin now; in a project, if its folder is trusted.',
  },
  'gemini-cli': {
    title: 'gemini-cli',
    file: (scope) =>
      join(
        scope === 'user' ? process.env.GEMINI_CLI_HOME || homeFolder() : '',
        '.gemini',
        'settings.json',
      ),
    events: ['BeforeTool', 'AfterTool', 'BeforeModel', 'BeforeAgent', 'AfterAgent'],
    // In milliseconds.
    entry: (command) =>
      grouped({ type: 'command', name: 'loophound', command, timeout: TIMEOUT * 1000 }),
    group: 'hooks',
    begin: {},
    windowsShell: 'powershell',
    refusesOnFailure: true,
    switchedOff: ({ hooksConfig }) =>
      (hooksConfig as Fields | undefined)?.enabled === false
        ? '"hooksConfig.enabled": false'
        : null,
    next: 'It is active in sessions that begin now; in a project, if its folder is trusted.',
  },
  copilot: {
    title: 'GitHub Copilot CLI',
    file: (scope) =>
      join(
        scope === 'user' ? home('COPILOT_HOME', '.copilot') : '.github',
        'hooks',
        'loophound.json',
      ),
    events: [
      'preToolUse',
      'postToolUse',
      'postToolUseFailure',
      'userPromptSubmitted',
      'agentStop',
      'subagentStop',
      'preCompact',
    ],
    entry: (command) => ({
      type: 'command',
      [process.platform === 'win32' ? 'powershell' : 'bash']: command,
      timeoutSec: TIMEOUT,
    }),
    begin: { version: 1 },
    windowsShell: 'powershell',
    refusesOnFailure: true,
    switchedOff: disabledAll,
    next: 'It is active in sessions that begin now; in a project, if its folder is trusted.',
  },
  cursor: {
    title: 'Cursor',
    file: (scope) =>
      join(scope === 'user' ? join(homeFolder(), '.cursor') : '.cursor', 'hooks.json'),
    events: [
      'preToolUse',
      'postToolUse',
      'postToolUseFailure',
      'beforeSubmitPrompt',
      'afterAgentThought',
      'preCompact',
      'stop',
    ],
    entry: (command) => ({ command, timeout: TIMEOUT }),
    begin: { version: 1 },
    windowsShell: 'powershell',
    next: 'Cursor reads the file when it is saved; its settings list the hooks.',
  },
}
