/**
 * What users of other loop detectors were interrupted in: work, from beginning to end. Each test is
 * named after what happened and where it was reported; all run on the default preset.
 */

import { describe, it } from 'vitest'
import { edit, expectSilence, type Step, sh, step, steps } from '../support/agent.js'
import { detector } from '../support/made.js'

const seconds = (i: number) => (1.2 + ((i * 37) % 50) / 100).toFixed(2)
const clock = (i: number) =>
  `${String(9 + Math.floor(i / 60)).padStart(2, '0')}:${String(i % 60).padStart(2, '0')}:07`

describe('repetitive work', () => {
  it('the same edit in 15 files, each answered "ok" (gemini-cli #8234)', () => {
    expectSilence(
      steps(15, (i) =>
        edit(`src/pages/page${i}.tsx`, "from '../old-theme'", "from '../theme'", 'ok'),
      ),
    )
  })

  it('a header put on 30 files: read, write, read, write (gemini-cli #7950)', () => {
    expectSilence(
      steps(30, (i) => [
        step('read_file', { path: `lib/mod${i}.py` }, `def mod${i}():\n    return ${i}\n`),
        step(
          'write_file',
          { path: `lib/mod${i}.py`, content: `# MIT\ndef mod${i}():\n    return ${i}\n` },
          'ok',
        ),
      ]),
    )
  })

  it('a function called 40 times with another input each time (gemini-cli #5873)', () => {
    expectSilence(
      steps(40, (i) =>
        step(
          'mcp__maps__geocode',
          { address: `${i + 1} Main Street` },
          { lat: 48 + i / 100, lng: 2.3 },
        ),
      ),
    )
  })

  // Expected: other targets are other work, and a command that prints nothing has acknowledged it.
  it.fails('twenty images converted one by one, silently (qwen-code PR #610)', () => {
    expectSilence(steps(20, (i) => sh(`python tools/convert.py assets/img_${i}.png`, '')))
  })

  // Expected: other targets are other work; a variation never fires on them.
  it.fails('twenty services restarted, each with the same line (qwen-code PR #610)', () => {
    const names = [
      'auth',
      'billing',
      'search',
      'mail',
      'cart',
      'users',
      'orders',
      'media',
      'feed',
      'jobs',
    ]
    expectSilence(
      [...names, ...names.map((name) => `${name}-eu`)].map((name) =>
        sh(`./ops/restart.sh ${name}`, 'restarted: 1 of 1 healthy'),
      ),
    )
  })

  it('samples of an analysis run through the same three tools (deer-flow #2511)', () => {
    const sample = (i: number) => `sample_${String(i + 1).padStart(2, '0')}`
    expectSilence(
      steps(16, (i) => [
        sh(
          `fastqc raw/${sample(i)}.fastq.gz -o qc/`,
          `Analysis complete for ${sample(i)}.fastq.gz`,
        ),
        sh(
          `hisat2 -x grch38 -U raw/${sample(i)}.fastq.gz -S ${sample(i)}.sam`,
          `${90 + (i % 9)}.1${i}% overall alignment rate`,
        ),
        sh(
          `samtools sort ${sample(i)}.sam -o ${sample(i)}.bam && samtools index ${sample(i)}.bam`,
          '',
        ),
      ]),
    )
  })

  // Expected: "modified successfully" acknowledges; every list was a new one.
  it.fails('a todo list checked off, item by item (koda #816)', () => {
    const todos = Array.from({ length: 14 }, (_, i) => `task ${i}`)
    expectSilence(
      steps(14, (i) => [
        sh(`node scripts/migrate.mjs table_${i}`, `migrated table_${i}: ${i * 31} rows`),
        step(
          'todo_write',
          {
            todos: todos.map((content, k) => ({
              content,
              status: k <= i ? 'completed' : 'pending',
            })),
          },
          'Todos have been modified successfully.',
        ),
      ]),
    )
  })

  it('a file read again after each edit (nanobot PR #4522)', () => {
    expectSilence(
      steps(20, (i) => [
        step(
          'read_file',
          { path: 'todo.md' },
          `- [x] done\n`.repeat(i) + '- [ ] open\n'.repeat(20 - i),
        ),
        edit('todo.md', `- [ ] item ${i}`, `- [x] item ${i}`),
      ]),
    )
  })
})

