/** Failures that neither a flag nor an exit code tells; against reading about errors. */

import {
  each,
  type Healthy,
  num,
  opencode,
  read,
  type Stuck,
  secs,
  shell,
  stamp,
  times,
  use,
  work,
} from './build.js'

/** One failing command, told by its text alone. */
const failing = (command: string, output: (i: number) => string) =>
  times(15, (i) => shell(command, output(i)))

export const healthy: Healthy[] = [
  {
    title: 'Reads files that talk about errors',
    events: each(
      ['errors.go', 'panic.go', 'traceback.py', 'exit_codes.h', 'fatal.rs', 'FAQ.md', 'segfault.c'],
      (name, i) =>
        read(
          `/repo/src/${name}`,
          `1\t// ${name}: command not found, fatal:, npm ERR! and Traceback (most recent call last)\n2\tconst code${i} = ${num(i, 1, 200)}\n3\t// No such file or directory`,
        ),
    ),
  },
  {
    title: 'Reads pages of documentation about failures',
    events: times(12, (i) =>
      use(
        'fetch_docs',
        { page: `troubleshooting/${i + 1}` },
        `# Problem ${i + 1}\nIf you see "fatal: not a git repository" or "Segmentation fault (core dumped)", do step ${num(i, 1, 90)}.\nERROR ${num(`e${i}`, 1000, 9999)} means that the token has expired.`,
      ),
    ),
  },
  {
    title: 'Looks at the log of several failing jobs to group them by cause',
    events: times(10, (i) =>
      shell(
        `gh run view ${72010 + i} --log-failed | tail -3`,
        `job ${i}\n${stamp(i)} npm ERR! code ${['ENOENT', 'EACCES', 'ETIMEDOUT', 'ELIFECYCLE'][i % 4]}\n${stamp(i + 1)} ##[error]Process completed with exit code ${num(i, 1, 9)}.`,
      ),
    ),
  },
  {
    title: 'A failing command is tried once more, then the cause is removed',
    events: [
      ...shell('poetry run app', 'bash: poetry: command not found'),
      ...shell('python -m poetry run app', '/usr/bin/python: No module named poetry'),
      ...shell(
        'pipx install poetry',
        '  installed package poetry 2.1.1, installed using Python 3.12.3',
      ),
      ...shell('poetry run app', 'app 1.0 ready'),
    ],
  },
]

export const stuck: Stuck[] = [
  {
    title: '"command not found"',
    events: failing('jq .version package.json', () => 'bash: jq: command not found'),
    alarmBy: 5,
  },
  {
    title: 'A syntax error of the shell',
    events: failing(
      'for f in *.csv; do wc -l $f; fi',
      () => "bash: -c: line 1: syntax error near unexpected token `fi'",
    ),
    alarmBy: 5,
  },
  {
    title: 'A Python traceback with an address that changes',
    events: failing(
      'python train.py',
      (i) =>
        `Traceback (most recent call last):\n  File "train.py", line 22, in <module>\n    fit(model)\nTypeError: fit() missing 1 required positional argument: 'data' (<Model object at 0x7f${num(i, 100000, 999999)}a0>)`,
    ),
    alarmBy: 5,
  },
  {
    title: 'npm ERR! with a log file of its own',
    events: failing(
      'npm run build',
      (i) =>
        `npm ERR! Missing script: "build"\nnpm ERR! A complete log of this run can be found in:\nnpm ERR!     /home/dev/.npm/_logs/${stamp(i).replace(/[:.]/g, '_')}-debug-0.log`,
    ),
    alarmBy: 5,
  },
  {
    title: 'git says "fatal:"',
    events: failing(
      'git push origin HEAD',
      () =>
        "fatal: 'origin' does not appear to be a git repository\nfatal: Could not read from remote repository.",
    ),
    alarmBy: 5,
  },
  {
    title: 'A segmentation fault after a time that differs',
    events: failing(
      './sim --steps 100',
      (i) => `loaded mesh in ${secs(i)}s\nSegmentation fault (core dumped)`,
    ),
    alarmBy: 5,
  },
  {
    title: '"No such file or directory", though the host says that the tool worked',
    events: times(15, () =>
      opencode('cat deploy/values.yaml', 'cat: deploy/values.yaml: No such file or directory'),
    ),
    alarmBy: 8,
  },
  {
    title: 'A missing interpreter, after forty calls of good work',
    events: [...work(40), ...failing('ts-node migrate.ts', () => '/bin/sh: 1: ts-node: not found')],
    alarmBy: 45,
  },
]
