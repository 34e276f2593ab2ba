/** What is said is true of what was seen, and the grammar is right. */

import type { LoopDetectorOptions, PresetName, ToolResult, Verdict } from 'loophound'
import { describe, expect, it } from 'vitest'
import { detector } from '../support/made.js'

/** Makes a call again and again; returns every verdict but `continue`. */
function repeat(
  options: PresetName | LoopDetectorOptions,
  call: { name: string; args: unknown },
  result: ToolResult | null,
  times = 12,
): Verdict[] {
  const host = detector(options)
  const verdicts: Verdict[] = []
  for (let turn = 0; turn < times; turn++) {
    verdicts.push(host.record({ ...call, id: `${turn}` }))
    if (result) verdicts.push(host.recordResult({ ...result, id: `${turn}` }))
  }
  return verdicts.filter(({ action }) => action !== 'continue')
}

const read = { name: 'read_file', args: { path: 'a.ts' } }
const shell = (command: string) => ({ name: 'bash', args: { command } })

describe('advice', () => {
  it('claims nothing about results that were never reported', () => {
    for (const call of [read, { name: 'grep', args: { q: 'x' } }, { name: 'edit', args: {} }]) {
      const said = repeat('balanced', call, null)
      expect(said.length).toBeGreaterThan(0)
      for (const { message } of said) expect(message).not.toMatch(/already|you have this/i)
    }
  })

  it.each([
    ['git diff', ''],
    ['grep -r foo src', ''],
  ])('on %j, which shows nothing, speaks of no name', (command, output) => {
    const said = repeat('balanced', shell(command), { ok: true, output })
    expect(said[0]?.message).toContain('- The call finds nothing, or nothing new.')
    expect(said[0]?.message).not.toContain('name')
  })

  it('on a value says nothing of finding nothing', () => {
    for (const [command, output] of [
      ['wc -l a.txt', '42'],
      ['cat version', '0'],
      ['git status', 'nothing to commit, working tree clean'],
    ] as const) {
      const said = repeat('balanced', shell(command), { ok: true, output })
      expect(said[0]?.message).toContain('- It will return the same unless something has changed.')
    }
  })

  it.each([
    ['npm install foo', 'npm ERR! code ERESOLVE'],
    ['git commit -m x', 'husky - pre-commit hook exited with code 1 (error)'],
    ['mkdir build', "mkdir: cannot create directory 'build': File exists"],
  ])('on %j, which writes but edits no file, speaks of the error', (command, output) => {
    const said = repeat('balanced', shell(command), { ok: false, output })
    expect(said[0]?.message).toContain('- Read the error and change what causes it')
  })

  it('on many targets with one error speaks of all of them', () => {
    const advice = (call: (n: number) => { name: string; args: object }, output: string) => {
      const host = detector()
      const said: string[] = []
      for (let n = 0; n < 12; n++) {
        host.record({ ...call(n), id: `${n}` })
        const { message } = host.recordResult({ id: `${n}`, ok: false, output })
        if (message) said.push(message)
      }
      return said[0]
    }
    const lost = 'Destination host unreachable, 100% packet loss'
    expect(advice((n) => shell(`ping -c1 10.0.0.${n}`), lost)).toContain(
      '- Many different calls have had the same answer.',
    )
    const page = (n: number) => ({ name: 'fetch_url', args: { url: `https://a.example/p/${n}` } })
    for (const output of ['404 Not Found', 'Request failed with status code 404', 'HTTP 404']) {
      expect(advice(page, output)).toContain('- What the call names does not exist.')
    }
  })

  it('claims nothing for sure about a call that may return something else by now', () => {
    for (const result of [null, { ok: true, output: 'a b c' }]) {
      const [said] = repeat('balanced', read, result)
      expect(said?.message).toContain('- It will return the same unless something has changed.')
    }
    // A value is not nothing.
    const [value] = repeat('balanced', read, { ok: true, output: '42' })
    expect(value?.message).not.toMatch(/there is nothing/i)
  })

  it.each([
    ['psql -c "select * from orders"', 'ERROR:  relation "orders" does not exist'],
    ['ls build', 'Error: Directory not found: build'],
    ['git checkout topic', "fatal: branch 'topic' does not exist"],
  ])('on %j, which names something that is missing, does not call it a path', (command, output) => {
    const said = repeat('balanced', shell(command), { ok: false, output })
    expect(said[0]?.message).toContain('- What the call names does not exist. List what there is')
    expect(said[0]?.message).not.toContain('path does')
  })

  it('on a folder that is made again and again speaks of no file', () => {
    const said = repeat('balanced', shell('mkdir -p out'), { ok: true, output: '' })
    expect(said[0]?.message).toContain('- Making the same change again adds nothing.')
    expect(said[0]?.message).not.toContain('file')
  })

  it('on searches that are worded anew says nothing of targets', () => {
    const words = ['widget frobnicate', 'frobnicate widget', 'frobnicate the widget']
    const host = detector()
    const said: string[] = []
    for (let turn = 0; turn < 12; turn++) {
      const pattern = `${words[turn % 3]}${' '.repeat(turn)}`
      host.record('grep', { pattern, path: 'src' }, `${turn}`)
      const { message } = host.recordResult({ id: `${turn}`, output: 'No matches found' })
      if (message) said.push(message)
    }
    expect(said.length).toBeGreaterThan(0)
    expect(said.join()).not.toContain('target')
  })

  it('on a write that fails for another reason sends the model to the error first', () => {
    const result = { ok: false, output: 'ENOSPC: no space left on device' }
    const said = repeat(
      'balanced',
      { name: 'write_file', args: { path: 'a', content: 'x' } },
      result,
    )
    expect(said[0]?.message).toContain('- Read the error, and the file as it is now.')
  })
})

