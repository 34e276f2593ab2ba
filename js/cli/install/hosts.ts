/**
 * Where each host keeps its hooks, and the format of an entry.
 *
 * @module
 */

import { join } from 'node:path'
import { homeFolder } from '../folders.js'
import type { Fields, Host } from '../hook/dialect.js'
import { featuresInToml } from './codex-toml.js'
import { isOurs } from './command-line.js'
import { readConfig } from './edit.js'

export type Scope = 'user' | 'project'

/** How a host is set up. */
export interface HostSetup {
  readonly host: Host
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
  /** Another file that may have hooks in it, which `install` does not write. */
  readonly otherFile?: (scope: Scope) => string | null
  /** Where hooks can be disabled. */
  readonly switches?: {
    /** The files, of which the first that says something counts. */
    readonly files: () => readonly string[]
    /**
     * Returns the settings of a file, as they disable hooks, and whether they do.
     *
     * @throws UsageError when the file cannot be read.
     */
    readonly read: (text: string) => ReadonlyMap<string, boolean>
  }
  /** Whether the host ignores a file that has comments, or a comma at the end of a list. */
  readonly readsPlainJson?: boolean
  /** What the user has to do next. */
  readonly next: string
}

/** In seconds; many hooks of one session take turns. */
const TIMEOUT = 30

/** What gemini-cli and qwen-code call the hook. */
const HOOK_NAME = 'loophound'

/** The file of Claude Code that is committed. */
const CLAUDE_SHARED = join('.claude', 'settings.json')

const grouped = (hook: Fields): Fields => ({ hooks: [hook] })

const home = (variable: string, folder: string): string =>
  process.env[variable] || join(homeFolder(), folder)

function disableAllHooks(text: string): ReadonlyMap<string, boolean> {
  const { disableAllHooks: value } = readConfig(text)
  return new Map(typeof value === 'boolean' ? [['"disableAllHooks": true', value]] : [])
}

/** Reads the settings of gemini-cli, which can also disable hooks by name. */
function hooksConfig(text: string): ReadonlyMap<string, boolean> {
  const { enabled, disabled } = (readConfig(text).hooksConfig ?? {}) as Fields
  const found = new Map<string, boolean>()
  if (typeof enabled === 'boolean') found.set('"hooksConfig.enabled": false', !enabled)
  if (Array.isArray(disabled) && disabled.some((name) => name === HOOK_NAME || isOurs(name))) {
    found.set(`"${HOOK_NAME}" in "hooksConfig.disabled"`, true)
  }
  return found
}

const codexFolder = (scope: Scope): string =>
  scope === 'user' ? home('CODEX_HOME', '.codex') : '.codex'

const codexConfig = (scope: Scope): string => join(codexFolder(scope), 'config.toml')

const claudeFile = (scope: Scope): string =>
  scope === 'user'
    ? join(home('CLAUDE_CONFIG_DIR', '.claude'), 'settings.json')
    : // A path on this machine must not be shared, so not the file that is committed.
      join('.claude', 'settings.local.json')

const qwenFile = (scope: Scope): string =>
  join(scope === 'user' ? home('QWEN_HOME', '.qwen') : '.qwen', 'settings.json')

const geminiFile = (scope: Scope): string =>
  join(
    scope === 'user' ? process.env.GEMINI_CLI_HOME || homeFolder() : '',
    '.gemini',
    'settings.json',
  )

const copilotFile = (scope: Scope): string =>
  join(scope === 'user' ? home('COPILOT_HOME', '.copilot') : '.github', 'hooks', 'loophound.json')

export const SETUPS: Readonly<Record<Host, HostSetup>> = {
  'claude-code': {
    host: 'claude-code',
    title: 'Claude Code',
    file: claudeFile,
    otherFile: (scope) => (scope === 'project' ? CLAUDE_SHARED : null),
    switches: {
      files: () => [claudeFile('project'), CLAUDE_SHARED, claudeFile('user')],
      read: disableAllHooks,
    },
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
    next: 'It is active in sessions that begin now.',
  },
  codex: {
    host: 'codex',
    title: 'Codex',
    file: (scope) => join(codexFolder(scope), 'hooks.json'),
    otherFile: codexConfig,
    switches: {
      files: () => [codexConfig('project'), codexConfig('user')],
      read: featuresInToml,
    },
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
    next: 'Codex runs hooks only after you have trusted them: start it, and enter /hooks.',
  },
  'qwen-code': {
    host: 'qwen-code',
    title: 'qwen-code',
    file: qwenFile,
    switches: { files: () => [qwenFile('project'), qwenFile('user')], read: disableAllHooks },
    events: [
      'PreToolUse',
      'PostToolBatch',
      'UserPromptSubmit',
      'Stop',
      'SubagentStop',
      'PostCompact',
    ],
    entry: (command) =>
      grouped({
        type: 'command',
        name: HOOK_NAME,
        command,
        timeout: TIMEOUT,
        // It would be cmd.exe, which cannot run the command: then each call would be refused.
        ...(process.platform === 'win32' && { shell: 'powershell' }),
      }),
    group: 'hooks',
    begin: {},
    windowsShell: 'powershell',
    refusesOnFailure: true,
    next: 'It is active in sessions that begin now; in a project, if its folder is trusted.',
  },
  'gemini-cli': {
    host: 'gemini-cli',
    title: 'gemini-cli',
    file: geminiFile,
    switches: { files: () => [geminiFile('project'), geminiFile('user')], read: hooksConfig },
    events: ['BeforeTool', 'AfterTool', 'BeforeModel', 'BeforeAgent', 'AfterAgent'],
    // In milliseconds.
    entry: (command) =>
      grouped({ type: 'command', name: HOOK_NAME, command, timeout: TIMEOUT * 1000 }),
    group: 'hooks',
    begin: {},
    windowsShell: 'powershell',
    refusesOnFailure: true,
    next: 'It is active in sessions that begin now; in a project, if its folder is trusted.',
  },
  copilot: {
    host: 'copilot',
    title: 'GitHub Copilot CLI',
    file: copilotFile,
    switches: {
      files: () => [
        copilotFile('project'),
        copilotFile('user'),
        join('.github', 'copilot', 'settings.local.json'),
        join('.github', 'copilot', 'settings.json'),
        join(home('COPILOT_HOME', '.copilot'), 'settings.json'),
      ],
      read: disableAllHooks,
    },
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
    next: 'It is active in sessions that begin now; in a project, if its folder is trusted.',
  },
  cursor: {
    host: 'cursor',
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
