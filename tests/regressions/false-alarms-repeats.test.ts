/**
 * Work that repeats itself, in which users of other loop detectors were interrupted. Each test is
 * named after what happened and where it was reported; all run on the default preset.
 */

import { describe, it } from 'vitest'
import { edit, expectSilence, type Step, sh, step, steps } from '../support/agent.js'
import { detector } from '../support/made.js'

const seconds = (i: number) => (1.2 + ((i * 37) % 50) / 100).toFixed(2)
const clock = (i: number) =>
  `${String(9 + Math.floor(i / 60)).padStart(2, '0')}:${String(i % 60).padStart(2, '0')}:07`

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
  it('a download that tells how far it is, and no more (LobsterAI PR #2454)', () => {
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
