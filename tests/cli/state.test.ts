/** What the hook keeps of a session: nothing is lost, and nothing of it stands in the way. */

import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { LoopGuard } from 'loophound'
import { describe, expect, it } from 'vitest'
import { acquire } from '../../js/cli/lock.js'
import { call, loophound, stateIn, temporaryFolder } from './run.js'

const root = temporaryFolder()

const hook = (folder: string, event: object, before?: string) =>
  loophound(['hook', '--state-dir', folder], JSON.stringify(event), { ...(before && { before }) })

/** The most that a hook may cost that cannot do its work, in milliseconds. */
const MOST_MS = 2000

/**
 * What a hook says when it could not do its work, and how long it took more than one that could: the least
 * of three attempts, as a busy machine can hold up any process.
 *
 * @param prepare Puts into its way what has to be new each time.
 */
async function unwatched(
  folder: string,
  before?: string,
  prepare = () => {},
): Promise<{ reason: string; ms: number }> {
  const fine = path.join(root, `fine-${path.basename(folder)}`)
  let [reason, ms] = ['', Number.POSITIVE_INFINITY]
  for (let attempt = 0; attempt < 3 && ms > MOST_MS; attempt++) {
    let start = performance.now()
    await hook(fine, call('s', 'call_1'))
    const usual = performance.now() - start
    prepare()
    start = performance.now()
    const { code, stdout, stderr } = await hook(folder, call('s', 'call_2'), before)
    ms = performance.now() - start - usual
    expect([code, stdout]).toEqual([0, '{}\n'])
    expect(stderr).toContain('The agent goes on unwatched.')
    reason = stderr
  }
  return { reason, ms }
}

/** Code that replaces functions of Node's modules, for a process that is about to start. */
const replacing = (code: string) => `
  import fs from 'node:fs'
  import os from 'node:os'
  import { syncBuiltinESMExports } from 'node:module'
  ${code}
  syncBuiltinESMExports()`

/** The calls that a session's only state file knows, by id. */
function rememberedIn(folder: string): unknown[] {
  const [file, ...more] = stateIn(folder).states
  expect(more).toEqual([])
  const state = JSON.parse(readFileSync(path.join(folder, file as string), 'utf8'))
  const guard = new LoopGuard()
  guard.restore(state.guard)
  return (guard.snapshot().calls as unknown[][]).map(([id]) => id)
}

/** The one state file of a session that has begun. */
async function begun(folder: string): Promise<string> {
  await hook(folder, call('s', 'call_1'))
  return path.join(folder, stateIn(folder).states[0] as string)
}

const DAY = 24 * 60 * 60 * 1000
const makeOlder = (file: string, milliseconds: number) => {
  const then = new Date(Date.now() - milliseconds)
  utimesSync(file, then, then)
}

describe.skipIf(process.platform !== 'linux')('a place where nothing can be created', () => {
  // Node's own way to create folders never returns there.
  it('is given up at once', async () => {
    const { reason } = await unwatched('/proc/loophound')
    expect(reason).toContain("mkdir '/proc/loophound'")
    const install = await loophound(['install', 'codex', '--yes'], '', { env: { HOME: '/proc' } })
    expect(install).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot be changed') })
  })
})

describe('100 hooks at the same time', () => {
  let attempts = 0

  // Each gives up after 30 s of waiting, which is only reached if the machine has much else to do.
  it('lose no call', { timeout: 300_000, retry: 2 }, async () => {
    attempts += 1
    const folder = path.join(root, `crowd-${attempts}`)
    const ids = Array.from({ length: 100 }, (_, n) => `call_${n}`)
    const outcomes = await Promise.all(ids.map((id, n) => hook(folder, call('s', id, { n }))))
    expect(outcomes).toEqual(ids.map(() => ({ code: 0, stdout: '{}\n', stderr: '' })))
    expect(rememberedIn(folder).sort()).toEqual(ids.sort())
    expect(stateIn(folder).others).toEqual([])
  })
})

