/**
 * All classes, by name.
 *
 * @module
 */

import * as acknowledgements from './acknowledgements.js'
import type { Healthy, Stuck } from './build.js'
import * as changingTokens from './changing-tokens.js'
import * as codeStreams from './code-streams.js'
import * as compaction from './compaction.js'
import * as databases from './databases.js'
import * as durations from './durations.js'
import * as emptyAnswers from './empty-answers.js'
import * as failingEdits from './failing-edits.js'
import * as hostResults from './host-results.js'
import * as jsonEnvelopes from './json-envelopes.js'
import * as longCycles from './long-cycles.js'
import * as noOpChanges from './no-op-changes.js'
import * as notes from './notes.js'
import * as oneError from './one-error.js'
import * as plans from './plans.js'
import * as polls from './polls.js'
import * as projects from './projects.js'
import * as reReads from './re-reads.js'
import * as retries from './retries.js'
import * as reverts from './reverts.js'
import * as sameAnswers from './same-answers.js'
import * as sameSuccess from './same-success.js'
import * as stepping from './stepping.js'
import * as subAgents from './sub-agents.js'
import * as sweeps from './sweeps.js'
import * as testFix from './test-fix.js'
import * as thoughts from './thoughts.js'
import * as throwawayWords from './throwaway-words.js'
import * as toolNames from './tool-names.js'
import * as unflaggedFailures from './unflagged-failures.js'
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
  'unflagged-failures': unflaggedFailures,
  'long-cycles': longCycles,
  're-reads': reReads,
  'throwaway-words': throwawayWords,
  'no-op-changes': noOpChanges,
  'failing-edits': failingEdits,
  'one-error': oneError,
  compaction,
  'sub-agents': subAgents,
  notes,
  'test-fix': testFix,
  'same-success': sameSuccess,
  thoughts,
  'tool-names': toolNames,
  'json-envelopes': jsonEnvelopes,
  databases,
  'code-streams': codeStreams,
  plans,
  'same-answers': sameAnswers,
}