describe('a summary', () => {
  it('says nothing about results where they are not compared', () => {
    const host = detector('cycles')
    const summaries = Array.from({ length: 6 }, (_, turn) => {
      const { summary } = host.record({ ...shell('date'), id: `${turn}` })
      host.recordResult({ id: `${turn}`, output: `result ${turn}` })
      return summary
    })
    expect(summaries.slice(0, 2)).toEqual([null, 'The same call was made 2 times.'])
  })

  /** The summaries of blocks and stops; after a refused call, the next one is made. */
  function endings(calls: readonly { name: string; args: unknown; output: string; ok: boolean }[]) {
    const host = detector()
    const summaries: string[] = []
    for (let turn = 0; turn < 60 && host.verdict.action !== 'stop'; turn++) {
      const { name, args, output, ok } = calls[turn % calls.length] as (typeof calls)[0]
      const verdict = host.record({ name, args, id: `${turn}` })
      if (verdict.action === 'block' || verdict.action === 'stop') summaries.push(verdict.summary)
      else host.recordResult({ id: `${turn}`, ok, output })
    }
    return new Set(summaries)
  }

  it('of calls that vary counts those that ran, and reads as a sentence', () => {
    const words = ['widget frobnicate', 'frobnicate widget', 'frobnicate  widget x']
    const searches = words.map((pattern) => ({
      ...{ name: 'grep', args: { pattern, path: 'src' } },
      ...{ output: 'No matches found', ok: true },
    }))
    for (const summary of endings(searches)) {
      expect(summary).toMatch(
        /^grep returned the same result in \d+ similar calls and was called again\. The call|^\d+ calls repeated/,
      )
    }
    const builds = ['-B', '-k', '-s', '-i'].map((flag) => ({
      ...{ name: 'bash', args: { command: `make build ${flag}` } },
      ...{ output: "make: *** No rule to make target 'build'. Stop.", ok: false },
    }))
    const said = endings(builds)
    expect(said.size).toBeGreaterThan(0)
    for (const summary of said) expect(summary).not.toMatch(/recently \w+ and|calls .* was called/)
  })

  it('of edits that undo one another does not count the one that was refused', () => {
    const edits = [
      { old_string: 'x', new_string: 'y' },
      { old_string: 'y', new_string: 'x' },
    ].map((change) => ({
      ...{ name: 'edit_file', args: { path: 'a.ts', ...change } },
      ...{ output: 'ok', ok: true },
    }))
    expect([...endings(edits)]).toEqual([
      'edit_file undid an earlier edit of the same place 13 times and was called again. The call was refused.',
      'edit_file undid an earlier edit of the same place 13 times and was called again. The run was stopped.',
    ])
  })

  it('of a cycle counts the calls that repeated, also after one of them was refused', () => {
    const reads = ['a.ts', 'b.ts'].map((path) => ({
      ...{ name: 'read_file', args: { path }, output: `the content of ${path}`, ok: true },
    }))
    expect([...endings(reads)]).toEqual([
      '12 calls repeated earlier ones with the same results, most recently read_file. The call was refused.',
      '12 calls repeated earlier ones with the same results, most recently read_file. The run was stopped.',
    ])
  })

  /** All summaries of calls that are made in turn, and the advice that goes with the first. */
  function told(calls: readonly ({ name: string; args: unknown } & ToolResult)[], times = 24) {
    const host = detector()
    const said: Verdict[] = []
    for (let turn = 0; turn < times; turn++) {
      const { name, args, output, ok } = calls[turn % calls.length] as (typeof calls)[0] & {
        name: string
      }
      said.push(host.record({ name, args, id: `${turn}` }))
      said.push(host.recordResult({ id: `${turn}`, ...(ok === undefined ? {} : { ok }), output }))
    }
    const loops = said.filter(({ action }) => action !== 'continue')
    expect(loops.length).toBeGreaterThan(0)
    return { summaries: loops.map(({ summary }) => `${summary}`), message: loops[0]?.message }
  }

  it('of failures that differ does not call them the same, and advises on none of them alone', () => {
    const errors = [
      'ENOENT: no such file or directory',
      'TypeError: x is not a function',
      'SyntaxError: unexpected token',
      'EACCES: permission denied',
      'RangeError: out of bounds',
    ]
    const runs = errors.map((output) => ({ ...shell('node a.js'), ok: false, output }))
    const { summaries, message } = told(runs)
    for (const summary of summaries) expect(summary).toMatch(/^bash failed \d+ times( and|\.)/)
    expect(message).toContain('- Read the error and change what causes it')
  })

  it('of results that differ does not call them the same', () => {
    const words = 'red blue green brown black white pink grey gold lime navy teal'.split(' ')
    const asked = words.map((word) => ({
      ...{ name: 'ask_user', args: { question: 'Go on?' }, output: `Well, I like ${word} paint` },
    }))
    const question = told(asked)
    expect(question.summaries[0]).toBe('ask_user was called 6 times with the same arguments.')
    expect(question.message).not.toContain('accepted')
    const edits = words.map((word) => ({
      ...{ name: 'edit_file', args: { path: 'a.ts', old_string: 'x', new_string: 'xy' } },
      ...{ output: `Updated a.ts near ${word}` },
    }))
    expect(told(edits).summaries[0]).toBe('edit_file made the same edit 4 times.')
  })

  it('of one error does not say that nothing worked in between', () => {
    const words = 'red blue green brown black white pink'.split(' ')
    const runs = words.flatMap((word) => [
      { ...shell(`node a.js --mode ${word}`), ok: false, output: 'TypeError: x is no function' },
      { name: 'read_file', args: { path: word }, output: `the content of ${word}` },
    ])
    for (const summary of told(runs, 14).summaries) {
      expect(summary).toMatch(/^\d+ calls failed with the same error, most recently bash\.$/)
    }
  })

  it('says that text turns bring nothing new only where they are compared', () => {
    const turns = ['Dogs like long walks.', 'The budget is due in May.', 'Rain tomorrow.']
    const any = detector('nudge')
    expect(turns.map((text) => any.recordText(text).summary).at(-1)).toBe(
      'The last 3 responses had no tool call.',
    )
    const alike = detector()
    for (let n = 0; n < 3; n++) alike.recordText('All done, the task is complete.')
    expect(alike.verdict.summary).toBe('The last 3 responses had no tool call and nothing new.')
  })

  it.each<[LoopDetectorOptions, string]>([
    [
      { detectors: { 'no-progress': { threshold: 2 } } },
      'bash failed the same way 1 time and was called again.',
    ],
    [{ detectors: { 'test-fix': { threshold: 1 } } }, '1 test run in a row failed.'],
    [{ detectors: { 'failure-cascade': { threshold: 1 } } }, '1 shell command in a row failed.'],
  ])('with %j counts one thing as one', (options, expected) => {
    const said = repeat(options, shell('npm test'), { ok: false, output: 'Error: 1 failed' }, 2)
    expect(said[0]?.summary).toBe(expected)
    expect(said[0]?.message).toContain(expected)
  })

  it('of a cap says so once, and names no tools if there were none', () => {
    const host = detector({ iterationCap: 1 })
    host.beginTurn()
    const { message, summary } = host.beginTurn()
    expect(summary).toBe('The run used all of its 1 turn. The run was stopped.')
    expect(message).toBe('The run was stopped. The run used all of its 1 turn. Recent tools: none.')
  })
})

describe('a response that repeats itself', () => {
  it('is cut off, not refused: it is no call', () => {
    const host = detector()
    const said: Verdict[] = []
    for (let turn = 0; turn < 3; turn++) {
      host.beginTurn()
      for (let n = 0; n < 40; n++) {
        const verdict = host.pushText('the quick brown fox jumps. ')
        if (verdict.action !== 'continue') said.push(verdict)
      }
    }
    expect(said.map(({ action }) => action)).toEqual(['nudge', 'block', 'stop'])
    expect(said[1]?.summary).toMatch(/ characters\. The response was cut off\.$/)
    expect(said[1]?.message).toMatch(/^Your last response was cut off because it repeated the same/)
  })
})
