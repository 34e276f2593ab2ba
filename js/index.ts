/**
 * loophound: detects when an agent is stuck in a loop, and says what to do about it.
 *
 * @module
 */

export { type Extension, LoopDetector } from './detector.js'
export { init } from './engine/engine.js'
export { computeToolFingerprint } from './fingerprint.js'
export { LoopGuard } from './guard/guard.js'
export { GuardPool, type PoolOptions } from './guard/pool.js'
export type {
  Decision,
  GuardOptions,
  GuardOutcome,
  GuardSnapshot,
  GuardWarning,
  StepContent,
  VerdictContext,
} from './guard/types.js'
export { presets } from './presets.js'
export { scan } from './scan.js'
export { SwarmDetector } from './swarm/swarm-detector.js'
export type {
  AgentReport,
  CallReport,
  ModelPrice,
  PriceTable,
  ScanFinding,
  ScanOptions,
  ScanReport,
  Spent,
  Tokens,
  ToolReport,
} from './transcripts/report.js'
export { type ReplayStep, readTranscript, replay } from './transcripts/shared.js'
export type {
  Action,
  AdviceTopic,
  AgentEvent,
  AgentInfo,
  AgentTranscript,
  DetectorOptions,
  EvidenceClass,
  Explanation,
  FingerprintInfo,
  Level,
  LoopDetectionState,
  LoopDetectorOptions,
  LoopKind,
  PatienceOptions,
  PatternCount,
  PresetName,
  Rung,
  SkippedRecords,
  Snapshot,
  SwarmOptions,
  SwarmStats,
  TableOptions,
  TextChannel,
  TextLoopDetails,
  TokenUsage,
  ToolCall,
  ToolClass,
  ToolOptions,
  ToolResult,
  Transcript,
  TranscriptFormat,
  Verdict,
  VerdictFacts,
} from './types.js'