describe('one call for each target, with one answer for all (qwen-code PR #610)', () => {
  const shell = (command: (i: number) => string, output: string) => (i: number) =>
    sh(command(i), output)
  const told: readonly (readonly [string, (i: number) => Step])[] = [
    ['files that are staged', shell((i) => `git add src/file${i}.js`, '')],
    [
      'files that are patched',
      (i) =>
        step('apply_patch', { patch: `*** Update File: a${i}.ts\n-x${i}\n+y${i}` }, 'Success.'),
    ],
    [
      'rows that are inserted',
      (i) =>
        step(
          'execute_sql',
          { query: `INSERT INTO users (id, name) VALUES (${i}, 'user${i}')` },
          '1 row affected',
        ),
    ],
  ]
  it.each(told)('%s', (_, make) => expectSilence(steps(14, make)))

  // Expected: they are other targets, and the tool says that it worked. That is work, not a variation.
  const wronged: readonly (readonly [string, (i: number) => Step])[] = [
    ['files that are linted', shell((i) => `npx eslint src/components/Button${i}.tsx`, '')],
    ['files that are formatted', shell((i) => `npx prettier --write src/a${i}.ts`, '')],
    ['files that are checked', shell((i) => `node --check src/file${i}.js`, '')],
    [
      'files that are uploaded',
      shell((i) => `aws s3 cp out/part-${i}.csv s3://data/part-${i}.csv --quiet`, ''),
    ],
    [
      'tests that pass, file by file',
      shell((i) => `pytest tests/test_mod${i}.py -q`, '3 passed in 0.31s'),
    ],
    [
      'tests that pass, case by case',
      shell((i) => `cargo test case_${i}`, 'test result: ok. 1 passed; 0 failed'),
    ],
    [
      'items that are deleted',
      shell((i) => `curl -s -X DELETE localhost:3000/items/${i}`, '{"deleted":true}'),
    ],
    [
      'tickets that are closed',
      (i) => step('jira_transition', { key: `DM-${i + 100}`, to: 'Done' }, 'Transition applied.'),
    ],
    [
      'mails to many people',
      (i) =>
        step(
          'send_email',
          { to: `user${i}@example.com`, subject: 'Your invoice' },
          'Email sent successfully',
        ),
    ],
    [
      'buttons that are clicked',
      (i) =>
        step('browser_click', { ref: `row-${i}-delete`, element: `Delete row ${i}` }, 'Clicked'),
    ],
  ]
  it.fails.each(wronged)('%s', (_, make) => expectSilence(steps(14, make)))
})

