/**
 * The texts of `--help`.
 *
 * @module
 */

export const HELP = `loophound: detects when an LLM agent is stuck in a loop.

  loophound install <host>       puts the hook into an agent's settings: claude-code, codex,
                                 qwen-code, gemini-cli, copilot or cursor
  loophound uninstall <host>     takes it out again
  loophound doctor [host]        says whether it is active, and what it sees
  loophound hook                 the hook itself: reads hook JSON, answers with hook JSON
  loophound scan <transcript>    reports where agents were stuck in loops, and what that cost
  loophound explain <file>       says of each call what it counted as, and how close a loop was
  loophound swarm --redis <url>  shows what a swarm of agents is stuck on, and lifts it
  loophound --version            the version
  loophound <command> --help     more about a command

Set NO_COLOR to have no colours.`

const DETECTOR = `  --preset <name>     balanced, nudge, guard, cycles or window; balanced if absent
  --options <file>    options of the detector, as JSON: {"preset": "nudge", "threshold": 4}`

export const HELP_SCAN = `Reads transcripts and reports where agents were stuck in loops, and what that cost.

  loophound scan [options] <transcript>…

  <transcript>        a file, a folder, a glob, or - for standard input
  --agent <name>      the sessions of claude-code, codex, gemini-cli, opencode or pi on this machine
  --since <time>      of folders, only files changed since then: 2026-11-01, 12h, 7d, 4w
  --min-wasted <n>    leave out loops that wasted fewer calls
${DETECTOR}
  --prices <file>     what models cost, as JSON; see docs/scan.md
  --redact            show no arguments, no output and no folders

  --html <file>       write a report to look at in a browser
  --json              print the whole report as JSON
  --jsonl             print a line of JSON for each session as it is read, then the totals
  --format <name>     sarif, junit or github for CI; or the format of the transcripts, where it
                      is not recognised

Exits with 0 if there is no loop, with 1 if there is one, with 2 if it cannot tell.`

export const HELP_EXPLAIN = `Says of each call of a transcript what it counted as, and how close each pattern was.

  loophound explain [options] <transcript> [call]

  <transcript>        a file, or - for standard input
  [call]              the number of a call, as "loophound scan" prints it, for all about it
  --agent <id>        the sub-agent; the main thread if absent
${DETECTOR}
  --format <name>     the format of the transcript; recognised by its first records if absent

Exits with 0, or with 2 if it cannot tell.`

const HOSTS = `<host> is claude-code, codex, qwen-code, gemini-cli, copilot or cursor.`

export const HELP_HOOK = `A hook for command-line agents: reads an event as JSON on standard input, and answers with JSON.
"loophound install" puts it into an agent's settings.

  loophound hook [options]
  loophound hook --serve [port] [options]

${DETECTOR}
  --host <host>       whose events these are; recognised by their fields if absent
  --observe           change nothing; verdicts go to standard error
  --state-dir <path>  where to keep the state of each session
  --serve [port]      answer over HTTP on this machine, for Claude Code and qwen-code: no process
                      is started for each event. Port 4517 if absent
  --idle <minutes>    end after so long without an event; 240 if absent

${HOSTS}

It never blocks the agent by mistake: if anything goes wrong, it says so on standard error,
answers {} and exits with 0, after 2 seconds at most. A mistake in these options exits with 1,
which blocks nothing; with 0 for copilot, which would refuse the call.

State is kept in $XDG_STATE_HOME/loophound, in %LOCALAPPDATA%\\loophound on Windows, or in
~/.local/state/loophound, for 7 days after the last event of a session.`

export const HELP_INSTALL = `Puts the hook into an agent's settings: shows the change, asks, and keeps a copy of the file.

  loophound install <host> [options]

  --user              for all your projects, which is the default
  --project           for the project in the current folder
  --yes               do not ask
  --print             print the file as it would be, and change nothing
  --observe           the hook changes nothing; verdicts go to standard error
${DETECTOR}
  --state-dir <path>  where the hook keeps the state of each session

${HOSTS}

Nothing else in the file is touched: comments, order and indentation stay as they are. To install
twice changes nothing; with other options, it replaces the hook. The copy is kept out of projects,
in $XDG_STATE_HOME/loophound/settings, in %LOCALAPPDATA%\\loophound\\settings on Windows, or in
~/.local/state/loophound/settings.`

export const HELP_UNINSTALL = `Takes the hook out of an agent's settings, and touches nothing else. Settings that were not changed
since "loophound install" are restored from its copy, which is removed.

  loophound uninstall <host> [options]

  --user              from your own settings, which is the default
  --project           from those of the project in the current folder
  --yes               do not ask
  --print             print the file as it would be, and change nothing

${HOSTS}

Exits with 1 if the hook is still in another file of the same settings, and says where.`

export const HELP_DOCTOR = `Says whether the hook is installed, tries it out, and says what the latest sessions have shown.

  loophound doctor [host] [options]

  --state-dir <path>  where the hook keeps its state, if it was given a folder

${HOSTS} All of them if absent.

Exits with 0 if all is well, with 1 if something is wrong or nothing is installed: it says what to
do. With 2 for a mistake in these options.`

export const HELP_SWARM = `Shows what a swarm of agents is stuck on: which calls, by whom, since when.

  loophound swarm --redis <url> [options]
  loophound swarm clear [<fingerprint>] --redis <url> [options]

  --redis <url>       the server of the swarm, redis:// or rediss://; $REDIS_URL if absent
  --scope <name>      the name of the swarm; default if absent
  --prefix <text>     what its keys begin with, if the swarm was given one
  --cluster           the server is a node of a Cluster
  --once              print the table once; on a terminal it is drawn every second
  --json              print everything that is known, as JSON

clear lifts one latch, named by the end of its fingerprint, or forgets the whole scope. Workers
learn of it with their next poll, after 5 s at most.`
