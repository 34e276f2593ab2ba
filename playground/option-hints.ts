/**
 * What each option means, in a sentence, for the controls.
 *
 * @module
 */

/** By path; `*` stands for any name. */
const HINTS: Readonly<Record<string, string>> = {
  threshold: 'How many repeats make a loop, for the main pattern of the preset.',
  fuzzyThreshold: 'The same for calls that are nearly identical, if fuzzy-repeat is on.',
  window: 'How many recent calls are looked at.',
  maxPeriod: 'The longest cycle that is looked for, in calls.',
  iterationCap: 'How many turns a run may have.',
  identity: 'Whether arguments are compared by meaning (canonical) or as written (raw).',
  rawLength: 'How many characters of the arguments are compared if identity is raw.',
  batch: 'Whether the calls of one turn are judged one by one, or once at the end.',
  textTurns:
    'Which turns of text without a call count: any in a row, or only those that are alike.',
  evidence: "Whether messages quote the line of a tool's output that says what went wrong.",
  patience: 'How many repeats make a loop, by what is repeated.',
  'patience.unsure': 'The same call in a row, if no results are reported.',
  'patience.execution': 'Executions that work and print the same, byte for byte.',
  'patience.timedExecution': 'Executions that work and print the same except for times and ids.',
  'patience.empty': 'Executions that work and print nothing.',
  'patience.acknowledgement': 'Repeats that are only acknowledged, as with "ok".',
  'patience.poll': 'Repeats of a call that checks whether something has happened.',
  'patience.wait': 'The same, if the result says "pending" or "running".',
  'patience.infrastructure': 'Repeats of a call to a service that is busy or away.',
  'patience.failures': 'Failures of one call in a row, whatever they say.',
  'patience.afterChanges': 'The same failure of a check, with changes in between.',
  'patience.complaints': 'The same complaint of a check that worked, with changes in between.',
  'patience.sameEdit': 'The same edit, made successfully again and again.',
  'patience.failingEdits': 'Failing edits of one file with the same error.',
  'patience.mixedErrors': 'Failures of one tool in a row, with different errors.',
  'patience.sweep': 'The same answer to calls that are each about something else.',
  'patience.rewordings': 'Searches that find nothing, each in other words.',
  'patience.parallel': 'Equal calls in one turn that still count as one.',
  'patience.stale': 'Calls in a row that bring nothing new.',
  'patience.likeness': 'How alike two variants have to be, in percent.',
  'patience.lookLikeness': 'The same for calls that read or search.',
  atMost: 'The most severe action that each class of evidence allows.',
  'atMost.proven': 'Failures, reads and searches that repeat, edits that undo each other.',
  'atMost.duplicate': 'The same edit, and calls that are nearly the same and bring nothing new.',
  'atMost.calls-only': 'Equal calls, if no results are reported.',
  'atMost.identical-execution':
    'An execution that prints the same, many times with nothing between.',
  'atMost.execution': 'An execution that works and prints the same.',
  'atMost.check': 'A check that fails the same way after different edits.',
  'atMost.sweep': 'Different targets that give the same answer.',
  'atMost.waiting': 'Waiting and polling, and services that are busy.',
  'atMost.acknowledgement': 'Short successes that say no more than the call did.',
  detectors: 'The patterns: which are looked for, and what is done about each.',
  'detectors.exact-repeat': 'The same call in a row.',
  'detectors.fuzzy-repeat': 'The same call in a row, with other optional arguments.',
  'detectors.windowed-repeat': 'The same call anywhere in the window.',
  'detectors.cycle': 'A sequence of calls that repeats.',
  'detectors.no-progress': 'The same call with the same result, and nothing new in between.',
  'detectors.variant': 'Calls of one tool that are nearly the same, all with the same result.',
  'detectors.same-error': 'Failures of one tool with one error, whatever the arguments.',
  'detectors.oscillation': 'Edits of a file that undo an earlier one.',
  'detectors.failure-cascade': 'Failing shell commands since the last that worked.',
  'detectors.test-fix': 'Failing test runs since the last that passed.',
  'detectors.summary': 'Turns of text without a call, in a row.',
  'detectors.chant': 'Streamed text that repeats itself.',
  'detectors.*.threshold': 'How many repeats make a loop.',
  'detectors.*.climb': 'What is compared with the numbers of the rungs.',
  'detectors.*.rungs': 'What is done, and from when on.',
  'detectors.*.cooldown': 'A loop is counted once in that many turns.',
  'detectors.*.results': 'Whether two calls are the same only if their results are.',
  messages: 'What the model reads, by pattern and level.',
  advice: 'What the model is told to do instead, by problem.',
  tables: 'The words by which arguments and commands are recognised.',
  'tables.primaryKeys': 'The arguments that say what a call is about.',
  'tables.readCommands': 'Shell commands that print one file.',
  'tables.fileCommands': 'Shell commands that do what a file tool should do.',
  'tables.testCommands': 'Shell commands that run tests.',
}

/** Says what the option at a path means; `null` where its name is enough. */
export function hintFor(path: readonly string[]): string | null {
  const [group = '', , ...rest] = path
  return HINTS[path.join('.')] ?? HINTS[[group, '*', ...rest].join('.')] ?? null
}
