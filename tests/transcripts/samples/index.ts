/**
 * One small transcript in each format, made by hand, with what is in it.
 *
 * @module
 */

import type { TranscriptFormat } from 'loophound'
import { MESSAGES } from './messages.js'
import { RESEARCH } from './research.js'
import { SESSIONS } from './sessions.js'
import type { Sample } from './story.js'
import { TRACES } from './traces.js'

/** The compiler says which format has none. */
const BY_FORMAT: Record<TranscriptFormat, Sample> = {
  ...MESSAGES,
  ...TRACES,
  ...SESSIONS,
  ...RESEARCH,
}

/** The samples with their formats. */
export const SAMPLES = Object.entries(BY_FORMAT) as [TranscriptFormat, Sample][]
