import { type HookCallback, type Options, query } from '@anthropic-ai/claude-agent-sdk'
import { GuardPool } from 'loophound'
import { loopGuardHooks } from 'loophound/claude-agent'

const log: HookCallback = async (input) => {
  if (input.hook_event_name === 'PreToolUse') console.log(input.tool_name)
  return {}
}

const guards = new GuardPool({
  detector: { preset: 'balanced', tools: { mcp__jobs__wait: { exempt: true } } },
  onVerdict: ({ action, pattern }, { guard }) => console.warn(guard.id, action, pattern),
})

/** The guard of each session and of each subagent, and hooks of your own. */
const hooks = loopGuardHooks(
  ({ sessionId, agentId }) => guards.for(agentId ? `${sessionId}/${agentId}` : sessionId),
  { PreToolUse: [{ matcher: 'mcp__.*', hooks: [log] }], SessionEnd: [{ hooks: [log] }] },
)

export async function ask(prompt: string, options: Options): Promise<string> {
  for await (const message of query({ prompt, options: { ...options, hooks } })) {
    if (message.type === 'result' && message.subtype === 'success') return message.result
  }
  return ''
}
