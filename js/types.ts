/**
 * The public contract as types: what callers pass and what they get. Types only, no code.
 *
 * @module
 */

/** What the host should do now, from nothing to ending the session. */
export type Action = 'continue' | 'nudge' | 'block' | 'stop'

/** How serious a verdict is. `none` goes with `continue` alone. */
export type Level = 'none' | 'notice' | 'warning' | 'critical'

/** The pattern that was recognised. */
export type LoopKind =
  | 'exact-repeat'
  | 'fuzzy-repeat'
  | 'windowed-repeat'
  | 'cycle'
  | 'no-progress'
  | 'variant'
  | 'same-error'
  | 'failure-cascade'
  | 'test-fix'
  | 'oscillation'
  | 'summary'
  | 'chant'
  | 'global'
  | 'iteration-cap'

/**
 * What kind of evidence a loop is. Each class allows actions up to a limit, `atMost`:
 *
 * - `proven`: the same call fails the same way, the same read or search gets the same result, a cycle
 *   of such calls, edits that undo one another, text that repeats.
 * - `duplicate`: the same edit again, one error over varying arguments of one target, nearly equal
 *   calls that reveal nothing new, many equal calls in one turn.
 * - `execution`: an execution succeeds and prints the same again.
 * - `identical-execution`: an execution prints the same bytes many times in a row with nothing in
 *   between.
 * - `check`: a check fails the same way after different edits.
 * - `sweep`: different targets get the same negative or constant answer.
 * - `waiting`: waiting, polling, and services that are busy or unreachable.
 * - `acknowledgement`: a short success that says no more than the call did.
 * - `calls-only`: the host reports no results, so only the calls are known.
 */
export type EvidenceClass =
  | 'proven'
  | 'duplicate'
  | 'execution'
  | 'identical-execution'
  | 'check'
  | 'sweep'
  | 'waiting'
  | 'acknowledgement'
  | 'calls-only'

/** A named set of options; see {@link presets}. */
export type PresetName = 'balanced' | 'nudge' | 'guard' | 'cycles' | 'window'

/** Which stream of the model a text belongs to: its output, its reasoning, or a call's arguments. */
export type TextChannel = 'text' | 'reasoning' | 'arguments'

/** Where streamed text repeats itself. Offsets and lengths are those of JavaScript strings. Frozen. */
export interface TextLoopDetails {
  /** The stream it was found in. */
  readonly channel: TextChannel
  /** Offset in the stream at which the loop began. */
  readonly since: number
  /** What is repeated, shortened to at most 80 whole characters. */
  readonly unit: string
  /** How many times it occurred. */
  readonly repeats: number
  /** Characters spent in the loop beyond the first occurrence. */
  readonly wasted: number
}

/** What every verdict contains, whatever its action. */
export interface VerdictFacts {
  /** How serious it is. */
  readonly level: Level
  /** `LOOP_DETECTED` exactly when `action` is `stop` because of a loop. */
  readonly status: 'OK' | 'LOOP_DETECTED'
  /** The tool that is repeated, if one is. */
  readonly tool: string | null
  /** How many times it was repeated. */
  readonly count: number
  /** Calls per cycle; 1 for a plain repeat; 0 when it is not a cycle. */
  readonly period: number
  /** The repeated calls, short, readable and safe to print: the evidence. */
  readonly pattern: readonly string[]
  /**
   * Indices (0-based, over recorded calls) of the newest calls that it is about. For a `block`,
   * these are exactly the calls to refuse.
   */
  readonly calls: readonly number[]
  /** Index of the call where the loop began; -1 if none. */
  readonly since: number
  /** Calls spent in the loop beyond its first pass. */
  readonly wasted: number
  /** Where text repeats itself; `null` for every other verdict. */
  readonly details: TextLoopDetails | null
}

/** The detector's answer to an event; narrows on `action`. Frozen. */
export type Verdict = Readonly<VerdictFacts> &
  (
    | {
        /** Continue. */
        readonly action: 'continue'
        readonly kind: null
        readonly message: null
        readonly summary: null
      }
    | {
        /** What the host should do now. */
        readonly action: 'nudge' | 'block' | 'stop'
        /** The pattern behind it. */
        readonly kind: LoopKind
        /** The text for the model. */
        readonly message: string
        /** One sentence for a person or a log: what happened. */
        readonly summary: string
      }
  )

