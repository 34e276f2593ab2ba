// What is measured: the presets, and the policies of other agents in our options. `about` is one
// sentence for the documentation. What our options cannot say yet is in NOT_YET, without a figure.

/** Options under which nothing but the given patterns is looked for. */
const only = (detectors, values = {}) => ({
  preset: 'window',
  ...values,
  detectors: { 'windowed-repeat': false, ...detectors },
})

const sameCall = (times) => only({ 'exact-repeat': { threshold: times } })

/** Each pass of a cycle has to fit the window. */
const cycles = (maxPeriod, passes) =>
  only({ cycle: { threshold: passes } }, { maxPeriod, window: maxPeriod * passes })

export const POLICIES = [
  {
    id: 'balanced',
    group: 'presets',
    options: { preset: 'balanced' },
    about:
      'Our default: what it looks for is told in the [README](../README.md#presets). It is not tuned yet.',
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
  },
  {
    id: 'window',
    group: 'presets',
    options: { preset: 'window' },
    about: "Any call 3 times among the last 20; this is also attocode's policy.",
  },
  {
    id: 'same-3',
    group: 'peers',
    options: sameCall(3),
    about:
      'The same call ×3 in a row: opencode and Kilo, and the notice of Cline. opencode looks within one message only, so this is the most that its rule can find.',
  },
  {
    id: 'roo',
    group: 'peers',
    options: sameCall(4),
    about: 'Roo Code: three identical calls in a row are allowed, the fourth is refused.',
  },
  {
    id: 'same-5',
    group: 'peers',
    options: sameCall(5),
    about:
      'The same call ×5 in a row: the stop of Cline, and the part of qwen-code that is always on.',
  },
  {
    id: 'result-3',
    group: 'peers',
    options: only({ 'no-progress': { threshold: 3 } }),
    about:
      'The same call with the same result ×3 in a row: the plainest rule that looks at results.',
  },
  {
    id: 'gemini-cli',
    group: 'peers',
    options: cycles(5, 5),
    about: 'gemini-cli: cycles of 1 to 5 calls, ×5. Its check of streamed text is not part of it.',
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
    options: only({ 'no-progress': { threshold: 4 }, summary: { threshold: 3 } }),
    about:
      'OpenHands, in part: the same call with the same result ×4, and 3 turns of text in a row (the rule of its SDK). Its two other rules are below.',
  },
]

export const NOT_YET = [
  {
    name: 'OpenHands, the rest',
    missing:
      'The same call ×3 with any error, and two calls that alternate ×3 with equal results: no pattern of ours looks at failures of one call or at results within a cycle.',
  },
  {
    name: 'crush',
    missing:
      'More than 5 of the last 10 by call and result, from the tenth step on: `windowed-repeat` does not look at results.',
  },
  {
    name: 'OpenRouter',
    missing:
      'A streak for each tool, which calls of other tools do not end, counted once a turn: our streaks are over all tools.',
  },
  {
    name: 'the same tool ×5',
    missing:
      'The same name, whatever the arguments: `tools` can say so of a tool by its name, but not of all tools.',
  },
]
