/**
 * All classes, by name.
 *
 * @module
 */

import * as acknowledgements from './acknowledgements.js'
import type { Healthy, Stuck } from './build.js'
import * as changingTokens from './changing-tokens.js'
import * as durations from './durations.js'
import * as emptyAnswers from './empty-answers.js'
import * as hostResults from './host-results.js'
import * as polls from './polls.js'
import * as projects from './projects.js'
import * as retries from './retries.js'
import * as reverts from './reverts.js'
import * as stepping from './stepping.js'
import * as sweeps from './sweeps.js'
import * as waitingWords from './waiting-words.js'

export const classes: Record<string, { healthy: readonly Healthy[]; stuck: readonly Stuck[] }> = {
  acknowledgements,
  polls,
  retries,
  durations,
  sweeps,
  stepping,
  projects,
  'host-results': hostResults,
  reverts,
  'empty-answers': emptyAnswers,
  'waiting-words': waitingWords,
  'changing-tokens': changingTokens,
}
