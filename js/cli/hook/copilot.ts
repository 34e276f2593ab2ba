/**
 * The hooks of GitHub Copilot's command line: no ids, no event names, and no way to end a run. The
 * fields of an input show which event it is.
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

export const copilot: Dialect = {
  recognizes: (input) => 'sessionId' in input,
  // A subagent has a session of its own.
  session: (input) => ({ sessionId: requireText(input, 'sessionId'), agentId: null }),
  read(input): readonly HookEvent[] {
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
  abilities: (input) => ({ nudge: 'toolResult' in input || 'error' in input }),
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
