/** Shells that answer in JSON, with the exit code and the time beside the output. */

import { code, each, type Healthy, hex, num, type Stuck, secs, times, use } from './build.js'

/** A shell whose answers are written as Codex writes them. */
const run = (seed: number | string, command: string, output: string, exitCode = 0) =>
  use(
    'shell',
    { command: ['bash', '-lc', command] },
    `{"output": ${JSON.stringify(output)}, "metadata": {"exit_code": ${exitCode}, "duration_seconds": ${secs(seed, 0, 8)}}}`,
  )

const failing = (file: string) =>
  `error[E0382]: borrow of moved value: \`queue\`\n  --> src/${file}.rs:31:9\nerror: could not compile \`mailer\` due to 1 previous error`

export const healthy: Healthy[] = [
  {
    title: 'Reads one file after the other',
    events: times(20, (i) => run(i, `sed -n 1,80p src/part_${i}.rs`, code(i, 12))),
  },
  {
    title: 'Fixes one error after the other',
    events: each(['inbox', 'outbox', 'retry', 'limits', 'spool', 'relay', 'auth'], (file, i) => [
      ...run(i, 'cargo check', failing(file), 101),
      ...run(`p${i}`, `perl -pi -e 's/queue/queue.clone()/' src/${file}.rs`, ''),
    ]),
  },
  {
    title: 'Samples a counter that grows',
    events: times(12, (i) => run(i, 'wc -l < events.log', `${num(i, 100, 200) + i * 211}`)),
  },
]

export const stuck: Stuck[] = [
  {
    title: 'One command fails the same way; only the time that it took differs',
    events: times(12, (i) => run(i, 'cargo check', failing('inbox'), 101)),
    alarmBy: 4,
  },
  {
    title: 'A change that is made and taken back, with the same check after each',
    events: times(12, (i) => [
      ...run(`a${i}`, "python fix.py --replace 'queue' 'queue.clone()'", ''),
      ...run(`b${i}`, 'cargo check', failing('inbox'), 101),
      ...run(`c${i}`, "python fix.py --replace 'queue.clone()' 'queue'", ''),
      ...run(`d${i}`, 'cargo check', failing('outbox'), 101),
    ]),
    alarmBy: 24,
  },
  {
    title: 'A command that prints nothing, over and over',
    events: times(30, (i) => run(i, './notify --all', '')),
    alarmBy: 16,
    atMost: 'nudge',
  },
  {
    title: 'The same listing, with the exit code in another field',
    events: times(10, (i) =>
      use(
        'exec_command',
        { cmd: 'ls -1 dist' },
        {
          stdout: 'app.js\napp.css',
          exitCode: 0,
          durationMs: num(i, 20, 900),
          pid: num(i, 999, 9999),
        },
      ),
    ),
    alarmBy: 4,
  },
  {
    title: 'Tests that do not even compile, after each of many no-op changes',
    events: times(10, (i) => [
      ...run(`t${i}`, `touch src/lib_${hex(i, 3)}.rs`, ''),
      ...run(i, 'mvn verify', '[ERROR] Plugin org.acme:licence:1.4 could not be resolved', 1),
    ]),
    alarmBy: 14,
    atMost: 'nudge',
  },
]