/** What advice is about: the problem of the repeated call, or the kind of tool. */
export type AdviceTopic =
  | 'unavailable'
  | 'polling'
  | 'no-effect'
  | 'missing-file'
  | 'missing-program'
  | 'denied'
  | 'failing-edit'
  | 'failing-test'
  | 'failing'
  | 'nothing-found'
  | 'sweep'
  | 'acknowledged'
  | 'same-output'
  | 'undone'
  | 'shell'
  | 'edit'
  | 'write'
  | 'read'
  | 'search'
  | 'test'
  | 'other'

/** How close one kind of loop is to its threshold. */
export interface PatternCount {
  /** The kind. Of patterns that share it, the one that is closer to its threshold is listed. */
  readonly kind: LoopKind
  /** Its count at the latest event. */
  readonly count: number
  /** The count that makes a loop. */
  readonly threshold: number
  /** Whether the loop is going on right now. */
  readonly active: boolean
}

/** Why the latest verdict is what it is; see {@link LoopDetector.explain}. */
export interface Explanation {
  /** The latest verdict. */
  readonly verdict: Verdict
  /** The newest call; `null` before the first. */
  readonly call: {
    /** Its index, 0-based, over recorded calls. */
    readonly index: number
    /** The turn it belongs to. */
    readonly turn: number
    /** The call, short and readable. */
    readonly label: string
    /** Equal calls have the same identity. */
    readonly identity: string
    /** Whether it reads, writes or executes something. */
    readonly effect: 'read' | 'write' | 'execute'
    /** Whether it was refused. */
    readonly refused: boolean
  } | null
  /** Its result; `null` until there is one, and if the result is not evidence. */
  readonly result: {
    /** Whether the call failed. */
    readonly failed: boolean
    /** What kind of evidence it is. */
    readonly evidence:
      | 'informative'
      | 'acknowledgement'
      | 'empty'
      | 'waiting'
      | 'unavailable'
      | 'host-made'
      | 'unknown'
      | 'no-results'
    /** Equal results have the same identity. */
    readonly identity: string
    /** How many times in a row this call has had the same result. */
    readonly sameResults: number
    /** How many of these since anything new was learned. */
    readonly unchangedRepeats: number
    /** Whether it counts as waiting or polling. */
    readonly waiting: boolean
  } | null
  /** The loops detected at the latest event, reported or not. */
  readonly loops: readonly {
    /** The pattern. */
    readonly kind: LoopKind
    /** What kind of evidence it is. */
    readonly evidence: EvidenceClass
    /** The most severe action that this evidence allows. */
    readonly atMost: Action
    /** What was decided about it; `continue` if it was not reported this time. */
    readonly action: Action
  }[]
  /** Every enabled pattern. */
  readonly patterns: readonly PatternCount[]
}

/** What is done once a loop has got so far. */
export interface Rung {
  /** The value of `climb` from which this rung is used. */
  at: number
  /** What the host should do there. */
  action: Exclude<Action, 'continue'>
  /** How serious it is there. */
  level: Exclude<Level, 'none'>
}

/** Options of one pattern. */
export interface DetectorOptions {
  /** Repeats that make this pattern. */
  threshold?: number
  /**
   * What is compared with `at`: the count itself, how many times this loop was detected, how many times
   * {@link LoopDetector.clearAfterFeedback} was called, or how many times this loop was detected
   * within what its `evidence` allows. In the last case a refusal follows a nudge, and a stop
   * follows a refusal.
   */
  climb?: 'count' | 'occurrence' | 'feedback' | 'evidence'
  /** What is done, lowest rung first. */
  rungs?: readonly Rung[]
  /**
   * A loop is counted at most once in this many turns (times the length of a cycle). Only used if
   * `climb` is `occurrence` or `evidence`.
   */
  cooldown?: number
  /** The most severe action, whatever the evidence. Only used if `climb` is `evidence`. */
  atMost?: Action
  /**
   * Whether calls count as equal only if their results are equal, too. For `exact-repeat`,
   * `windowed-repeat` and `cycle`; for the other patterns it is fixed.
   */
  results?: boolean
}

/** What kind of work a tool does. */
export type ToolClass = 'shell' | 'edit' | 'write' | 'read' | 'search' | 'test' | 'other'

/** Options of one tool. */
export interface ToolOptions {
  /** What kind of work it does, if its name does not say. */
  class?: ToolClass
  /**
   * Returns the key of a call: calls of this tool with equal keys are equal. It gets the arguments (a
   * JSON string is parsed first). A string is used as it is, anything else as its JSON text;
   * `undefined` or `null` means "compare as usual".
   */
  identity?: (args: unknown) => unknown
  /** Argument keys that do not matter when two calls are compared. */
  ignore?: readonly string[]
  /** Calls are counted, but never part of a pattern. */
  exempt?: boolean
  /** The tool polls, so the same result again and again is normal for a while. */
  poll?: boolean
  /** This tool's own threshold for identical calls. */
  threshold?: number
  /** This tool's own threshold for nearly identical calls. */
  fuzzyThreshold?: number
  /** The most severe action about its calls. Only used if `climb` is `evidence`. */
  atMost?: Action
}