describe('the same test or build after each edit', () => {
  const passing = (i: number) =>
    `> app@1.4.0 build\n> tsc -p . && vite build\n\nvite v5.4.2 building for production...\n✓ 412 modules transformed.\n✓ built in ${seconds(i)}s\n`

  it('a build that passes each time, overnight (qwen-code #9733)', () => {
    expectSilence(
      steps(30, (i) => [
        edit(`src/widgets/w${i}.ts`, `export const size = ${i}`, `export const size = ${i + 1}`),
        sh('npm run build', passing(i)),
      ]),
    )
  })

  it('tests that pass each time, while one file grows (little-coder #81)', () => {
    expectSilence(
      steps(30, (i) => [
        edit('src/parser.ts', `// step ${i}`, `parse${i}()\n// step ${i + 1}`),
        sh(
          'npx vitest run',
          `Test Files  14 passed (14)\n     Tests  121 passed (121)\n  Duration  ${seconds(i)}s`,
        ),
      ]),
    )
  })

  it('tests with one failure fewer after each edit (kimchi PR #101)', () => {
    expectSilence(
      steps(30, (i) => [
        edit('src/money.rs', `round_${i}(x)`, `round_half_even_${i}(x)`),
        sh(
          'cargo test',
          `running 60 tests\n${steps(30 - i, (k) => sh(`money::case_${k}`, ''))
            .map(({ args }) => `test ${(args as { command: string }).command} ... FAILED`)
            .join(
              '\n',
            )}\ntest result: FAILED. ${30 + i} passed; ${30 - i} failed; finished in ${seconds(i)}s`,
          i === 29,
        ),
      ]),
    )
  })

  it('a type check that names another place after each edit (little-coder #81)', () => {
    expectSilence(
      steps(30, (i) => [
        edit(`src/api/route${i}.ts`, 'any', 'unknown'),
        sh(
          'npx tsc --noEmit',
          `src/api/route${i + 1}.ts(${10 + i},7): error TS2322: Type 'string' is not assignable to type 'Route${i}'.`,
          false,
        ),
      ]),
    )
  })

  it('a commit after each chapter: add, commit, status (qwen-code #9733)', () => {
    expectSilence(
      steps(20, (i) => [
        step('write_file', { file_path: `book/ch${i}.md`, content: `# Chapter ${i}\n` }, 'ok'),
        sh('git add -A', ''),
        sh(
          `git commit -m "Chapter ${i}"`,
          `[main ${(0xabc1230 + i * 4099).toString(16)}] Chapter ${i}\n 1 file changed, 1 insertion(+)`,
        ),
        sh('git status --short', ''),
      ]),
    )
  })
})

describe('polling whose output changes', () => {
  it('a log that grows while a model trains (OpenHands #10350)', () => {
    expectSilence(
      steps(50, (i) =>
        sh(
          'sleep 60; tail -n 1 train.log',
          `[${clock(i)}] step ${i * 50}/2500 loss=${(2.4 - i * 0.03).toFixed(3)}`,
        ),
      ),
    )
  })

  it('50 reads of a debugger, all new data (Roo-Code #9502)', () => {
    expectSilence(
      steps(50, (i) =>
        step(
          'use_mcp_tool',
          {
            server_name: 'pty',
            tool_name: 'read_output',
            arguments: { session: 'cdb-1', bytes: 8192 },
          },
          Array.from(
            { length: 8 },
            (_, k) => `ModLoad: 00007ff8\`1234${i}000 C:\\Windows\\System32\\mod${i * 8 + k}.dll`,
          ).join('\n'),
        ),
      ),
    )
  })

  it('50 reads of a debugger, by a tool of its own name (Roo-Code #9502)', () => {
    expectSilence(
      steps(50, (i) =>
        step('read_output', { session: 'cdb-1' }, `(gdb) ${100 + i}\t  total += item[${i}].price;`),
      ),
    )
  })

  it('a debugger stepped line by line (gemini-cli #9276)', () => {
    expectSilence(
      steps(40, (i) =>
        step(
          'debugger_command',
          { command: 'next' },
          `main.c:${20 + i}\n${20 + i}\t    x[${i}] = y;`,
        ),
      ),
    )
  })

  it('a job whose percentage rises (LobsterAI PR #2454)', () => {
    expectSilence(
      steps(40, (i) =>
        step(
          'get_task_status',
          { task_id: 'vid-77' },
          { status: 'running', progress: Math.floor(i * 2.5) },
        ),
      ),
    )
  })

  it('a job that draws a progress bar which gets on (LobsterAI PR #2454)', () => {
    expectSilence(
      steps(40, (i) =>
        step(
          'get_task_status',
          { task_id: 'vid-77' },
          `rendering [${'='.repeat(i)}>${' '.repeat(40 - i)}] ${Math.floor(i * 2.5)}% ETA 00:${String(59 - i).padStart(2, '0')}`,
        ),
      ),
    )
  })

  // Expected: what a poll is about is how far it has come; the counters of a progress line are noise elsewhere.
  it.fails('a download that tells how far it is, and no more (LobsterAI PR #2454)', () => {
    expectSilence(
      steps(40, (i) =>
        step(
          'download_status',
          { id: 'model.bin' },
          `model.bin ${Math.floor(i * 2.5)}% of 14.2 GB at ${90 + (i % 7)}.1 MB/s, ETA ${40 - i} min`,
        ),
      ),
    )
  })

  it('a deployment that takes its time, and then is there (LobsterAI PR #2454)', () => {
    expectSilence([
      ...steps(8, () => step('deployment_status', { id: 'dpl_91' }, { state: 'BUILDING' })),
      step('deployment_status', { id: 'dpl_91' }, { state: 'READY', url: 'https://app.example' }),
    ])
  })
})

