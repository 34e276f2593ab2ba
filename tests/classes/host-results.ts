/** Results that the host made, not the tool: cancelled, rejected, denied. */

import {
  badEdit,
  batch,
  claude,
  each,
  edit,
  type Healthy,
  read,
  type Stuck,
  times,
  use,
  useId,
  user,
} from './build.js'

const cancelled = (path: string, old_string: string) =>
  useId(
    'Edit',
    { file_path: path, old_string, new_string: `${old_string} // checked` },
    '<tool_use_error>Sibling tool call errored</tool_use_error>',
    false,
  )

const rejected = (said: string) =>
  `The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). To tell you how to proceed, the user said:\n${said}`

export const healthy: Healthy[] = [
  {
    title: 'One of seven parallel edits fails and the harness cancels the rest; then all are made',
    events: [
      ...batch(
        badEdit('/app/src/routes/user.ts', 'router.get("/me")', 'router.get("/self")'),
        ...[1, 2, 3, 4, 5, 6].map((n) => cancelled('/app/src/routes/user.ts', `handler${n}(req)`)),
      ),
      ...read('/app/src/routes/user.ts', "1\trouter.get('/me', me)\n2\thandler1(req)"),
      ...times(6, (n) =>
        edit('/app/src/routes/user.ts', `handler${n + 1}(req)`, `handler${n + 1}(req) // checked`),
      ),
    ],
  },
  {
    title: 'A person rejects a plan four times and says each time what to change',
    events: each(
      [
        'no new dependency please',
        'split it into two steps',
        'leave the API alone',
        'what about Windows?',
      ],
      (said, i) => [
        ...useId(
          'ExitPlanMode',
          { plan: `Plan ${'with less '.repeat(i)}scope` },
          rejected(said),
          false,
        ),
        ...user(said),
      ],
    ),
  },
  {
    title: 'Commands that the sandbox denies, each another one, before it asks the user',
    events: [
      ...each(
        [
          'rm -rf node_modules',
          'sudo apt-get install jq',
          'chmod 777 /etc/hosts',
          'git push --force',
          'docker system prune -f',
        ],
        (command) =>
          useId(
            'Bash',
            { command },
            'Permission to use Bash with this command has been denied.',
            false,
          ),
      ),
      ...useId('AskUserQuestion', { question: 'May I push?' }, 'User has answered: yes', true),
      ...claude('git push', 'To github.test:acme/app.git\n   1a2b3c4..5d6e7f8  main -> main'),
    ],
  },
  {
    title: 'A batch of reads is aborted by the user, who then asks to go on',
    events: [
      ...batch(
        ...[0, 1, 2, 3, 4].map((i) =>
          useId(
            'Read',
            { file_path: `/app/mod${i}.py` },
            '[Request interrupted by user for tool use]',
            false,
          ),
        ),
      ),
      ...user('sorry, go on'),
      ...times(5, (i) => read(`/app/mod${i}.py`, `1\tvalue = ${i * 7}`)),
    ],
  },
]

export const stuck: Stuck[] = [
  {
    title: 'The same edit fails again and again because the text is not there',
    events: times(20, () => badEdit('/app/src/auth.ts', 'const ttl = 3600', 'const ttl = 7200')),
    alarmBy: 4,
  },
  {
    title: 'The same failing edit first in a batch; its siblings are cancelled every time',
    events: times(12, (i) =>
      batch(
        badEdit('/app/src/auth.ts', 'const ttl = 3600', 'const ttl = 7200'),
        cancelled('/app/src/session.ts', `touch(${i})`),
        cancelled('/app/src/cookie.ts', `sign(${i})`),
      ),
    ),
    alarmBy: 18,
  },
  {
    title: 'Writes a file without reading it first, although the tool says so every time',
    events: times(15, () =>
      useId(
        'Write',
        { file_path: '/app/README.md', content: '# App\n' },
        '<tool_use_error>File has not been read yet. Read it first before writing to it.</tool_use_error>',
        false,
      ),
    ),
    alarmBy: 4,
  },
  {
    title: 'Calls a tool with an argument that its schema refuses, the same each time',
    events: times(15, () =>
      use(
        'create_ticket',
        { title: 'Printer is offline', priority: 'urgent' },
        'Error: Input validation failed: priority must be one of ["P1","P2","P3"]',
      ),
    ),
    alarmBy: 5,
  },
]