/** Word lists that decide what a call is about. Each replaces the built-in list. */
export interface TableOptions {
  /** Arguments that make a fuzzy fingerprint. */
  primaryKeys?: readonly string[]
  /** Shell commands that only read one file, such as `cat`. */
  readCommands?: readonly string[]
  /** Shell commands that do what a file tool should do, such as `sed`. */
  fileCommands?: readonly string[]
  /** Shell commands that run tests, such as `cargo test`. */
  testCommands?: readonly string[]
}

/**
 * How patient the result-aware patterns are, as counts of calls; `likeness` and `lookLikeness` are
 * percentages. What `balanced` uses was measured on real trajectories.
 */
export interface PatienceOptions {
  /**
   * Repeats with little evidence: no result is known, a message is sent again, or the call succeeds
   * but reports a problem.
   */
  unsure?: number
  /** Successful executions that print the same bytes. */
  execution?: number
  /** Successful executions that print the same except for times and ids. */
  timedExecution?: number
  /** Executions that succeed and print nothing. */
  empty?: number
  /** Repeats that are only acknowledged: "ok", "Moved right." */
  acknowledgement?: number
  /** Repeats of a polling call with the same result. */
  poll?: number
  /** Repeats of a polling call whose result says that it is still going on: "pending", "running". */
  wait?: number
  /** Repeats of a call to a service that is busy or unavailable: 429, 503, timeouts. */
  infrastructure?: number
  /** Failures of one call in a row, whatever the error. */
  failures?: number
  /** The same failure of a check, with changes made in between. */
  afterChanges?: number
  /** The same complaint from a check that succeeds, with changes made in between. */
  complaints?: number
  /** The same edit, made successfully again and again. */
  sameEdit?: number
  /** Failing edits of one file with the same error. */
  failingEdits?: number
  /** Failures of one tool in a row, with different errors. */
  mixedErrors?: number
  /** The same answer to calls with different targets. */
  sweep?: number
  /** Differently worded searches that find nothing. */
  rewordings?: number
  /** Equal calls in one turn that still count as one. */
  parallel?: number
  /** Calls in a row that return nothing new. */
  stale?: number
  /** How similar variants must be: the share of words they have in common, in percent. */
  likeness?: number
  /** The same share for calls that read or search. */
  lookLikeness?: number
}

/** Options of a {@link LoopDetector}. Everything is optional; the preset supplies the rest. */
export interface LoopDetectorOptions {
  /** The values to start from; `balanced` if absent. */
  preset?: PresetName
  /** Repeats that make a loop, in the preset's main rule. */
  threshold?: number
  /** Nearly identical calls that make a loop; `threshold + 1` when only `threshold` is given. */
  fuzzyThreshold?: number
  /** How many recent calls are considered. */
  window?: number
  /** The longest cycle that is detected. */
  maxPeriod?: number
  /** Model turns allowed before `beginTurn()` says stop; `null` for no cap. */
  iterationCap?: number | null
  /** Compare arguments by meaning (`canonical`) or by their first characters (`raw`). */
  identity?: 'canonical' | 'raw'
  /**
   * With `identity: 'raw'`, how many characters of the arguments are compared; with 0, every call
   * of a tool is the same.
   */
  rawLength?: number
  /** Judge a batch at `each` call and return the most severe verdict, or once at its `end`. */
  batch?: 'each' | 'end'
  /** Which text turns make a summary loop: `any` in a row, or similar ones (`alike`). */
  textTurns?: 'any' | 'alike'
  /** How patient the result-aware patterns are. */
  patience?: PatienceOptions
  /**
   * The most severe action that each class of evidence allows. Only used if `climb` is `evidence`.
   * Absent classes keep the preset's value.
   */
  atMost?: Partial<Record<EvidenceClass, Action>>
  /** Options of single tools, by tool name. */
  tools?: Readonly<Record<string, ToolOptions>>
  /** Patterns to enable, disable or tune. */
  detectors?: Partial<Record<LoopKind, boolean | DetectorOptions>>
  /** Texts to use instead of the preset's, by pattern and, if wanted, by level. */
  messages?: Partial<Record<LoopKind, string | Partial<Record<Level, string>>>>
  /** What the model is advised to do instead (`{alternatives}` in a text), by topic. */
  advice?: Partial<Record<AdviceTopic, string>>
  /** Whether messages quote the line of a tool's output that says what went wrong. `quote` if absent. */
  evidence?: 'quote' | 'none'
  /**
   * Whether calls run whatever the verdict, as in a recorded session. Then no call counts as
   * refused, and every result is evidence.
   */
  observe?: boolean
  /**
   * Returns the part of a call's arguments that may be shown and stored, if they contain secrets.
   * Calls are still compared by their real arguments, of which only hashes are kept.
   */
  redact?: (name: string, args: unknown) => unknown
  /** Word lists to use instead of the built-in ones. */
  tables?: TableOptions
}