describe('a state file that cannot be read', () => {
  it.each([
    ['empty', ''],
    ['cut off', '{"format":"loophound-hook","version":2,"gua'],
    ['of another program', '{"format":"something"}'],
    ['of a later version', '{"format":"loophound-hook","version":3,"guard":{}}'],
    ['with a damaged guard', '{"format":"loophound-hook","version":2,"guard":{"format":"x"}}'],
    ['null', 'null'],
  ])('%s: is set aside, with a warning, and the session goes on', async (name, content) => {
    const folder = path.join(root, `corrupt-${name.replaceAll(' ', '-')}`)
    const file = await begun(folder)
    writeFileSync(file, content)
    const { code, stdout, stderr } = await hook(folder, call('s', 'call_2'))
    expect([code, stdout]).toEqual([0, '{}\n'])
    expect(stderr).toContain('is set aside as')
    const [aside] = stateIn(folder).others
    expect(readFileSync(path.join(folder, aside as string), 'utf8')).toBe(content)
    expect(rememberedIn(folder)).toEqual(['call_2'])
    expect((await hook(folder, call('s', 'call_3'))).stderr).toBe('')
    expect(rememberedIn(folder)).toEqual(['call_2', 'call_3'])
  })

  it('of a detector with other patterns is one', async () => {
    const folder = path.join(root, 'other-preset')
    await begun(folder)
    const args = ['hook', '--state-dir', folder, '--preset', 'window']
    const { code, stderr } = await loophound(args, JSON.stringify(call('s', 'call_2')))
    expect(code).toBe(0)
    expect(stderr).toContain('is set aside as')
  })

  const elsewhere = path.join(root, 'elsewhere.json')
  const makers: [string, (file: string) => void, RegExp][] = [
    ['a folder', (file) => mkdirSync(file), /not a regular file/],
    ['too large', (file) => hugeFile(file), /too large/],
  ]
  if (process.platform !== 'win32') {
    makers.push(
      ['a pipe', (file) => execFileSync('mkfifo', [file]), /not a regular file/],
      ['a link to a device', (file) => symlinkSync('/dev/zero', file), /not a regular file/],
      ['a link to a file', (file) => symlinkSync(elsewhere, file), /not a regular file/],
    )
  }

  it.each(makers)(
    'because it is %s: is set aside, and nobody waits',
    async (name, make, reason) => {
      const state = await begun(path.join(root, `odd-${name.replaceAll(' ', '-')}`))
      // With a link, this would be read and replaced if it were followed.
      const content = readFileSync(state, 'utf8')
      writeFileSync(elsewhere, content)
      const folder = path.join(root, `odd-${name.replaceAll(' ', '-')}-2`)
      mkdirSync(folder, { mode: 0o700 })
      const file = path.join(folder, path.basename(state))
      make(file)
      const { code, stdout, stderr } = await hook(folder, call('s', 'call_2'))
      expect([code, stdout]).toEqual([0, '{}\n'])
      expect(stderr).toMatch(reason)
      expect(stderr).toContain('The session begins anew.')
      expect(lstatSync(file).isFile()).toBe(true)
      expect(rememberedIn(folder)).toEqual(['call_2'])
      expect(readFileSync(elsewhere, 'utf8')).toBe(content)
    },
  )
})

function hugeFile(file: string): void {
  writeFileSync(file, '')
  truncateSync(file, 2 ** 31)
}

describe('a lock', () => {
  /** Puts a lock in place: this process's, with another number or machine, and of some age. */
  function leave(file: string, change: (holder: string) => string, age: number): void {
    const lock = acquire(file)
    const [holder = ''] = readdirSync(`${file}.lock`)
    lock.release()
    const left = path.join(`${file}.lock`, change(holder))
    mkdirSync(`${file}.lock`)
    writeFileSync(left, '')
    makeOlder(left, age)
  }
  const same = (holder: string) => holder
  const isGone = (holder: string) => holder.replace(`.${process.pid}.`, '.999999999.')
  const isElsewhere = (holder: string) => `00000000${holder.slice(8)}`

  it.each([
    ['of a process that is gone', isGone, 0],
    ['of another machine, long ago', isElsewhere, 60_000],
    ['of another machine, from the future', isElsewhere, -DAY],
    ['of a process that seems alive, long ago', same, 60_000],
    ['of a process that seems alive, from the future', same, -DAY],
  ])('%s: is removed', async (name, change, old) => {
    const folder = path.join(root, `stale-${name.replaceAll(/\W/g, '-')}`)
    const file = await begun(folder)
    leave(file, change, old)
    const { code, stderr } = await hook(folder, call('s', 'call_2'))
    expect([code, stderr]).toEqual([0, ''])
    expect(rememberedIn(folder)).toEqual(['call_1', 'call_2'])
    expect(stateIn(folder).others).toEqual([])
  })

  it('of which only an empty folder is left is taken', async () => {
    const folder = path.join(root, 'empty-lock')
    const file = await begun(folder)
    mkdirSync(`${file}.lock`)
    expect((await hook(folder, call('s', 'call_2'))).stderr).toBe('')
    expect(stateIn(folder).others).toEqual([])
  })

  it.each([
    ['held by a live process', (file: string) => leave(file, same, 0)],
    ['held on another machine', (file: string) => leave(file, isElsewhere, 0)],
    ['that is something else', (file: string) => writeFileSync(`${file}.lock`, 'host 1 x')],
  ])('%s costs at most 2 s', async (name, hold) => {
    const folder = path.join(root, `held-${name.replaceAll(' ', '-')}`)
    const file = await begun(folder)
    // One that is older than 5 s counts as left behind.
    const { reason, ms } = await unwatched(folder, undefined, () => {
      rmSync(`${file}.lock`, { recursive: true, force: true })
      hold(file)
    })
    expect(reason).toContain('.lock is held by another process')
    expect(ms).toBeLessThan(MOST_MS)
    expect(stateIn(folder).others).toEqual([`${path.basename(file)}.lock`])
  })

  it('in the form of earlier versions is removed if its time cannot be right', async () => {
    const folder = path.join(root, 'earlier')
    const file = await begun(folder)
    for (const name of [`${file}.lock`, `${file}.lock-break`]) {
      writeFileSync(name, '')
      makeOlder(name, -DAY)
    }
    const { stdout, stderr } = await hook(folder, call('s', 'call_2'))
    expect([stdout, stderr]).toEqual(['{}\n', ''])
    expect(rememberedIn(folder)).toEqual(['call_1', 'call_2'])
  })

  it('that was left behind is removed by one of many', { timeout: 120_000 }, async () => {
    const folder = path.join(root, 'stale-crowd')
    leave(await begun(folder), isGone, 0)
    const ids = Array.from({ length: 12 }, (_, n) => `call_${n + 2}`)
    await Promise.all(ids.map((id, n) => hook(folder, call('s', id, { n }))))
    expect(rememberedIn(folder)).toHaveLength(13)
  })

  it('is waited for while its holder is alive, but not for ever', () => {
    const file = path.join(root, 'held')
    const lock = acquire(file)
    expect(lock.isHeld()).toBe(true)
    expect(() => acquire(file, 50)).toThrow('is held by another process')
    lock.release()
    expect(existsSync(`${file}.lock`)).toBe(false)
    const next = acquire(file, 50)
    // Who lost it to somebody else neither holds nor releases it.
    lock.release()
    expect([lock.isHeld(), next.isHeld()]).toEqual([false, true])
  })
})

