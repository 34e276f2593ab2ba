/**
 * loophound: detects when an agent is stuck in a loop, and says what to do about it.
 *
 * @module
 */

export { LoopDetector } from './detector.js'
export { init } from './engine/engine.js'
export { computeToolFingerprint } from './fingerprint.js'
export { LoopGuard } from './guard/guard.js'
export { GuardPool, type PoolOptions } from './guard/pool.js'
export type {
  Decision,
  GuardOptions,
  GuardSnapshot,
  StepContent,
  VerdictContext,
} from './guard/types.js'
export { presets } from './presets.js'
export { SwarmDetector } from './swarm/swarm-detector.js'
export { readTranscript, type Transcript } from './transcripts/read.js'
export { type ReplayStep, replay } from './transcripts/replay.js'
export { scan } from './transcripts/scan.js'
export type {
  Action,
  AgentEvent,
  DetectorOptions,
  EvidenceClass,
  FingerprintInfo,
  Level,
  LoopDetectionState,
  LoopDetectorOptions,
  LoopKind,
  PatienceOptions,
  PresetName,
  Rung,
  ScanFinding,
  ScanOptions,
  ScanReport,
  Snapshot,
  SwarmOptions,
  SwarmStats,
  TableOptions,
  TextChannel,
  TextLoopDetails,
  ToolCall,
  ToolClass,
  ToolOptions,
  ToolResult,
  TranscriptFormat,
  Verdict,
} from './types.js'