/**
 * A tool call, before it runs, in any of the shapes that SDKs use. An empty id counts as none. `at` is
 * the time of the call in milliseconds; repeats that are far apart count as polling.
 */
export type ToolCall =
  | {
      name: string
      args?: unknown
      arguments?: never
      input?: never
      id?: string | undefined
      at?: number | undefined
    }
  /** OpenAI Responses, MCP. */
  | {
      name: string
      arguments: unknown
      args?: never
      input?: never
      id?: string | undefined
      at?: number | undefined
    }
  /** Anthropic. */
  | {
      name: string
      input: unknown
      args?: never
      arguments?: never
      id?: string | undefined
      at?: number | undefined
    }
  /** OpenAI chat. */
  | { function: { name: string; arguments: string }; id?: string | undefined }
  /** AI SDK. */
  | { toolName: string; input: unknown; toolCallId?: string | undefined }

/** The result of a tool call. */
export interface ToolResult {
  /**
   * The id of the call it answers. Without one: the oldest unanswered call. The names that SDKs give
   * it, such as `toolCallId`, `tool_call_id` and `tool_use_id`, are read as well.
   */
  id?: string | undefined
  /**
   * The tool's name; without an id, the result belongs to the oldest call of this tool without a
   * result.
   */
  name?: string | undefined
  /** Whether the tool succeeded, if that is known. */
  ok?: boolean | undefined
  /** What the tool returned. */
  output?: unknown
  /** When it came, in milliseconds. */
  at?: number | undefined
}

/** A detector's state, in the terms of the reference implementation. */
export interface LoopDetectionState {
  /** A loop is going on. */
  readonly doomLoopDetected: boolean
  /** The tool called last. */
  readonly lastTool: string | null
  /** How many times in a row it was called with these arguments. */
  readonly consecutiveCount: number
  /** The threshold for identical calls. */
  readonly threshold: number
  /** The threshold for nearly identical calls. */
  readonly fuzzyThreshold: number
  /** When the latest warning was given, in milliseconds since 1970; 0 for never. */
  readonly lastWarningTime: number
}

/** A detector's memory as plain JSON. Only the fields named here are for you to read. */
export interface Snapshot {
  /** Always `loophound`. */
  readonly format: 'loophound'
  /** The version of the snapshot format. */
  readonly version: number
  /** A checksum over the rest. */
  readonly checksum: string
  readonly [field: string]: unknown
}

/** Options of a {@link SwarmDetector}. */
export interface SwarmOptions {
  /** How many calls in total make a global loop; 10 if absent. */
  threshold?: number
  /** How many workers must have made them; 2 if absent. */
  minWorkers?: number
  /** Fingerprints remembered; the least recently recorded is forgotten first. 4096 if absent. */
  capacity?: number
  /** The most workers counted for each fingerprint; 256 if absent. */
  maxWorkers?: number
  /** The text to inject, with `{totalCalls}`, `{tool}` and `{workerCount}`. */
  message?: string
}

/** What is known about one fingerprint in a swarm. */
export interface FingerprintInfo {
  /** The fingerprint, as {@link computeToolFingerprint} returns it. */
  readonly fingerprint: string
  /** The tool it belongs to. */
  readonly tool: string
  /** Calls by all workers. */
  readonly totalCalls: number
  /** How many workers made them. */
  readonly workerCount: number
  /** Whether this is a global loop. */
  readonly loop: boolean
}

/** Totals over all fingerprints of a swarm. */
export interface SwarmStats {
  /** Fingerprints remembered now. */
  readonly fingerprints: number
  /** How many calls were recorded. */
  readonly totalCalls: number
  /** Global loops among the remembered fingerprints. */
  readonly loops: number
  /** Fingerprints forgotten because the capacity was reached. */
  readonly evicted: number
  /** The most fingerprints that are remembered. */
  readonly capacity: number
}

/** Fields of every {@link AgentEvent}. */
interface EventFields {
  /** The agent it belongs to; absent for the main thread. */
  readonly agent?: string | undefined
  /** When it happened, in milliseconds since 1970. */
  readonly at?: number | undefined
}

