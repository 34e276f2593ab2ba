// What is measured: the presets, and the policies of other agents, written as our options.
// `about` is one sentence for the documentation. Policies that our options cannot express
// are in NOT_YET, without figures. `words` stand beside an id in the charts, if it does not say what
// the policy is.
//
// `baseline` is the row of the corpus' own table that a policy should reproduce; where it cannot,
// `differs` says why.

/** Options that enable only the given patterns. */
const only = (detectors, values = {}) => ({
  preset: 'window',
  ...values,
  detectors: { 'windowed-repeat': false, ...detectors },
})

const sameCall = (times) => only({ 'exact-repeat': { threshold: times } })

/** Each pass of a cycle must fit into the window. */
const cycles = (maxPeriod, passes) =>
  only({ cycle: { threshold: passes } }, { maxPeriod, window: maxPeriod * passes })

/** A threshold that is never reached. */
const NEVER = 1_000_000

/** Patience that treats all results alike. */
const NO_PATIENCE = {
  ...{ unsure: 2, execution: 2, timedExecution: 2, empty: 2, acknowledgement: 2 },
  ...{ poll: 2, wait: 2, infrastructure: 2 },
}

export const POLICIES = [
  {
    id: 'balanced',
    group: 'presets',
    options: { preset: 'balanced' },
    about: 'Our default: see the [presets](../README.md#presets).',
  },
  {
    id: 'nudge',
    group: 'presets',
    options: { preset: 'nudge' },
    about:
      'The same call ×3 or nearly the same ×4 in a row, 3 failing shell commands, 3 failing test runs, 2 turns of text.',
  },
  {
    id: 'guard',
    group: 'presets',
    options: { preset: 'guard' },
    about:
      'The same call ×5 in a row by the first 200 characters of its arguments, and 200 turns at most.',
  },
  {
    id: 'cycles',
    group: 'presets',
    options: { preset: 'cycles' },
    about: 'Cycles of 1 to 3 calls, ×2.',
    baseline: 'cycles of 1–3 calls ×2 (preset `cycles`)',
  },
  {
    id: 'window',
    group: 'presets',
    options: { preset: 'window' },
    about: "Any call 3 times among the last 20; this is also attocode's policy.",
    baseline: '3 among the last 20 (preset `window`)',
  },
  {
    id: 'same-3',
    words: 'same call ×3',
    group: 'peers',
    options: sameCall(3),
    about:
      'The same call ×3 in a row: opencode and Kilo, and the notice of Cline. opencode looks within one message only, so this is the most that its rule can find.',
    baseline: 'same call ×3 (opencode)',
  },
  {
    id: 'roo',
    group: 'peers',
    options: sameCall(4),
    about: 'Roo Code: three identical calls in a row are allowed, the fourth is refused.',
  },
  {
    id: 'same-5',
    words: 'same call ×5',
    group: 'peers',
    options: sameCall(5),
    about:
      'The same call ×5 in a row: the stop of Cline, and the part of qwen-code that is always on.',
    baseline: 'same call ×5',
  },
  {
    id: 'result-3',
    words: 'call + result ×3',
    group: 'peers',
    options: only({ 'exact-repeat': { threshold: 3, results: true } }),
    about:
      'The same call with the same result ×3 in a row: the plainest rule that looks at results.',
    baseline: 'same call + same result ×3',
  },
  {
    id: 'gemini-cli',
    group: 'peers',
    options: cycles(5, 5),
    about: 'gemini-cli: cycles of 1 to 5 calls, ×5. Its check of streamed text is not part of it.',
    baseline: 'cycles of 1–5 calls ×5 (gemini-cli)',
  },
  {
    id: 'forgecode',
    group: 'peers',
    // Exact for runs of up to 3,000 calls; the longest in the corpus has 220.
    options: cycles(1000, 3),
    about: 'forgecode: the run ends in any sequence of calls, of any length, ×3.',
  },
  {
    id: 'openhands',
    group: 'peers',
    options: only(
      {
        'exact-repeat': { threshold: 4, results: true },
        cycle: { threshold: 3, results: true },
        summary: { threshold: 3 },
      },
      { maxPeriod: 2, patience: { ...NO_PATIENCE, stale: NEVER } },
    ),
    about:
      'OpenHands without one rule: the same call with the same result ×4, two calls that alternate ×3 with equal results, and 3 turns of text in a row (the rule of its SDK). Ours speaks when the third pass begins, OpenHands at its end. Ours does not need strict alternation, only that a call comes back after one other and that nothing new came in between. To ours, the same call ×6 is not alternation.',
    baseline: "OpenHands' rules, thoughts ignored",
    differs:
      'The baseline has the rule on errors, which our options cannot say, and a strict alternation; it has no rule on text, which makes the five monologues hits and one multi-agent run a false alarm.',
  },
  {
    id: 'crush',
    group: 'peers',
    options: {
      ...{ preset: 'window', window: 10 },
      detectors: { 'windowed-repeat': { threshold: 6, results: true } },
    },
    about:
      'crush: more than 5 of the last 10 calls are the same, with the same result. crush looks from its tenth step on, ours from the sixth call, and crush takes the calls of one step together.',
    baseline: 'crush: more than 5 of the last 10, call + result',
  },
  {
    id: 'same-tool-5',
    words: 'same tool ×5',
    group: 'peers',
    options: only({ 'exact-repeat': { threshold: 5 } }, { identity: 'raw', rawLength: 0 }),
    about: 'The same tool ×5 in a row, whatever the arguments.',
    baseline: 'same tool name ×5',
    differs:
      'In one run the five calls are not in a row for us: a person speaks in between, and that restarts streaks.',
  },
]

export const NOT_YET = [
  {
    name: 'OpenHands, one rule',
    missing:
      'The same call ×3 with any error, the same or not: `same-error` counts one error over different calls, and `exact-repeat` counts successes too.',
  },
  {
    name: 'OpenRouter',
    missing:
      'A streak for each tool, counted once a turn, that calls of other tools do not end. Our streaks are over all tools, and `windowed-repeat` counts within a window, also if another call of the same tool came in between.',
  },
]
