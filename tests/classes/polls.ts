/** Asking again and again for something that takes its time. */

import {
  claude,
  codex,
  type Healthy,
  hex,
  num,
  opencode,
  type Stuck,
  secs,
  spaced,
  stamp,
  times,
  use,
  useId,
} from './build.js'

const waiting = (session: number, output: string, index: number) =>
  useId(
    'write_stdin',
    { session_id: session, chars: '', yield_time_ms: 30000 },
    `Chunk ID: ${hex(`w${session}${index}`, 6)}\nWall time: 30.00${num(`w${index}`, 10, 99)} seconds\nProcess running with session ID ${session}\nOriginal token count: ${output.length >> 2}\nOutput:\n${output}`,
  )

export const healthy: Healthy[] = [
  {
    title: 'A worker asks a queue for work; it is often empty, and then it is not',
    events: times(8, (i) => [
      ...times(num(i, 2, 5), () => use('pull_work', { lane: 'render' }, 'Lane render is empty.')),
      ...use('pull_work', { lane: 'render' }, `Scene ${hex(i, 6)}: 240 frames`),
      ...use('render_scene', { scene: hex(i, 6) }, `Rendered 240 frames in ${num(i, 40, 90)} s`),
    ]),
  },
  {
    title: 'Looks for the confirmation mail after each of six orders',
    events: times(6, (i) => [
      ...use('place_order', { sku: `A-${1000 + i}` }, `Order ${hex(i, 8)} placed`),
      ...times(num(i, 5, 12), () => use('check_mailbox', { user: 'qa' }, '0 new messages')),
      ...use('check_mailbox', { user: 'qa' }, `1 new message: your order ${hex(i, 8)}`),
    ]),
  },
  {
    title: 'Waits for a release with a command that exits with 8 while checks are pending',
    events: times(30, (i) =>
      claude(
        'sleep 60; gh pr checks 412',
        `unit\t${i > 12 ? `pass\t${num(i, 2, 9)}m` : 'pending\t0'}\ne2e\tpending\t0`,
        8,
      ),
    ),
  },
  {
    title: 'The database is locked by a backup: tries the migration again with growing pauses',
    events: times(12, (i) => [
      ...claude('./manage migrate', 'Error: database is locked by pg_dump (pid 311)', 1),
      ...claude(`sleep ${15 * (i + 1)}`, ''),
    ]),
  },
  {
    title: 'Waits for a rollout with sleep and kubectl; the answer stays the same for minutes',
    events: [
      ...claude('kubectl apply -f deploy/api.yaml', 'deployment.apps/api configured'),
      ...times(9, () =>
        claude(
          'sleep 45 && kubectl get deploy api -o wide --no-headers',
          'api   1/3   3     1     12d   api   registry.test/api:4.2.0   app=api',
        ),
      ),
      ...claude(
        'sleep 45 && kubectl get deploy api -o wide --no-headers',
        'api   3/3   3     3     12d   api   registry.test/api:4.2.0   app=api',
      ),
      ...claude('kubectl logs deploy/api --tail=5', 'listening on :8080'),
    ],
  },
  {
    title: 'Follows a training run with tail; each look shows later steps',
    events: times(24, (i) =>
      codex(
        'sleep 120; tail -n 2 runs/seg/train.log',
        `step ${i * 50 + 50}/6000 loss ${(2.9 / (i + 1) + 0.31).toFixed(4)} lr 3.0e-4 ${secs(i, 1, 2)} s/it\nstep ${i * 50 + 75}/6000 loss ${(2.8 / (i + 1) + 0.3).toFixed(4)} lr 3.0e-4 ${secs(`b${i}`, 1, 2)} s/it`,
      ),
    ),
  },
  {
    title: 'Codex: waits on a long build; most polls return no new output',
    events: [
      ...useId(
        'exec_command',
        { cmd: './gradlew assembleRelease', yield_time_ms: 1000 },
        'Chunk ID: 0d41b2\nWall time: 1.0012 seconds\nProcess running with session ID 51877\nOriginal token count: 9\nOutput:\nStarting a Gradle Daemon\n',
      ),
      ...times(12, (i) =>
        waiting(51877, i % 3 === 0 ? `> Task :feature${i}:compileReleaseKotlin\n` : '', i),
      ),
      ...useId(
        'write_stdin',
        { session_id: 51877, chars: '', yield_time_ms: 30000 },
        'Chunk ID: 77ae10\nWall time: 12.4410 seconds\nProcess exited with code 0\nOriginal token count: 8\nOutput:\nBUILD SUCCESSFUL in 7m 12s\n',
        true,
      ),
    ],
  },
  {
    title: 'Asks for an export every five minutes, as the times of the events show',
    events: spaced(
      [
        ...times(9, () =>
          use(
            'http_request',
            { method: 'GET', url: 'https://api.books.test/v2/exports/771' },
            { status: 'processing', url: null },
            true,
          ),
        ),
        ...use(
          'http_request',
          { method: 'GET', url: 'https://api.books.test/v2/exports/771' },
          { status: 'ready', url: 'https://files.books.test/771.zip' },
          true,
        ),
      ],
      300,
    ),
  },
  {
    title: 'Lead agent looks at the task board between two waits while helpers work',
    events: times(14, (i) => [
      ...useId('wait', { seconds: 60 }, 'Waited 60 seconds.', true),
      ...useId(
        'task_board',
        {},
        `#1 [${i > 4 ? 'completed' : 'in_progress'}] Port the parser\n#2 [${i > 9 ? 'completed' : 'in_progress'}] Port the printer\n#3 [in_progress] Port the tests`,
        true,
      ),
    ]),
  },
  {
    title: 'Asks a shell command every five minutes without sleep; the times tell that it waits',
    events: spaced(
      [
        ...times(8, () =>
          opencode(
            'curl -s https://dns.test/v1/zones/acme/status',
            '{"status":"pending_validation"}',
          ),
        ),
        ...opencode('curl -s https://dns.test/v1/zones/acme/status', '{"status":"active"}'),
      ],
      300,
    ),
  },
  {
    title: 'A board that goes round four states while the lead waits',
    events: times(16, (i) => [
      ...use('sleep', { seconds: 30 }, 'ok', true),
      ...use(
        'task_list',
        {},
        `builder: ${['idle', 'cloning', 'building', 'testing'][i % 4]}\nqueue: ${16 - i}`,
        true,
      ),
    ]),
  },
]

