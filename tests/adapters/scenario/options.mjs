// The guard that all checks use. Thresholds and texts are spelled out, so that
// no tuning of a preset changes what is expected here.

const RUNGS = [
  { at: 3, action: 'nudge', level: 'notice' },
  { at: 4, action: 'block', level: 'warning' },
  { at: 5, action: 'stop', level: 'critical' },
]
const OFF = ['fuzzy-repeat', 'test-fix', 'failure-cascade', 'summary']

/** Speaks at the 3rd identical call, refuses the 4th, ends the run at the 5th. */
export const LADDER = {
  preset: 'nudge',
  detectors: {
    'exact-repeat': { threshold: 3, climb: 'count', rungs: RUNGS },
    ...Object.fromEntries(OFF.map((kind) => [kind, false])),
  },
  messages: {
    'exact-repeat': { notice: 'NUDGE {count}', warning: 'BLOCK {count}', critical: 'STOP {count}' },
  },
}

export const NUDGE = 'NUDGE 3'
export const BLOCK = 'BLOCK 4'

/** What people are told when the run is stopped; `read` is the tool's name. */
export const SUMMARY =
  /^\S*read was called 5 times in a row with identical arguments\. The run was stopped\.$/

/** What every summary of a stopped run ends with. */
export const STOPPED = / The run was stopped\.$/
