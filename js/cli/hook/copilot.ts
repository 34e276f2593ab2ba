/**
 * The hooks of GitHub Copilot's command line: no ids, and no way to end a run. The fields of an input
 * show which event it is. Hooks that are configured by other names (`PreToolUse` for `preToolUse`) get
 * the same fields in snake case; the answers are the same.
 *
 * @module
 */

import {
  type Dialect,
  type Fields,
  fieldsIn,
  type HookEvent,
  parseText,
  requireText,
  textIn,
} from './dialect.js'

/** The events of which Copilot and other hosts have the same names. */
const SHARED_EVENTS = [
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'UserPromptSubmit',
  'Stop',
  'SubagentStop',
  'PreCompact',
]

export const copilot: Dialect = {
  // In snake case, other hosts have one more of these.
  recognizes: (input) =>
    'sessionId' in input ||
    ('timestamp' in input &&
      !['permission_mode', 'tool_use_id', 'tool_calls'].some((name) => name in input) &&
      SHARED_EVENTS.includes(textIn(input, 'hook_event_name'))),
  // A subagent has a session of its own.
  session: (input) => ({ sessionId: requireText(inCamelCase(input), 'sessionId'), agentId: null }),
  read(given): readonly HookEvent[] {
    // VS Code runs these hooks, too; its calls have ids.
    if ('tool_use_id' in given) return []
    const input = inCamelCase(given)
    // Arguments came as JSON text in early versions.
    const call = { name: textIn(input, 'toolName'), args: parseText(input.toolArgs) }
    if ('toolResult' in input) {
      const result = fieldsIn(input, 'toolResult')
      // A call that a person or a rule refused says nothing about the tool.
      if (['denied', 'rejected'].includes(textIn(result, 'resultType'))) return []
      return [{ type: 'result', ...call, ...resultOf(result) }]
    }
    if ('toolName' in input) {
      if ('error' in input) return [{ type: 'result', ...call, output: input.error, ok: false }]
      return [{ type: 'call', ...call }]
    }
    if ('trigger' in input) return [{ type: 'compacted' }]
    if ('stopReason' in input) return [{ type: 'end', text: textIn(input, 'response') }]
    return 'prompt' in input && !('transformedPrompt' in input) ? [{ type: 'prompt' }] : []
  },
  abilities: (input) => ({
    nudge: ['toolResult', 'tool_result', 'error'].some((name) => name in input),
  }),
  write(_, answer) {
    switch (answer.type) {
      case 'nudge':
        return { additionalContext: answer.text }
      case 'deny':
        return { permissionDecision: 'deny', permissionDecisionReason: answer.text }
      default:
        return {}
    }
  },
  steps: { hasBatches: false },
}

/** Returns the input with its fields in camel case. */
function inCamelCase(input: Fields): Fields {
  if (!('session_id' in input)) return input
  const { toolInput, toolResult, ...rest } = renamed(input)
  return {
    ...rest,
    ...(toolInput !== undefined && { toolArgs: toolInput }),
    ...(toolResult !== undefined && {
      toolResult: renamed(fieldsIn({ toolResult }, 'toolResult')),
    }),
  }
}

function renamed(fields: Fields): Fields {
  const camelCase = (name: string) => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase())
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [camelCase(name), value]))
}

/** The last line of a command's output. Its id differs each time; early versions had none. */
const SHELL_END = /\n?<(?:shellId: \S+ completed|exited) with exit code (\d+)>\s*$/

/** Reads a result. Copilot does not mark failing commands: the exit code shows. */
function resultOf({ resultType, textResultForLlm: text }: Fields) {
  if (typeof text !== 'string') return { output: text, ok: resultType !== 'failure' }
  const exitCode = SHELL_END.exec(text)?.[1]
  const failed = resultType === 'failure' || (exitCode !== undefined && exitCode !== '0')
  const output = text.replace(SHELL_END, '')
  return { output: failed && exitCode ? `${output}\nExit code ${exitCode}` : output, ok: !failed }
}
