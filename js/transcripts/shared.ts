/**
 * Everything about transcripts that the main entry and `loophound/transcripts` share. It is built
 * into a separate file, `readers.js`, which imports neither: an app that reads no transcripts need
 * not include it.
 *
 * @module
 */

export { PRICES } from './prices.js'
export { readTranscript, streamTranscript, type TranscriptStream } from './read.js'
export { Replayer, type ReplayStep, replay } from './replay.js'
export { scanStreamWith, scanWith } from './scan.js'
