/**
 * The entry `loophound/transcripts`: reading transcripts of any known format, whole or in chunks,
 * judging them, and unpacking the files they come in.
 *
 * @module
 */

export type {
  AgentEvent,
  AgentInfo,
  AgentReport,
  AgentTranscript,
  CallReport,
  ModelPrice,
  PriceTable,
  ScanFinding,
  ScanOptions,
  ScanReport,
  SkippedRecords,
  Spent,
  Tokens,
  TokenUsage,
  ToolReport,
  Transcript,
  TranscriptFormat,
} from 'loophound'
export { scan } from 'loophound'
export { type Line, MAX_LINE, splitLines } from './lines.js'
export {
  PRICES,
  Replayer,
  type ReplayStep,
  readTranscript,
  replay,
  streamTranscript,
  type TranscriptStream,
} from './shared.js'
export { scanStream } from './stream.js'
export { type Decompress, type UnpackOptions, unpackTranscript } from './unpack.js'