describe('rules on the name of the tool alone', () => {
  const commands = [
    'git log --oneline -5',
    'ls -la',
    'cat package.json',
    'rg "createServer" src',
    'node --version',
    'cat src/server.ts',
    'npm ls express',
    'cat src/routes/index.ts',
    'rg -n "TODO" src',
    'npm run lint',
    'cat src/db.ts',
    'docker compose config',
    'cat .env.example',
    'npx tsc --noEmit',
    'git diff HEAD~1',
    'cat tests/server.test.ts',
    'npm test',
    'du -sh node_modules',
    'cat tsconfig.json',
    'git status',
  ]

  it('twenty commands in the terminal, all different (ANOLISA #2693)', () => {
    expectSilence(
      commands.map((command, i) => step('terminal', { command }, `${command}\nline ${i}`)),
    )
  })

  it('fifteen reads in a row before the first edit (qwen-code PR #3236)', () => {
    expectSilence([
      ...steps(15, (i) =>
        step('read_file', { path: `src/feature/part${i}.ts` }, `export const part${i} = ${i * 7}`),
      ),
      edit('src/feature/index.ts', '// parts', "export * from './part0'"),
      ...steps(15, (i) =>
        step('grep', { pattern: `part${i}\\b`, path: 'src' }, `src/app.ts:${i}: part${i}()`),
      ),
    ])
  })

  it('things that are not there, looked for one after the other (qwen-code PR #3236)', () => {
    const names = [
      'useAuth',
      'withRouter',
      'fetchUser',
      'Sidebar',
      'i18n',
      'logger',
      'retry',
      'Modal',
      'toast',
      'cache',
    ]
    expectSilence(
      names.map((name) => step('grep_search', { pattern: name, path: 'src' }, 'No matches found')),
    )
  })
})

describe('progressive edits', () => {
  it('one value set and set again, always onwards (ggcode #49)', () => {
    expectSilence(steps(12, (i) => edit('config.go', `x=${i}`, `x=${i + 1}`)))
  })

  it('ten lines deleted from one file (ggcode #308)', () => {
    expectSilence(steps(10, (i) => edit('main.go', `line ${i}\n`, '')))
  })

  it('lines deleted and others inserted (ggcode #308)', () => {
    expectSilence(
      steps(8, (i) => [edit('main.go', `old ${i}\n`, ''), edit('main.go', '', `new ${i}\n`)]),
    )
  })

  it('a pattern that stands three times in a file, replaced three times (ggcode #308)', () => {
    expectSilence(steps(3, () => edit('main.go', 'fmt.Println(x)', 'logger.Debug(x)')))
  })

  it('an experiment that is taken back once (ggcode #49)', () => {
    expectSilence([
      edit('server.ts', 'timeout: 100', 'timeout: 900'),
      sh('npm test', '2 failed\n  expected 200, got 504', false),
      edit('server.ts', 'timeout: 900', 'timeout: 100'),
      edit('server.ts', 'retries: 0', 'retries: 3'),
      sh('npm test', '120 passed'),
    ])
  })
})

describe('history kept across heartbeats', () => {
  const heartbeat: readonly Step[] = [
    step('read', { path: 'HEARTBEAT.md' }, '# Heartbeat\n- look at the inbox\n'),
    step('exec', { command: 'mail --unread' }, 'no unread mail'),
  ]

  it('the same two calls every half hour, for a day (openclaw #40144)', () => {
    const host = detector()
    for (let i = 0; i < 48; i++) {
      host.userMessage()
      expectSilence(heartbeat, host)
      host.recordText('HEARTBEAT_OK')
    }
  })
})
