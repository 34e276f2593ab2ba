/** What the hook keeps of a session: nothing is lost, and nothing of it stands in the way. */

import { existsSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import path from 'node:path'
import { LoopGuard } from 'loophound'
import { describe, expect, it } from 'vitest'
import { acquire } from '../../js/cli/lock.js'
import { call, loophound, stateIn, temporaryFolder } from './run.js'

const root = temporaryFolder()

const hook = (folder: string, event: object) =>
  loophound(['hook', '--state-dir', folder], JSON.stringify(event))

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
const age = (file: string, milliseconds: number) => {
  const then = new Date(Date.now() - milliseconds)
  utimesSync(file, then, then)
}

describe('100 hooks at the same time', () => {
  it('lose no call', { timeout: 180_000 }, async () => {
    const folder = path.join(root, 'crowd')
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
    ['cut off', '{"format":"loophound-hook","version":1,"gua'],
    ['of another program', '{"format":"something"}'],
    ['of a later version', '{"format":"loophound-hook","version":2,"guard":{}}'],
    ['with a damaged guard', '{"format":"loophound-hook","version":1,"guard":{"format":"x"}}'],
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

  it('because it is a folder does not stop the agent either', async () => {
    const folder = path.join(root, 'folder')
    const file = await begun(folder)
    const other = path.join(root, 'folder-2')
    mkdirSync(path.join(other, path.basename(file)), { recursive: true })
    const { code, stdout, stderr } = await hook(other, call('s', 'call_1'))
    expect([code, stdout]).toEqual([0, '{}\n'])
    expect(stderr).toContain('goes on unwatched')
  })
})

describe('a lock that is left behind', () => {
  it.each([
    ['by a process that is gone', `${hostname()} 999999999 x`, 0],
    ['on another machine, long ago', 'elsewhere 1 x', 60_000],
    ['half written, long ago', '', 60_000],
  ])('%s: is broken', async (name, holder, old) => {
    const folder = path.join(root, `stale-${name.length}`)
    const file = await begun(folder)
    writeFileSync(`${file}.lock`, holder)
    age(`${file}.lock`, old)
    const { code, stderr } = await hook(folder, call('s', 'call_2'))
    expect([code, stderr]).toEqual([0, ''])
    expect(rememberedIn(folder)).toEqual(['call_1', 'call_2'])
    expect(stateIn(folder).others).toEqual([])
  })

  it('is broken by one of many', { timeout: 120_000 }, async () => {
    const folder = path.join(root, 'stale-crowd')
    const file = await begun(folder)
    writeFileSync(`${file}.lock`, `${hostname()} 999999999 x`)
    const ids = Array.from({ length: 12 }, (_, n) => `call_${n + 2}`)
    await Promise.all(ids.map((id, n) => hook(folder, call('s', id, { n }))))
    expect(rememberedIn(folder)).toHaveLength(13)
  })

  it('is waited for while its holder is alive, but not for ever', () => {
    const file = path.join(root, 'held.lock')
    const lock = acquire(file)
    expect(lock.isHeld()).toBe(true)
    expect(() => acquire(file, 50)).toThrow('is held by another process')
    lock.release()
    expect(existsSync(file)).toBe(false)
    const next = acquire(file, 50)
    // Who lost it to somebody else neither holds nor releases it.
    lock.release()
    expect([lock.isHeld(), next.isHeld()]).toEqual([false, true])
  })
})

describe('state files', () => {
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
    for (const file of [...kept, old, `${old}.17.tmp`, `${old}.17.unread`]) age(file, 8 * DAY)
    await hook(folder, call('another', 'call_1'))
    expect([old, `${old}.17.tmp`, `${old}.17.unread`].filter(existsSync)).toEqual([])
    expect(kept.filter(existsSync)).toEqual(kept)
    expect(stateIn(folder).states).toHaveLength(2)
  })

  it('of last week stay', async () => {
    const folder = path.join(root, 'recent')
    const file = await begun(folder)
    age(file, 6 * DAY)
    await hook(folder, call('another', 'call_1'))
    expect(existsSync(file)).toBe(true)
  })

  it.each([
    ['XDG_STATE_HOME', 'xdg', 'loophound'],
    ['HOME', 'home', '.local/state/loophound'],
  ])('are where %s says', async (name, folder, place) => {
    const base = path.join(root, folder)
    await loophound(['hook'], JSON.stringify(call('s', 'call_1')), { [name]: base })
    expect(stateIn(path.join(base, place)).states).toHaveLength(1)
  })

  it('stay in their folder whatever the session is named', async () => {
    const folder = path.join(root, 'deep', 'state')
    await hook(folder, call('../../escaped', 'call_1'))
    expect(stateIn(folder).states).toHaveLength(1)
    expect(stateIn(path.join(root, 'deep')).states).toEqual([])
  })
})