/**
 * One event in an agent's run: the neutral form that transcripts are read into.
 *
 * Calls with the same `turn` are one batch, and so are adjacent calls without one. A text directly
 * before a call belongs to that call's turn; any other text is a turn of its own. `usage` and
 * `spawn` only describe the run: they neither begin nor end a turn.
 */
export type AgentEvent = EventFields &
  (
    | {
        readonly t: 'call'
        /** The model response it is part of: 1 for the agent's first. */
        readonly turn?: number | undefined
        /** The model's provider ran it, not the host. */
        readonly providerExecuted?: boolean | undefined
        /** The host never ran it, as the response broke off: it is counted, but not judged. */
        readonly neverRan?: boolean | undefined
        readonly name: string
        readonly args?: unknown
        readonly id?: string | undefined
      }
    | ({
        readonly t: 'result'
        /** The exit code of a command, if the transcript has one. */
        readonly exitCode?: number | undefined
        /** The host made the result in place of the tool: a person or a rule refused the call. */
        readonly denied?: boolean | undefined
      } & Readonly<ToolResult>)
    | { readonly t: 'text'; readonly text: string }
    | { readonly t: 'chunk'; readonly text: string; readonly channel?: TextChannel }
    | {
        readonly t: 'user'
        readonly text?: string | undefined
        /** Who wrote it; a person if absent. A `harness` is the program around the model. */
        readonly origin?: 'person' | 'harness' | undefined
      }
    | { readonly t: 'turn' }
    | { readonly t: 'compacted' }
    | ({ readonly t: 'usage' } & TokenUsage)
    | {
        readonly t: 'spawn'
        /** The call that started the sub-agent, if that is known. */
        readonly id?: string | undefined
        /** The sub-agent. */
        readonly child: string
      }
  )

/**
 * The cost of one model response. Figures are those of the format: `in` excludes tokens read from a
 * cache in formats that follow Anthropic, and includes them in formats that follow OpenAI or
 * Gemini.
 */
export interface TokenUsage {
  /** Input tokens. */
  readonly in?: number | undefined
  /** Output tokens. */
  readonly out?: number | undefined
  /** Input tokens read from a cache. */
  readonly cacheRead?: number | undefined
  /** Input tokens written to a cache. */
  readonly cacheWrite?: number | undefined
  /** The cost in US dollars, if the transcript gives it. */
  readonly cost?: number | undefined
  /** The model. */
  readonly model?: string | undefined
  /** The model response: 1 for the agent's first. */
  readonly turn?: number | undefined
}

/** The transcript formats that {@link scan} can read. */
export type TranscriptFormat =
  | 'events'
  | 'openai-chat'
  | 'openai-responses'
  | 'openai-agents'
  | 'anthropic'
  | 'ai-sdk-ui'
  | 'ai-sdk-model'
  | 'ai-sdk-devtools'
  | 'langchain'
  | 'langsmith'
  | 'langfuse'
  | 'otel'
  | 'atif'
  | 'claude-code'
  | 'codex'
  | 'gemini-cli'
  | 'qwen-code'
  | 'opencode'
  | 'copilot'
  | 'pi'
  | 'cline'
  | 'roo'
  | 'openhands-v0'
  | 'openhands-v1'
  | 'swe-agent'
  | 'mini-swe-agent'
  | 'inspect'
  | 'autogen'
  | 'aider'

/** What is known about an agent besides its events. */
export interface AgentInfo {
  /** What it is called. */
  readonly name?: string | undefined
  /** The agent that started it. */
  readonly parent?: string | undefined
  /** The call by which it was started. */
  readonly parentCall?: string | undefined
}

/** One agent thread of a transcript. */
export interface AgentTranscript extends AgentInfo {
  /** The agent's id in the transcript; empty for the main thread. */
  readonly id: string
  /** What happened, in order. */
  readonly events: readonly AgentEvent[]
}

/** Something in a transcript that was not read. */
export interface SkippedRecords {
  /** Why, such as `broken line` or `record type "progress"`. */
  readonly reason: string
  /** How many times. */
  readonly count: number
  /** Where it first occurred, such as `line 3`. */
  readonly first: string
}

/** A transcript that has been read. */
export interface Transcript {
  /** The format it was in. */
  readonly format: TranscriptFormat
  /** The agents, the main thread first. There is at least one. */
  readonly agents: readonly AgentTranscript[]
  /** The events of the first agent. */
  readonly events: readonly AgentEvent[]
  /** What was not read, and how many times. */
  readonly skipped: readonly SkippedRecords[]
}
