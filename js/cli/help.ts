/**
 * The texts of `--help`.
 *
 * @module
 */

export const HELP = `loophound: detects when an LLM agent is stuck in a loop.

  loophound hook               a hook for Claude Code; reads hook JSON, answers with hook JSON
  loophound scan <transcript>  reports where an agent was stuck in a loop
  loophound --version          the version
  loophound <command> --help   more about a command

Set NO_COLOR to have no colours.`

const DETECTOR = `  --preset <name>     balanced, nudge, guard, cycles or window; balanced if absent
  --options <file>    options of the detector, as JSON: {"preset": "nudge", "threshold": 4}`

export const HELP_SCAN = `Reads a transcript and reports where the agent was stuck in a loop.

  loophound scan [options] <transcript>

  <transcript>        a file, or - for standard input
${DETECTOR}
  --format <name>     the format of the transcript; recognised by its first item if absent
  --json              the whole report as JSON

Exits with 0 if there is no loop, with 1 if there is one, with 2 if it cannot tell.`

export const HELP_HOOK = `A hook for Claude Code: reads the hook's JSON on standard input, and answers with JSON.

  loophound hook [options]

${DETECTOR}
  --observe           change nothing; verdicts go to standard error
  --state-dir <path>  where to keep the state of each session

Put it into .claude/settings.json for PreToolUse, PostToolUseFailure, PostToolBatch,
UserPromptSubmit, Stop and SubagentStop; PreToolUse and PostToolBatch are needed.

It never blocks the agent by mistake: if anything goes wrong, it says so on standard error,
answers {} and exits with 0. A mistake in these options exits with 1, which blocks nothing.

State is kept in $XDG_STATE_HOME/loophound, in %LOCALAPPDATA%\\loophound on Windows, or in
~/.local/state/loophound, for 7 days after the last event of a session.`