export const stuck: Stuck[] = [
  {
    title: 'Reads the shared inbox, which never had anything in it, and does nothing else',
    events: times(60, () => use('read_inbox', { folder: 'support' }, 'This folder is empty.')),
    alarmBy: 12,
  },
  {
    title: 'Sleeps and asks for a batch job that the scheduler does not know',
    events: times(40, () =>
      claude(
        'sleep 30; squeue -j 88123 --noheader',
        'slurm_load_jobs error: Invalid job id specified',
        1,
      ),
    ),
    alarmBy: 17,
    atMost: 'nudge',
  },
  {
    title: 'Reads the output of a background shell that was killed long ago',
    events: times(40, (i) =>
      useId(
        'BashOutput',
        { bash_id: 'b7f21c' },
        `<status>killed</status>\n\n<exit_code>137</exit_code>\n\n<timestamp>${stamp(i, 20)}</timestamp>`,
        true,
      ),
    ),
    alarmBy: 20,
    atMost: 'nudge',
  },
  {
    title: 'Sleeps and reads the log of a container that has exited',
    events: times(40, () => [
      ...codex('sleep 20', ''),
      ...codex(
        'docker logs --tail 4 worker-1',
        'Traceback (most recent call last):\n  File "/srv/worker.py", line 8, in <module>\n    import boto3\nModuleNotFoundError: No module named \'boto3\'\n',
      ),
    ]),
    alarmBy: 36,
    atMost: 'nudge',
  },
  {
    title: 'Asks without any pause for a job id that does not exist',
    events: times(30, (i) =>
      use(
        'get_job_status',
        { job_id: 'exp-20261012-3' },
        `{"error":{"code":"job_not_found","message":"No job with id exp-20261012-3","trace_id":"${hex(`tr${i}`, 16)}"}}`,
      ),
    ),
    alarmBy: 10,
  },
]
