/** Edits of one file that fail. */

import {
  badEdit,
  claude,
  each,
  edit,
  type Healthy,
  read,
  type Stuck,
  use,
  useId,
  work,
} from './build.js'

const FILE = '/game/src/Player.ts'
const GUESSES = [
  'jump() {',
  'jump(): void {',
  'public jump() {',
  'jump = () => {',
  'async jump() {',
  'private jump() {',
  'jump(height) {',
  'jump(height: number) {',
  'Jump() {',
  'static jump() {',
]

export const healthy: Healthy[] = [
  {
    title: 'Two edits fail, the file is read again, and the next ones work',
    events: [
      ...badEdit(FILE, 'speed = 4', 'speed = 5'),
      ...badEdit(FILE, 'speed = 4;', 'speed = 5;'),
      ...read(FILE, '12\t  private speed: number = 4'),
      ...edit(FILE, 'private speed: number = 4', 'private speed: number = 5'),
      ...badEdit(FILE, 'gravity = 9', 'gravity = 10'),
      ...read(FILE, '13\t  private gravity = 9.81'),
      ...edit(FILE, 'private gravity = 9.81', 'private gravity = 10'),
      ...claude('npm test', 'Tests: 31 passed, 31 total'),
    ],
  },
  {
    title: 'One edit fails in each of seven files, and works at the second try',
    events: each(['Enemy', 'Door', 'Key', 'Chest', 'Boss', 'Npc', 'Map'], (name) => [
      ...badEdit(`/game/src/${name}.ts`, 'import three', 'import * as three'),
      ...edit(
        `/game/src/${name}.ts`,
        "import three from 'three'",
        "import * as three from 'three'",
      ),
    ]),
  },
  {
    title: 'apply_patch fails three times with other hunks, with reads in between, then applies',
    events: [
      ...[1, 2, 3].flatMap((n) => [
        ...useId(
          'apply_patch',
          {
            input: `*** Begin Patch\n*** Update File: a.lua\n-local x${n}\n+local y${n}\n*** End Patch`,
          },
          `apply_patch verification failed: Failed to find expected lines in a.lua:\nlocal x${n}`,
        ),
        ...useId(
          'shell',
          { command: ['sed', '-n', `${n * 10},${n * 10 + 9}p`, 'a.lua'] },
          `local x_${n} = ${n}`,
          true,
        ),
      ]),
      ...useId(
        'apply_patch',
        {
          input:
            '*** Begin Patch\n*** Update File: a.lua\n-local x_3 = 3\n+local y_3 = 3\n*** End Patch',
        },
        'Success. Updated the following files:\nM a.lua\n',
        true,
      ),
    ],
  },
  {
    title: 'Edits of one large file: most work, every fourth has to be made again',
    events: Array.from({ length: 16 }, (_, i) => i).flatMap((i) => [
      ...(i % 4 === 3
        ? [
            ...badEdit(FILE, `case ${i}:`, `case K${i}:`),
            ...read(FILE, `${i * 9}\t    case  ${i}:`, { offset: i * 9, limit: 4 }),
          ]
        : []),
      ...edit(FILE, `case  ${i}:`, `case K${i}:`),
    ]),
  },
]

export const stuck: Stuck[] = [
  {
    title: 'Guesses the old string in ten ways without reading the file',
    events: each(GUESSES, (guess) => badEdit(FILE, guess, `${guess} // high`)),
    alarmBy: 6,
    atMost: 'block',
  },
  {
    title: 'str_replace_editor: no match was found, for ever other strings',
    events: each([...GUESSES, 'run() {', 'walk() {'], (guess) =>
      use(
        'str_replace_editor',
        { command: 'str_replace', path: '/workspace/Player.ts', old_str: guess, new_str: 'x' },
        `No replacement was performed, old_str \`${guess}\` did not appear verbatim in /workspace/Player.ts.`,
      ),
    ),
    alarmBy: 6,
    atMost: 'block',
  },
  {
    title: 'Cursor: the edit tool cannot apply any of the edits of one file',
    events: each(GUESSES, (guess, i) =>
      use(
        'search_replace',
        { file_path: 'Player.ts', old_string: guess, new_string: `${guess}${i}` },
        'The string to replace was not found in the file.',
        false,
      ),
    ),
    alarmBy: 6,
    atMost: 'block',
  },
  {
    title: 'Patches of one file fail, each with other context lines',
    events: each(GUESSES, (guess) =>
      useId(
        'apply_patch',
        {
          input: `*** Begin Patch\n*** Update File: src/Player.ts\n@@\n-  ${guess}\n+  ${guess} // high\n*** End Patch`,
        },
        `apply_patch verification failed: Failed to find expected lines in src/Player.ts:\n  ${guess}`,
      ),
    ),
    alarmBy: 7,
    atMost: 'block',
  },
  {
    title: 'Guesses the old string of one file after thirty calls of good work',
    events: [...work(30), ...each(GUESSES, (guess) => badEdit(FILE, guess, `${guess} // far`))],
    alarmBy: 36,
    atMost: 'block',
  },
]
