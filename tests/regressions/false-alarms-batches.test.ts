/**
 * Work on one thing after the other, in which users of other loop detectors were interrupted. Each
 * test is named after what happened and where it was reported; all run on the default preset.
 */

import { describe, it } from 'vitest'
import { edit, expectSilence, type Step, sh, step, steps } from '../support/agent.js'

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
  it('twenty images converted one by one, silently (qwen-code PR #610)', () => {
    expectSilence(steps(20, (i) => sh(`python tools/convert.py assets/img_${i}.png`, '')))
  })

  // Expected: other targets are other work; a variation never fires on them.
  it('twenty services restarted, each with the same line (qwen-code PR #610)', () => {
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
  it('a todo list checked off, item by item (koda #816)', () => {
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
  it.each(wronged)('%s', (_, make) => expectSilence(steps(14, make)))
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
