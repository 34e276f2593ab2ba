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
 * What kind of evidence a loop is. Each class has a hardest action, `atMost`:
 *
 * - `proven`: the same call fails the same way, the same read or search gets the same result, a cycle
 *   of such calls, edits that undo one another, text that repeats.
 * - `duplicate`: the same edit again, one error over varying arguments of one target, calls that are
 *   nearly the same and tell nothing new, many equal calls in one turn.
 * - `execution`: something is run, works, and prints the same again.
 * - `identical-execution`: the same, byte by byte, many times in a row with nothing in between.
 * - `check`: a check fails the same way after different edits.
 * - `sweep`: different targets get the same negative or constant answer.
 * - `waiting`: waiting, polling, and services that are busy or not reachable.
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

/** The detector's answer to an event. Frozen. */
export interface Verdict {
  /** What the host should do now. */
  readonly action: Action
  /** How serious it is. */
  readonly level: Level
  /** The pattern behind it; `null` for `continue`. */
  readonly kind: LoopKind | null
  /** `LOOP_DETECTED` exactly when `action` is `stop` because of a loop. */
  readonly status: 'OK' | 'LOOP_DETECTED'
  /** The tool that is repeated, if one is. */
  readonly tool: string | null
  /** How many times it was repeated. */
  readonly count: number
  /** Calls per cycle; 1 for a plain repeat; 0 when it is not a cycle. */
  readonly period: number
  /** The repeated calls, short and readable: the evidence. */
  readonly pattern: readonly string[]
  /** Index (0-based, over recorded calls) where the loop began; -1 if none. */
  readonly since: number
  /** Calls spent in the loop beyond its first pass. */
  readonly wasted: number
  /** The text to inject; `null` for `continue`. */
  readonly message: string | null
  /** Where text repeats itself; `null` for every other verdict. */
  readonly details: TextLoopDetails | null
}

/** One step of an escalation ladder. */
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
   * What climbs the ladder: the count itself, how often this same loop was detected, how many times
   * {@link LoopDetector.clearAfterFeedback} was called, or how often this same loop was detected
   * within what its `evidence` allows: then a refusal follows a nudge, and a stop a refusal.
   */
  climb?: 'count' | 'occurrence' | 'feedback' | 'evidence'
  /** The ladder, lowest rung first. */
  rungs?: readonly Rung[]
  /**
   * A loop is counted once in so many turns (times the length of a cycle). Only where `climb` is
   * `occurrence` or `evidence`.
   */
  cooldown?: number
  /** The hardest action, whatever the evidence. Only where `climb` is `evidence`. */
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
  /** It polls: the same result again and again is normal for a while. */
  poll?: boolean
  /** This tool's own threshold for identical calls. */
  threshold?: number
  /** This tool's own threshold for nearly identical calls. */
  fuzzyThreshold?: number
  /** The hardest action about its calls. Only where `climb` is `evidence`. */
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
   * Repeats without evidence: no result is known, a message is sent again, or the call succeeds and
   * says that something is wrong.
   */
  unsure?: number
  /** Successful executions that print the same, byte by byte. */
  execution?: number
  /** Successful executions that print the same but for times and ids. */
  timedExecution?: number
  /** Executions that succeed and print nothing. */
  empty?: number
  /** Repeats that are only acknowledged: "ok", "Moved right." */
  acknowledgement?: number
  /** Repeats of a polling call with the same result. */
  poll?: number
  /** The same, where the result says that it goes on: "pending", "running". */
  wait?: number
  /** Repeats of a call to a service that is busy or unavailable: 429, 503, timeouts. */
  infrastructure?: number
  /** Failures of one call in a row, whatever they say. */
  failures?: number
  /** The same failure of a check, with changes made in between. */
  afterChanges?: number
  /** The same complaint of a check that succeeded, with changes made in between. */
  complaints?: number
  /** The same edit, made successfully again and again. */
  sameEdit?: number
  /** Failing edits of one file with the same error. */
  failingEdits?: number
  /** Failures of one tool in a row, with different errors. */
  mixedErrors?: number
  /** The same answer to calls that are each about something else. */
  sweep?: number
  /** Differently worded searches that find nothing. */
  rewordings?: number
  /** Equal calls in one turn that still count as one. */
  parallel?: number
  /** Calls in a row that return nothing new. */
  stale?: number
  /** How similar variants are: the share of words they have in common, in percent. */
  likeness?: number
  /** The same for calls that read or search. */
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
  /** The longest cycle looked for. */
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
  /** Judge a batch at `each` call and return the hardest verdict, or once at its `end`. */
  batch?: 'each' | 'end'
  /** Which text turns make a summary loop: `any` in a row, or similar ones (`alike`). */
  textTurns?: 'any' | 'alike'
  /** How patient the result-aware patterns are. */
  patience?: PatienceOptions
  /**
   * The hardest action that each class of evidence allows, where `climb` is `evidence`. What is
   * absent stays as the preset has it.
   */
  atMost?: Partial<Record<EvidenceClass, Action>>
  /** Options of single tools, by tool name. */
  tools?: Readonly<Record<string, ToolOptions>>
  /** Patterns to switch on or off, or to tune. */
  detectors?: Partial<Record<LoopKind, boolean | DetectorOptions>>
  /** Texts to use instead of the preset's, by pattern and, if wanted, by level. */
  messages?: Partial<Record<LoopKind, string | Partial<Record<Level, string>>>>
  /** Word lists to use instead of the built-in ones. */
  tables?: TableOptions
}

