/**
 * loophound: notices when an agent goes round in circles, and says what to do about it.
 *
 * @module
 */

export { init } from './core/core.js'
export { LoopDetector } from './detector.js'
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
export { type ReplayStep, replay } from './replay.js'
export { scan } from './scan.js'
export { SwarmDetector } from './swarm.js'
export { readTranscript, type Transcript } from './transcript/read.js'
export type {
  Action,
  AgentEvent,
  DetectorOptions,
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