describe('a disk that is full', () => {
  // As a full disk does it: files can be made, and nothing can be written to them.
  const full = replacing(`
    fs.writeFileSync = (file, data, { flag, mode }) => {
      fs.closeSync(fs.openSync(file, flag ?? 'w', mode))
      if (data !== '') throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
    }`)
  const noFolders = replacing(`
    fs.mkdirSync = () => {
      throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
    }`)

  it.each([
    ['file', full],
    ['folder', noFolders],
  ])('for any %s: costs at most 2 s each time, and leaves nothing behind', async (name, before) => {
    const folder = path.join(root, `full-${name}`)
    const file = await begun(folder)
    const content = readFileSync(file, 'utf8')
    for (const _ of [1, 2]) {
      const { reason, ms } = await unwatched(folder, before)
      expect(reason).toContain('no space left on device')
      expect(ms).toBeLessThan(MOST_MS)
    }
    expect(readFileSync(file, 'utf8')).toBe(content)
    expect(stateIn(folder).others).toEqual([])
    await hook(folder, call('s', 'call_3'))
    expect(rememberedIn(folder)).toEqual(['call_1', 'call_3'])
  })
})

describe('the state folder', () => {
  const isPosix = process.platform !== 'win32'

  it.runIf(isPosix).each(['777', '770', '703'])(
    'that others can write (mode %s) is refused',
    async (mode) => {
      const folder = path.join(root, `open-${mode}`)
      mkdirSync(folder)
      chmodSync(folder, Number.parseInt(mode, 8))
      const { reason } = await unwatched(folder)
      expect(reason).toContain(`chmod go-w '${folder}'`)
      expect(readdirSync(folder)).toEqual([])
    },
  )

  it.runIf(isPosix)('of another user is refused', async () => {
    const folder = path.join(root, 'theirs')
    mkdirSync(folder, { mode: 0o700 })
    const { reason } = await unwatched(folder, 'process.getuid = () => 4242')
    expect(reason).toMatch(/belongs to another user .* --state-dir/)
    expect(readdirSync(folder)).toEqual([])
  })

  it.each([
    ['empty', { HOME: '', USERPROFILE: '' }],
    ['relative', { HOME: '.', USERPROFILE: '.', XDG_STATE_HOME: 'state', LOCALAPPDATA: 'local' }],
  ])('is that of the account if the variables are %s, never the project', async (name, env) => {
    const home = path.join(root, `account-${name}`)
    const project = path.join(root, `project-${name}`)
    mkdirSync(project)
    const before = replacing(`os.userInfo = () => ({ homedir: ${JSON.stringify(home)} })`)
    const input = JSON.stringify(call('s', 'call_1'))
    const known = await loophound(['hook'], input, { env, cwd: project, before })
    expect(known).toEqual({ code: 0, stdout: '{}\n', stderr: '' })
    expect(stateIn(path.join(home, '.local/state/loophound')).states).toHaveLength(1)
    const nobody = replacing(`os.userInfo = () => { throw new Error('no such user') }`)
    const unknown = await loophound(['hook'], input, { env, cwd: project, before: nobody })
    expect([unknown.code, unknown.stdout]).toEqual([0, '{}\n'])
    expect(unknown.stderr).toContain('There is no home folder to keep state in')
    expect(readdirSync(project)).toEqual([])
  })
})

