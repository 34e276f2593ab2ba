/** Failures that neither a flag nor an exit code tells; against reading about errors. */

import {
  chars,
  each,
  type Healthy,
  hex,
  num,
  opencode,
  read,
  type Stuck,
  secs,
  shell,
  stamp,
  times,
  token,
  use,
  uuid,
  work,
} from './build.js'

/** One failing command, told by its text alone. */
const failing = (command: string, output: (i: number) => string) =>
  times(15, (i) => shell(command, output(i)))

export const healthy: Healthy[] = [
  {
    title: 'Asks a gateway for thirty pages; each head differs, and so does each page',
    events: times(30, (i) =>
      use(
        'shell',
        { command: `curl -i https://api.internal/v2/items?page=${i}` },
        `HTTP/1.1 200 OK\r\nDate: ${stamp(i)}\r\n\r\n[{"id":${num(i, 1000, 9999)}}]`,
      ),
    ),
  },
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
    title: 'curl -i: the same refusal, with another ray, cookie and date in its head',
    events: times(20, (i) =>
      use(
        'shell',
        { command: 'curl -i https://api.internal/v2/reports' },
        `HTTP/1.1 401 Unauthorized\r\nDate: ${stamp(i)}\r\nX-Ray: ${token(i)}\r\nSet-Cookie: sid=${hex(i, 24)}\r\n\r\n{"detail":"token has no scope reports"}`,
      ),
    ),
    alarmBy: 4,
  },
  {
    title: 'A tool that prints whole responses: the same settings under ever other tags',
    events: times(20, (i) =>
      use(
        'get_settings',
        { app: 'portal' },
        `HTTP/2 200\netag: W/"${token(i)}"\nx-request-id: ${uuid(i)}\n\n{"theme":"dark","locale":"de"}`,
      ),
    ),
    alarmBy: 4,
  },
  {
    title: 'A patch tool that prints its exit code before the reason',
    events: times(16, (i) =>
      use(
        'apply_patch',
        {
          input: `*** Update File: src/db.rs\n@@\n-${' '.repeat(2 + (i % 5))}pool.get()\n+pool.take()`,
        },
        `Exit code: 1\nWall time: 0.${i % 9} seconds\nOutput:\napply_patch verification failed: Failed to find expected lines in src/db.rs`,
      ),
    ),
    alarmBy: 7,
    atMost: 'block',
  },
  {
    title: 'Tests behind a folder that does not exist, spelled in several ways',
    events: times(20, (i) => {
      const folder = ['server', './server', 'server/', '../server'][i % 4]
      return use(
        'bash',
        { command: `cd ${folder} && pytest -q` },
        `/bin/bash: line ${num(i, 100, 900)}: cd: ${folder}: No such file or directory`,
      )
    }),
    alarmBy: 12,
  },
  {
    title: 'Another word of encouragement before the same failing script',
    events: times(16, (i) =>
      use(
        'bash',
        { command: `echo "round ${chars(i, 6, 'abcdefghij')}" && ./ship.sh prod` },
        `round ${chars(i, 6, 'abcdefghij')}\n==> packing\n==> uploading build-${hex(i, 7)}.tgz\nError: no key for prod (set SHIP_KEY)\nship.sh: failed at upload`,
      ),
    ),
    alarmBy: 10,
    atMost: 'block',
  },
  {
    title: 'A host that notes the exit code in brackets',
    events: times(8, (i) =>
      use('exec', { cmd: 'terraform plan' }, `Acquiring lock ${i}\nno credentials found\n[exit 1]`),
    ),
    alarmBy: 6,
  },
  {
    title: 'A script that PowerShell will not load, by one way and another',
    events: each(
      [
        '.\\deploy.ps1',
        '& .\\deploy.ps1',
        'pwsh .\\deploy.ps1',
        '. .\\deploy.ps1 -Force',
        'pwsh -File .\\deploy.ps1',
        '.\\deploy.ps1 -Verbose',
        'pwsh -c .\\deploy.ps1',
        '.\\deploy.ps1 -Force',
      ],
      (command) =>
        use(
          'powershell',
          { command },
          '.\\deploy.ps1 : File C:\\app\\deploy.ps1 cannot be loaded. It is not digitally signed.\r\n    + CategoryInfo          : SecurityError: (:) [], PSSecurityException\r\n    + FullyQualifiedErrorId : UnauthorizedAccess',
        ),
    ),
    alarmBy: 8,
  },
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