/** A tool call, before it runs. */
export interface ToolCall {
  /** The tool's name. */
  name: string
  /** The arguments: an object, the JSON text the model wrote, or nothing. */
  args?: unknown
  /** The call's id, to match its result. An empty one counts as none. */
  id?: string | undefined
  /** When it was made, in milliseconds. Repeats that are far apart count as polling. */
  at?: number | undefined
}

/** The result of a tool call. */
export interface ToolResult {
  /** The id of the call it answers. Without one: the oldest unanswered call. */
  id?: string | undefined
  /** The tool's name; without an id, the oldest unanswered call of this tool. */
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
  /** Calls in all that make a global loop; 10 if absent. */
  threshold?: number
  /** Workers that must have made them; 2 if absent. */
  minWorkers?: number
  /** Fingerprints remembered; the least recently recorded is forgotten first. 4096 if absent. */
  capacity?: number
  /** The most workers counted for each fingerprint; 256 if absent. */
  maxWorkers?: number
  /** The text to inject, with `{totalCalls}`, `{tool}` and `{workerCount}`. */
  message?: string
}

/** What is known of one fingerprint in a swarm. */
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

/** Sums over all fingerprints of a swarm. */
export interface SwarmStats {
  /** Fingerprints remembered now. */
  readonly fingerprints: number
  /** Calls recorded in all. */
  readonly totalCalls: number
  /** Global loops among the remembered fingerprints. */
  readonly loops: number
  /** Fingerprints forgotten because the capacity was reached. */
  readonly evicted: number
  /** The most fingerprints that are remembered. */
  readonly capacity: number
}

/**
 * One event in an agent's run: the neutral form that transcripts are read into.
 *
 * Adjacent calls are one batch. A text directly before a call belongs to that call's turn; any other
 * text is a turn of its own.
 */
export type AgentEvent =
  | ({ readonly t: 'call' } & Readonly<ToolCall>)
  | ({ readonly t: 'result' } & Readonly<ToolResult>)
  | { readonly t: 'text'; readonly text: string }
  | { readonly t: 'chunk'; readonly text: string; readonly channel?: TextChannel }
  | { readonly t: 'user'; readonly text?: string | undefined }
  | { readonly t: 'turn' }
  | { readonly t: 'compacted' }

/** The transcript formats that {@link scan} can read. */
export type TranscriptFormat = 'events' | 'openai-chat'

/** Options of {@link scan}. */
export interface ScanOptions extends LoopDetectorOptions {
  /** The transcript's format; recognised by its first item if absent or `auto`. */
  format?: 'auto' | TranscriptFormat
}

/** One place in a transcript where the verdict was not `continue`. */
export interface ScanFinding {
  /** Index in the list of events the transcript was read into. */
  readonly event: number
  /** Index of the latest call recorded by then; -1 if there was none. */
  readonly call: number
  /** The detector's verdict there. */
  readonly verdict: Verdict
}

/** What {@link scan} found. */
export interface ScanReport {
  /** The format the transcript was read as. */
  readonly format: TranscriptFormat
  /** Events read. */
  readonly events: number
  /** Tool calls among them. */
  readonly calls: number
  /** Tool results among them. */
  readonly results: number
  /** Model turns: batches of calls and texts without calls. */
  readonly turns: number
  /** Whether a loop was found. Running into the iteration cap alone is not a loop. */
  readonly stuck: boolean
  /** The hardest verdict, the first among equals; `continue` when there are no findings. */
  readonly verdict: Verdict
  /** The first finding. */
  readonly first: ScanFinding | null
  /** All findings, in order. */
  readonly findings: readonly ScanFinding[]
}