describe('state files', () => {
  it('hold no argument that options ignore, also while the call is under way', async () => {
    const folder = path.join(root, 'secret')
    const options = path.join(root, 'ignore.json')
    writeFileSync(options, JSON.stringify({ tools: { login: { ignore: ['token'] } } }))
    const event = { ...call('s', 'call_1', { user: 'ann', token: 'hunter2' }), tool_name: 'login' }
    const args = ['hook', '--state-dir', folder, '--options', options]
    expect((await loophound(args, JSON.stringify(event))).stderr).toBe('')
    const text = readFileSync(path.join(folder, stateIn(folder).states[0] as string), 'utf8')
    const { steps, guard } = JSON.parse(text)
    expect(steps.open).toHaveLength(1)
    const { state } = guard.detector
    expect(text + atob(state.replaceAll('-', '+').replaceAll('_', '/'))).not.toContain('hunter2')
  })

  it('hold nothing of the summary that tells a compacted conversation', async () => {
    const folder = path.join(root, 'summary')
    const event = {
      session_id: 's',
      hook_event_name: 'BeforeModel',
      llm_request: { messages: [{ role: 'user', content: '<state_snapshot>hunter2' }] },
    }
    expect((await hook(folder, event)).stderr).toBe('')
    const text = readFileSync(path.join(folder, stateIn(folder).states[0] as string), 'utf8')
    expect(JSON.parse(text).steps.compaction).toMatch(/^\w+$/)
    expect(text).not.toContain('hunter2')
  })

  it('are for their owner only', async () => {
    const file = await begun(path.join(root, 'private'))
    if (process.platform === 'win32') return
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700)
  })

  it('of old sessions are removed when a new one begins, and nothing else is', async () => {
    const folder = path.join(root, 'old')
    const old = await begun(folder)
    const kept = ['notes.txt', 'abc.json'].map((name) => path.join(folder, name))
    for (const file of [...kept, `${old}.17.tmp`, `${old}.17.unread`]) writeFileSync(file, '')
    for (const file of [...kept, old, `${old}.17.tmp`, `${old}.17.unread`]) makeOlder(file, 8 * DAY)
    await hook(folder, call('another', 'call_1'))
    expect([old, `${old}.17.tmp`, `${old}.17.unread`].filter(existsSync)).toEqual([])
    expect(kept.filter(existsSync)).toEqual(kept)
    expect(stateIn(folder).states).toHaveLength(2)
  })

  it('of last week stay', async () => {
    const folder = path.join(root, 'recent')
    const file = await begun(folder)
    makeOlder(file, 6 * DAY)
    await hook(folder, call('another', 'call_1'))
    expect(existsSync(file)).toBe(true)
  })

  it.each([
    ['XDG_STATE_HOME', 'xdg', 'loophound'],
    ['HOME', 'home', '.local/state/loophound'],
  ])('are where %s says', async (name, folder, place) => {
    const base = path.join(root, folder)
    await loophound(['hook'], JSON.stringify(call('s', 'call_1')), { env: { [name]: base } })
    expect(stateIn(path.join(base, place)).states).toHaveLength(1)
  })

  it('are drafted under names that cannot be foreseen, and never through a link', async () => {
    const folder = path.join(root, 'drafts')
    const file = await begun(folder)
    const content = readFileSync(file, 'utf8')
    const victim = path.join(root, 'victim')
    writeFileSync(victim, 'mine')
    // The worst case: somebody foresaw the name, and has put a link there.
    const before = replacing(`
      const { writeFileSync } = fs
      fs.writeFileSync = (file, ...rest) => {
        if (file.endsWith('.tmp')) fs.symlinkSync(${JSON.stringify(victim)}, file)
        writeFileSync(file, ...rest)
      }`)
    const { reason } = await unwatched(folder, before)
    expect(readFileSync(victim, 'utf8')).toBe('mine')
    expect(readFileSync(file, 'utf8')).toBe(content)
    const again = (await unwatched(folder, before)).reason
    const draft = /\.json\.([0-9a-f]{16})\.tmp/
    expect(draft.exec(reason)?.[1]).not.toBe(draft.exec(again)?.[1])
    expect(reason).toMatch(draft)
  })

  it('stay in their folder whatever the session is named', async () => {
    const folder = path.join(root, 'deep', 'state')
    await hook(folder, call('../../escaped', 'call_1'))
    expect(stateIn(folder).states).toHaveLength(1)
    expect(stateIn(path.join(root, 'deep')).states).toEqual([])
  })
})
