/** `loophound install`, `uninstall` and `doctor`, on settings that people have. */

import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { readSettings, replaceSettings } from '../../js/cli/install/settings-file.js'
import { inRoot } from '../docs/pages.js'
import { loophound, recording, temporaryFolder } from './run.js'
import { serveHooks } from './serve.js'

const root = temporaryFolder()
const newHome = () => mkdtempSync(path.join(root, 'home-'))

/** Where each host has its hooks, for the user and for a project. */
const FILES = {
  'claude-code': ['.claude/settings.json', '.claude/settings.local.json'],
  codex: ['.codex/hooks.json', '.codex/hooks.json'],
  'qwen-code': ['.qwen/settings.json', '.qwen/settings.json'],
  'gemini-cli': ['.gemini/settings.json', '.gemini/settings.json'],
  copilot: ['.copilot/hooks/loophound.json', '.github/hooks/loophound.json'],
  cursor: ['.cursor/hooks.json', '.cursor/hooks.json'],
} as const
type Host = keyof typeof FILES
const HOSTS = Object.keys(FILES) as Host[]

const isRoot = process.getuid?.() === 0

const run = (home: string, ...args: string[]) =>
  loophound(args, '', { env: { HOME: home }, cwd: home })

function put(home: string, file: string, text: string): string {
  const place = path.join(home, file)
  mkdirSync(path.dirname(place), { recursive: true })
  writeFileSync(place, text)
  return place
}

/** The copies of settings that are kept: their names, without the hash, and their texts. */
function copiesIn(home: string): Record<string, string> {
  const folder = path.join(home, '.local/state/loophound/settings')
  const names = existsSync(folder) ? readdirSync(folder) : []
  return Object.fromEntries(
    names.map((name) => [
      name.replace(/^[0-9a-f]{16}-/, ''),
      readFileSync(path.join(folder, name), 'utf8'),
    ]),
  )
}

/** The commands of a host's file, whatever its shape. */
function commandsIn(text: string): string[] {
  const { hooks } = JSON.parse(text)
  return (Object.values(hooks) as Record<string, unknown>[][]).flat().flatMap((entry) => {
    const all = (entry.hooks ?? [entry]) as Record<string, string>[]
    return all.map(({ command, bash }) => command ?? bash ?? '')
  })
}

describe.each(HOSTS)('%s', (host) => {
  it('is installed once, works, is found by the doctor, and is gone afterwards', async () => {
    const home = newHome()
    const file = path.join(home, FILES[host][0])
    expect(await run(home, 'install', host, '--yes')).toMatchObject({ code: 0, stderr: '' })
    const text = readFileSync(file, 'utf8')
    const [command = '', ...others] = [...new Set(commandsIn(text))]
    expect(others).toEqual([])
    expect(command).toContain(`hook --host ${host}`)
    expect(command).not.toContain('npx')

    expect((await run(home, 'install', host, '--yes')).stdout).toContain('already')
    expect(readFileSync(file, 'utf8')).toBe(text)

    const doctor = await run(home, 'doctor', host)
    expect(doctor).toMatchObject({ code: 0, stderr: '' })
    expect(doctor.stdout).toMatch(/answers a call and its result/)
    expect(doctor.stdout).toContain(path.join(home, '.local/state/loophound'))

    expect(await run(home, 'uninstall', host, '--yes')).toMatchObject({ code: 0, stderr: '' })
    expect(readdirSync(path.dirname(file))).toEqual([])
    expect((await run(home, 'doctor', host)).code).toBe(1)
  })
})

/** Settings with all that must stay as it is. */
const SETTINGS: readonly (readonly [string, Host, string])[] = [
  [
    'other hooks of the same events, and keys around them',
    'claude-code',
    `{
  "model": "opus",
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "./check.sh" }] }
    ],
    "Notification": [{ "hooks": [{ "type": "command", "command": "say done" }] }]
  },
  "permissions": { "allow": ["Bash(npm test:*)"], "deny": [] }
}
`,
  ],
  [
    'comments, and a comma too many',
    'gemini-cli',
    `// My settings.
{
  /* the theme */ "theme": "Dracula",
  "mcpServers": {
    "files": { "command": "npx", "args": ["-y", "files"] }, // keep this
  },
}
`,
  ],
  [
    'tabs',
    'qwen-code',
    '{\n\t"theme": "Qwen",\n\t"tools": {\n\t\t"approvalMode": "default"\n\t}\n}\n',
  ],
  ['line ends of Windows, and a mark', 'qwen-code', '\ufeff{\r\n  "theme": "Qwen"\r\n}\r\n'],
  [
    'no line end',
    'gemini-cli',
    '{"theme":"Dracula","hooks":{"AfterTool":[{"hooks":[{"type":"command","command":"fmt"}]}]}}',
  ],
  [
    'four spaces',
    'cursor',
    '{\n    "version": 1,\n    "hooks": {\n        "afterFileEdit": [\n            {\n                "command": "./format.sh"\n            }\n        ],\n        "stop": [\n            {\n                "command": "./done.sh"\n            }\n        ]\n    }\n}\n',
  ],
  [
    'a description',
    'codex',
    '{\n  "description": "mine",\n  "hooks": {\n    "Stop": [\n      {\n        "hooks": [\n          { "type": "command", "command": "notify" }\n        ]\n      }\n    ]\n  }\n}\n',
  ],
]

describe('settings that are there', () => {
  it.each(SETTINGS)('%s: nothing is lost, and uninstall restores it', async (_, host, text) => {
    const home = newHome()
    const file = put(home, FILES[host][0], text)
    const installed = await run(home, 'install', host, '--yes')
    expect(installed).toMatchObject({ code: 0, stderr: '' })
    const changed = readFileSync(file, 'utf8')
    expect(changed).toContain(`hook --host ${host}`)
    // Only lines were added, but for commas and brackets that moved.
    for (const word of text.match(/"[^"]*"|\/\/.*|\/\*.*?\*\//g) ?? [])
      expect(changed).toContain(word)
    expect(changed.includes('\r\n')).toBe(text.includes('\r\n'))
    expect(readdirSync(path.dirname(file))).toEqual([path.basename(file)])
    expect(copiesIn(home)).toEqual({ [path.basename(file)]: text })
    expect(await run(home, 'install', host, '--yes')).toMatchObject({ code: 0 })
    expect(readFileSync(file, 'utf8')).toBe(changed)
    expect(await run(home, 'uninstall', host, '--yes')).toMatchObject({ code: 0, stderr: '' })
    expect(readFileSync(file, 'utf8')).toBe(text)
    expect(readdirSync(path.dirname(file))).toEqual([path.basename(file)])
    expect(copiesIn(home)).toEqual({})
  })

  it.each([
    '',
    '\n',
    '{}',
    '{ "hooks": {} }',
    '{"hooks":{"BeforeTool":[]}}',
    '{\n  "hooks": { "Stop": [], },\n}\n',
    '{ "hooks": { "enabled": true, "disabled": ["fmt"] } }',
  ])('%j: uninstall restores it, also after other options were installed', async (text) => {
    const home = newHome()
    const file = put(home, FILES['gemini-cli'][0], text)
    await run(home, 'install', 'gemini-cli', '--yes')
    await run(home, 'install', 'gemini-cli', '--yes', '--observe')
    expect(copiesIn(home)).toEqual({ 'settings.json': text })
    const printed = await run(home, 'uninstall', 'gemini-cli', '--print')
    expect(printed).toEqual({ code: 0, stdout: text, stderr: '' })
    expect(await run(home, 'uninstall', 'gemini-cli', '--yes')).toMatchObject({ code: 0 })
    expect(readFileSync(file, 'utf8')).toBe(text)
    expect(readdirSync(path.dirname(file))).toEqual(['settings.json'])
    const again = await run(home, 'uninstall', 'gemini-cli', '--yes')
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('no hook of ours') })
  })

  it('that were changed since: only the hooks go, and both are kept', async () => {
    const home = newHome()
    const file = put(home, FILES['gemini-cli'][0], '{ "theme": "Dracula" }\n')
    await run(home, 'install', 'gemini-cli', '--yes')
    const changed = readFileSync(file, 'utf8').replace('Dracula', 'GitHub')
    writeFileSync(file, changed)
    await run(home, 'uninstall', 'gemini-cli', '--yes')
    expect(readFileSync(file, 'utf8')).toBe('{ "theme": "GitHub" }\n')
    expect(copiesIn(home)).toEqual({ 'settings.json': changed })
  })

  it('entries on one line are left as they are, and tabs are shown as tabs', async () => {
    const home = newHome()
    const own = '"Stop": [{ "hooks": [{ "type": "command", "command": "notify" }] }]'
    const text = `{\n\t"hooks": {\n\t\t${own}\n\t}\n}\n`
    const file = put(home, FILES.codex[0], text)
    const { stdout } = await run(home, 'install', 'codex', '--yes')
    expect(readFileSync(file, 'utf8')).toContain(`\n\t\t${own.slice(0, -1)},{"hooks":[`)
    expect(stdout).toContain(`\n-\t\t${own}\n`)
    await run(home, 'uninstall', 'codex', '--yes')
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  it.each([
    [
      'beside an entry, with no comma after it',
      '{\n  "theme": "Dracula" // I like it\n}\n',
      /"theme": "Dracula", \/\/ I like it\n {2}"hooks"/,
    ],
    [
      'beside an entry, with a comma after it',
      '{\n  "theme": "Dracula", /* I like it */ // really\n}\n',
      /"theme": "Dracula", \/\* I like it \*\/ \/\/ really\n {2}"hooks"/,
    ],
    [
      'below the last entry',
      '{\r\n  "theme": "Dracula"\r\n  // More to come.\r\n}\r\n',
      /\}\r\n {2}\/\/ More to come\.\r\n\}/,
    ],
    [
      'among hooks',
      `{
  "hooks": {
    // Mine.
    "AfterTool": [
      { "hooks": [{ "type": "command", "command": "fmt" }] }, // formats
    ], // no others
  }
}
`,
      /"command": "fmt" \}\] \}, \/\/ formats\n[\s\S]*\n {4}\], \/\/ no others\n/,
    ],
  ])('comments stay where they are: %s', async (_, text, place) => {
    const home = newHome()
    const file = put(home, FILES['gemini-cli'][0], text)
    expect(await run(home, 'install', 'gemini-cli', '--yes')).toMatchObject({ code: 0 })
    expect(readFileSync(file, 'utf8')).toMatch(place)
    expect(await run(home, 'uninstall', 'gemini-cli', '--yes')).toMatchObject({ code: 0 })
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  it('a comment above our hooks stays, and no comma is left over', async () => {
    const home = newHome()
    const file = put(home, FILES['gemini-cli'][0], '{\n  "theme": "Dracula"\n}\n')
    await run(home, 'install', 'gemini-cli', '--yes')
    const installed = readFileSync(file, 'utf8')
    writeFileSync(file, installed.replace('  "hooks": {', '  // Ends loops.\n  "hooks": {'))
    expect(await run(home, 'uninstall', 'gemini-cli', '--yes')).toMatchObject({ code: 0 })
    expect(readFileSync(file, 'utf8')).toBe('{\n  "theme": "Dracula"\n  // Ends loops.\n}\n')
  })

  it('the hook of another program that has a cli.js, too, is not ours', async () => {
    const home = newHome()
    const commands = ["node '/opt/other/cli.js' hook --verbose", 'my-loophound hook']
    const hooks = commands.map((command) => ({ type: 'command', command }))
    const text = `${JSON.stringify({ hooks: { PreToolUse: [{ hooks }] } }, null, 2)}\n`
    const file = put(home, FILES.codex[0], text)
    expect((await run(home, 'doctor', 'codex')).stdout).toContain('not installed')
    await run(home, 'install', 'codex', '--yes')
    expect(commandsIn(readFileSync(file, 'utf8'))).toEqual(expect.arrayContaining(commands))
    await run(home, 'uninstall', 'codex', '--yes')
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  it.each([
    'loophound hook',
    'npx -y loophound@0.2 hook --observe',
    '"$HOME/app/node_modules/.bin/loophound" hook',
    'node ./node_modules/loophound/dist/cli.js hook',
  ])('a hook that was written by hand is replaced: %s', async (command) => {
    const home = newHome()
    const hooks = { Stop: [{ hooks: [{ type: 'command', command }] }] }
    const file = put(home, FILES.codex[0], JSON.stringify({ hooks }))
    await run(home, 'install', 'codex', '--yes')
    const commands = commandsIn(readFileSync(file, 'utf8'))
    expect(new Set(commands).size).toBe(1)
    expect(commands[0]).toContain('--host codex')
  })

  it('a hook that was written by hand is replaced', async () => {
    const home = newHome()
    const example = readFileSync(inRoot('examples/claude-code/settings.json'), 'utf8')
    const file = put(home, FILES['claude-code'][0], example)
    await run(home, 'install', 'claude-code', '--yes')
    const commands = commandsIn(readFileSync(file, 'utf8'))
    expect(new Set(commands).size).toBe(1)
    expect(commands[0]).toContain('--host claude-code')
  })

  it('other options replace the hook', async () => {
    const home = newHome()
    await run(home, 'install', 'codex', '--yes')
    await run(home, 'install', 'codex', '--yes', '--observe', '--preset', 'nudge')
    const commands = commandsIn(readFileSync(path.join(home, FILES.codex[0]), 'utf8'))
    expect(commands).toEqual(
      commands.map(() => expect.stringContaining('--preset nudge --observe')),
    )
  })

  it('a link stays a link: what it points to is changed', async () => {
    const home = newHome()
    const target = put(home, 'dotfiles/settings.json', '{ "theme": "Dracula" }\n')
    mkdirSync(path.join(home, '.gemini'))
    const link = path.join(home, FILES['gemini-cli'][0])
    symlinkSync(target, link)
    const { code, stdout } = await run(home, 'install', 'gemini-cli', '--yes')
    expect([code, stdout]).toEqual([0, expect.stringContaining('is a link')])
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
    expect(readFileSync(target, 'utf8')).toContain('--host gemini-cli')
  })

  it('a link is left with a file to lead to', async () => {
    const home = newHome()
    const target = put(home, 'dotfiles/hooks.json', '')
    mkdirSync(path.join(home, '.codex'))
    symlinkSync(target, path.join(home, FILES.codex[0]))
    await run(home, 'install', 'codex', '--yes')
    rmSync(path.join(home, '.local/state/loophound/settings'), { recursive: true })
    expect((await run(home, 'uninstall', 'codex', '--yes')).code).toBe(0)
    expect(readFileSync(target, 'utf8')).toBe('{}\n')
    expect((await run(home, 'install', 'codex', '--yes')).code).toBe(0)
  })

  it('that two hosts share by a link have the hooks of both', async () => {
    const home = newHome()
    const shared = put(home, FILES['gemini-cli'][0], '{ "theme": "Dracula" }\n')
    mkdirSync(path.join(home, '.qwen'))
    symlinkSync(shared, path.join(home, FILES['qwen-code'][0]))
    for (const host of ['gemini-cli', 'qwen-code']) await run(home, 'install', host, '--yes')
    for (const host of ['gemini-cli', 'qwen-code']) {
      expect((await run(home, 'doctor', host)).code, host).toBe(0)
    }
    await run(home, 'uninstall', 'gemini-cli', '--yes')
    const commands = commandsIn(readFileSync(shared, 'utf8'))
    expect(new Set(commands).size).toBe(1)
    expect(commands[0]).toContain('--host qwen-code')
    await run(home, 'uninstall', 'qwen-code', '--yes')
    expect(readFileSync(shared, 'utf8')).toBe('{ "theme": "Dracula" }\n')
  })

  it('of a project are its own', async () => {
    const home = newHome()
    for (const host of ['claude-code', 'copilot'] as const) {
      await run(home, 'install', host, '--project', '--yes')
      expect(existsSync(path.join(home, FILES[host][1]))).toBe(true)
      expect(existsSync(path.join(home, FILES[host][0]))).toBe(false)
    }
  })

  it.each([
    ['no JSON', '{ "theme": '],
    ['a list', '[]'],
    ['hooks that are none', '{ "hooks": true }'],
    ['an event that is no list', '{ "hooks": { "BeforeTool": {} } }'],
  ])('%s: refused, and left as it is', async (_, text) => {
    const home = newHome()
    const file = put(home, FILES['gemini-cli'][0], text)
    const { code, stderr } = await run(home, 'install', 'gemini-cli', '--yes')
    expect([code, stderr]).toEqual([2, expect.stringContaining(file)])
    expect(readFileSync(file, 'utf8')).toBe(text)
    expect(readdirSync(path.dirname(file))).toEqual(['settings.json'])
    const print = await run(home, 'install', 'gemini-cli', '--print')
    expect(print).toMatchObject({ code: 2, stderr })
    expect(Object.keys(JSON.parse(print.stdout).hooks)).toContain('BeforeTool')
  })

  it('the same key twice: refused, as only the last one counts', async () => {
    const home = newHome()
    const text = '{ "hooks": {}, "hooks": {} }'
    const file = put(home, FILES['gemini-cli'][0], text)
    const { code, stderr } = await run(home, 'install', 'gemini-cli', '--yes')
    expect([code, stderr]).toEqual([2, expect.stringContaining('cannot be changed safely')])
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  it('other bytes than UTF-8: refused, as they would be lost', async () => {
    const home = newHome()
    const file = put(home, FILES['gemini-cli'][0], '')
    const bytes = Buffer.from('{ "name": "J\xfcrgen" }', 'latin1')
    writeFileSync(file, bytes)
    const { code, stderr } = await run(home, 'install', 'gemini-cli', '--yes')
    expect([code, stderr]).toEqual([2, expect.stringContaining('UTF-8')])
    expect(readFileSync(file)).toEqual(bytes)
  })

  it.each([
    ['an end in the middle', '{ "theme": ', /cannot be read: value expected in line 1/],
    ['no comma', '{\n  "theme": 1\n  "model": 2\n}', /cannot be read: comma expected in line 3/],
    [
      'too many brackets',
      `{ "x": ${'['.repeat(20_000)}${']'.repeat(20_000)} }`,
      /cannot be read: it is nested too deep/,
    ],
  ])('%s: what is wrong is said in words', async (_, text, message) => {
    const home = newHome()
    put(home, FILES.cursor[0], text)
    const { code, stderr } = await run(home, 'install', 'cursor', '--yes')
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)])
    expect((await run(home, 'doctor')).stdout).toMatch(message)
  })

  it.each(['{ "hooks": { "stop": [{ "command": "mine" }] } }', null])(
    'that change between the question and the answer are left as they are: %j',
    (changed) => {
      const home = newHome()
      const place = put(home, FILES.cursor[0], '{}')
      const file = readSettings(place)
      if (changed === null) rmSync(place)
      else writeFileSync(place, changed)
      vi.stubEnv('XDG_STATE_HOME', path.join(home, '.local/state'))
      const replace = () => replaceSettings(file, '{ "hooks": {} }', file.text)
      expect(replace).toThrow(/was changed in the meantime/)
      vi.unstubAllEnvs()
      expect(existsSync(place) ? readFileSync(place, 'utf8') : null).toBe(changed)
      expect(copiesIn(home)).toEqual({})
    },
  )

  it('that appear meanwhile are left as they are', () => {
    const place = path.join(newHome(), 'hooks.json')
    const file = readSettings(place)
    writeFileSync(place, '{ "mine": 1 }')
    expect(() => replaceSettings(file, '{}', null)).toThrow(/was changed in the meantime/)
    expect(readFileSync(place, 'utf8')).toBe('{ "mine": 1 }')
  })

  it.runIf(isRoot)("stay their owner's with sudo, as do new folders", async () => {
    const home = newHome()
    const file = put(home, FILES.codex[0], '{}')
    chmodSync(file, 0o600)
    for (const name of [path.dirname(file), file]) chownSync(name, 4242, 4242)
    await run(home, 'install', 'codex', '--yes')
    const { uid, gid, mode } = statSync(file)
    expect([uid, gid, mode & 0o777]).toEqual([4242, 4242, 0o600])
    rmSync(file)
    await run(home, 'install', 'codex', '--yes')
    expect(statSync(file).uid).toBe(4242)
    const project = newHome()
    chownSync(project, 4242, 4242)
    const install = ['install', 'copilot', '--project', '--yes']
    await loophound(install, '', { env: { HOME: home }, cwd: project })
    for (const name of ['.github', '.github/hooks', FILES.copilot[1]]) {
      expect(statSync(path.join(project, name)).uid, name).toBe(4242)
    }
  })

  it('a file that is read-only: refused, and left as it is', async () => {
    const home = newHome()
    const file = put(home, FILES.codex[0], '{}')
    chmodSync(file, 0o444)
    const { code, stderr } = await run(home, 'install', 'codex', '--yes')
    expect([code, stderr]).toEqual([2, expect.stringMatching(/cannot be changed: it is read-only/)])
    expect(readFileSync(file, 'utf8')).toBe('{}')
  })

  it('a folder that cannot be written to is no bug of ours', async () => {
    const home = newHome()
    const before = `import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module'
      fs.mkdirSync = () => { throw new Error('EROFS: read-only file system') }
      syncBuiltinESMExports()`
    const args = ['install', 'codex', '--yes']
    const { code, stderr } = await loophound(args, '', { env: { HOME: home }, before })
    expect([code, stderr]).toEqual([2, expect.stringMatching(/cannot be changed: EROFS/)])
    expect(stderr).not.toContain('bug')
  })

  it('keep their permissions', async () => {
    const home = newHome()
    const file = put(home, FILES.codex[0], '{}')
    for (const mode of [0o600, 0o664]) {
      chmodSync(file, mode)
      await run(home, mode === 0o600 ? 'install' : 'uninstall', 'codex', '--yes')
      if (existsSync(file)) expect(statSync(file).mode & 0o777).toBe(mode)
    }
  })
})

describe('the copy of the settings', () => {
  // An edit does not bring back empty hooks, but the copy does.
  const SECRET = '{\n  "env": { "TOKEN": "s3cret" },\n  "hooks": {}\n}\n'
  const inProject = (home: string, cwd: string, ...args: string[]) =>
    loophound(args, '', { env: { HOME: home }, cwd })
  const STATE = '.local/state/loophound'

  /** The files and folders below a folder, with what is in them. */
  const treeOf = (folder: string) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .sort()
      .map((name) => {
        const place = path.join(folder, name)
        return [name, statSync(place).isFile() ? readFileSync(place, 'utf8') : null]
      })

  it.each(HOSTS)('of a project is not in it, and no trace is left: %s', async (host) => {
    const [home, project] = [newHome(), newHome()]
    const steps = async () => {
      const before = treeOf(project)
      const installed = await inProject(home, project, 'install', host, '--project', '--yes')
      expect(installed).toMatchObject({ code: 0, stderr: '' })
      const files = treeOf(project).flatMap(([name, text]) => (text === null ? [] : [name]))
      expect(files).toEqual([FILES[host][1]])
      const copies = copiesIn(home)
      const removed = await inProject(home, project, 'uninstall', host, '--project', '--yes')
      expect(removed).toMatchObject({ code: 0, stderr: '' })
      expect(treeOf(project)).toEqual(before)
      expect(copiesIn(home)).toEqual({})
      return { copies, stdout: installed.stdout }
    }
    expect((await steps()).copies).toEqual({})
    put(project, FILES[host][1], SECRET)
    const { copies, stdout } = await steps()
    const name = path.basename(FILES[host][1])
    expect(copies).toEqual({ [name]: SECRET })
    expect(stdout).toMatch(new RegExp(`before is in ${home}/${STATE}/settings/\\w+-${name}\n`))
  })

  it('is for its owner alone, one for each file, and outlasts sessions', async () => {
    const home = newHome()
    const projects = [newHome(), newHome()]
    for (const project of projects) {
      chmodSync(put(project, '.gemini/settings.json', `// ${project}\n${SECRET}`), 0o644)
      await inProject(home, project, 'install', 'gemini', '--project', '--yes')
    }
    const folder = path.join(home, STATE, 'settings')
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    const then = new Date(Date.now() - 30 * 24 * 60 * 60 * 1000)
    for (const name of readdirSync(folder)) {
      expect(statSync(path.join(folder, name)).mode & 0o777).toBe(0o600)
      utimesSync(path.join(folder, name), then, then)
    }
    utimesSync(folder, then, then)
    // A new session removes old state.
    await loophound(['hook'], JSON.stringify(recording('codex')[1]), { env: { HOME: home } })
    expect(readdirSync(path.join(home, STATE))).toHaveLength(2)
    for (const project of projects) {
      await inProject(home, project, 'uninstall', 'gemini', '--project', '--yes')
      const text = readFileSync(path.join(project, '.gemini/settings.json'), 'utf8')
      expect(text).toBe(`// ${project}\n${SECRET}`)
    }
    expect(copiesIn(home)).toEqual({})
  })

  it.each([
    ['cannot be created', (home: string) => put(home, STATE, ''), /EEXIST/],
    [
      'is shared',
      (home: string) => {
        mkdirSync(path.join(home, STATE), { recursive: true })
        chmodSync(path.join(home, STATE), 0o777)
      },
      /Others can write to .* XDG_STATE_HOME/,
    ],
    ...(isRoot
      ? [
          [
            "is another's",
            (home: string) => chownSync(home, 4242, 4242),
            /belongs to another user .* XDG_STATE_HOME/,
          ] as const,
        ]
      : []),
  ] as const)('is not made where the state folder %s: install says so', async (_, make, reason) => {
    const [home, project] = [newHome(), newHome()]
    make(home)
    const file = put(project, FILES.codex[1], SECRET)
    const installed = await inProject(home, project, 'install', 'codex', '--project', '--yes')
    expect(installed.code).toBe(0)
    expect(installed.stderr).toMatch(/There is no copy of what was there before/)
    expect(installed.stderr).toMatch(reason)
    expect(installed.stdout).toContain('is installed')
    expect(copiesIn(home)).toEqual({})
    expect(readdirSync(path.dirname(file))).toEqual(['hooks.json'])
    expect(readFileSync(file, 'utf8')).toContain('--host codex')
    const { code } = await inProject(home, project, 'uninstall', 'codex', '--project', '--yes')
    expect(code).toBe(0)
    const text = readFileSync(file, 'utf8')
    expect(text).toContain('s3cret')
    expect(text).not.toContain('loophound')
    // With sudo, nothing of root's may be left: the hook could not use it.
    const { uid } = statSync(home)
    for (const name of readdirSync(home, { recursive: true, encoding: 'utf8' })) {
      expect(statSync(path.join(home, name)).uid, name).toBe(uid)
    }
  })

  it('that an earlier version put beside the file is used, and removed', async () => {
    const home = newHome()
    const project = newHome()
    const file = put(project, FILES.codex[1], SECRET)
    const uninstall = () => inProject(home, project, 'uninstall', 'codex', '--project', '--yes')
    const install = (...options: string[]) =>
      inProject(home, project, 'install', 'codex', '--project', '--yes', ...options)
    const makeOld = async () => {
      await install()
      rmSync(path.join(home, STATE), { recursive: true })
      writeFileSync(`${file}.before-loophound`, SECRET)
    }
    await makeOld()
    await uninstall()
    expect(treeOf(project)).toEqual([
      ['.codex', null],
      [FILES.codex[1], SECRET],
    ])
    // It is moved when other options are installed.
    await makeOld()
    await install('--observe')
    expect(readdirSync(path.dirname(file))).toEqual(['hooks.json'])
    expect(copiesIn(home)).toEqual({ 'hooks.json': SECRET })
    await uninstall()
    expect(readFileSync(file, 'utf8')).toBe(SECRET)
    // What it cannot restore is not lost.
    await makeOld()
    const changed = readFileSync(file, 'utf8').replace('s3cret', 'new')
    writeFileSync(file, changed)
    await uninstall()
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ env: { TOKEN: 'new' } })
    expect(readdirSync(path.dirname(file))).toEqual(['hooks.json'])
    expect(copiesIn(home)).toEqual({ 'hooks.json': changed })
  })

  it('is no link and no pipe that came with a project', async () => {
    const home = newHome()
    const project = newHome()
    const file = put(project, FILES.codex[1], SECRET)
    const beside = `${file}.before-loophound`
    const own = put(home, 'own.txt', 'mine')
    symlinkSync(own, beside)
    await inProject(home, project, 'install', 'codex', '--project', '--yes')
    expect([readFileSync(own, 'utf8'), lstatSync(beside).isSymbolicLink()]).toEqual(['mine', true])
    rmSync(beside)
    spawnSync('mkfifo', [beside])
    const again = ['install', 'codex', '--project', '--yes', '--observe']
    expect((await inProject(home, project, ...again)).code).toBe(0)
    await inProject(home, project, 'uninstall', 'codex', '--project', '--yes')
    expect(readFileSync(file, 'utf8')).toBe(SECRET)
  })

  it('and the new file can be read by nobody else while they are written', async () => {
    const home = newHome()
    chmodSync(put(home, FILES.codex[0], SECRET), 0o600)
    const before = `import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module'
      const write = fs.writeFileSync
      fs.writeFileSync = (file, ...rest) => {
        write(file, ...rest)
        console.error('mode ' + (fs.statSync(file).mode & 0o777).toString(8))
      }
      syncBuiltinESMExports()`
    const args = ['install', 'codex', '--yes']
    const { stderr } = await loophound(args, '', { env: { HOME: home }, before })
    expect(stderr).toBe('mode 600\nmode 600\n')
  })
})

/** `script` runs a command on a terminal of its own. */
const hasTerminal = spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0

describe.skipIf(!hasTerminal)('on a terminal', () => {
  it.each([
    ['y', 'y\n', 0],
    ['nothing', '\n', 1],
    ['Ctrl+D', '\x04', 1],
  ])('asks, and takes %s for an answer', (_, input, code) => {
    const home = newHome()
    const command = `'${process.execPath}' '${inRoot('pkg/dist/cli.js')}' install codex`
    const { status, stdout } = spawnSync('script', ['-qec', command, '/dev/null'], {
      input,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: home },
      timeout: 20_000,
    })
    expect([status, stdout]).toEqual([code, expect.stringContaining('Make this change? [y/N]')])
    expect(stdout).toContain(code === 0 ? 'loophound doctor codex' : 'Nothing was changed.')
    expect(existsSync(path.join(home, FILES.codex[0]))).toBe(code === 0)
  })
})

describe.skipIf(!hasTerminal)('on a terminal', () => {
  it('the doctor prints colours, and not their codes', () => {
    const command = `'${process.execPath}' '${inRoot('pkg/dist/cli.js')}' doctor codex`
    const doctor = (more: Record<string, string>) =>
      spawnSync('script', ['-qec', command, '/dev/null'], {
        encoding: 'utf8',
        env: { PATH: process.env.PATH, HOME: newHome(), TERM: 'xterm', ...more },
        timeout: 20_000,
      }).stdout
    const coloured = doctor({})
    expect(coloured).toContain('\u001b[2mnot installed\u001b[22m')
    expect(coloured).not.toContain('\\u001b')
    expect(doctor({ NO_COLOR: '1' })).not.toContain('\u001b')
  })
})

describe('the home folder', () => {
  it.each(['', 'relative'])('is never the current one: HOME is %j', async (HOME) => {
    const [home, project] = [newHome(), newHome()]
    // The home folder of the account, which the test must not write to.
    const before = `import os from 'node:os'; import { syncBuiltinESMExports } from 'node:module'
      os.userInfo = () => ({ homedir: ${JSON.stringify(home)} })
      syncBuiltinESMExports()`
    for (const host of HOSTS) {
      const args = ['install', host, '--yes']
      const { code } = await loophound(args, '', { env: { HOME }, cwd: project, before })
      expect(code).toBe(0)
      expect(existsSync(path.join(home, FILES[host][0]))).toBe(true)
    }
    expect(readdirSync(project)).toEqual([])
  })

  it.each(['install', 'uninstall', 'doctor'])('%s says when there is none', async (command) => {
    const before = `import os from 'node:os'; import { syncBuiltinESMExports } from 'node:module'
      os.userInfo = () => { throw new Error('no account') }
      syncBuiltinESMExports()`
    const args = [command, 'cursor']
    const { code, stdout, stderr } = await loophound(args, '', { env: { HOME: '' }, before })
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/There is no home folder.*HOME/s)
    expect(stderr).not.toContain('bug')
  })
})

it('a project can have the hook without a home folder', async () => {
  const project = newHome()
  const before = `import os from 'node:os'; import { syncBuiltinESMExports } from 'node:module'
    os.userInfo = () => { throw new Error('no account') }
    syncBuiltinESMExports()`
  for (const host of HOSTS) {
    for (const command of ['install', 'uninstall']) {
      const args = [command, host, '--project', '--yes']
      const outcome = await loophound(args, '', { env: { HOME: '' }, cwd: project, before })
      expect(outcome).toMatchObject({ code: 0, stderr: '' })
    }
  }
})

describe('without a terminal', () => {
  it('nothing is changed unless --yes says so', async () => {
    const home = newHome()
    const { code, stdout, stderr } = await run(home, 'install', 'cursor')
    expect([code, stderr]).toEqual([2, expect.stringContaining('--yes')])
    expect(stdout).toContain('+')
    expect(existsSync(path.join(home, '.cursor'))).toBe(false)
  })

  it('--print shows the file as it would be', async () => {
    const home = newHome()
    const { code, stdout } = await run(home, 'install', 'cursor', '--print')
    expect(code).toBe(0)
    expect(Object.keys(JSON.parse(stdout).hooks)).toContain('preToolUse')
    expect(existsSync(path.join(home, '.cursor'))).toBe(false)
  })

  it.each(['claude', 'qwen', 'gemini'])('the first word of a host is enough: %s', async (name) => {
    const home = newHome()
    const { code, stdout } = await run(home, 'install', name, '--print')
    expect([code, stdout]).toEqual([0, expect.stringContaining(`--host ${name}-c`)])
    const event = JSON.stringify(recording('loop')[1])
    const state = ['--state-dir', path.join(home, 'state')]
    const outcome = await loophound(['hook', '--host', name, ...state], event)
    expect(outcome).toEqual({ code: 0, stdout: '{}\n', stderr: '' })
  })

  it.each([
    ['no host', ['install'], /Which host/],
    ['a host that there is not', ['install', 'vim'], /no host "vim"/],
    ['a state folder without a name', ['install', 'codex', '--state-dir', ''], /is empty/],
    ['both scopes', ['install', 'codex', '--user', '--project'], /not both/],
    ['a preset that there is not', ['install', 'codex', '--preset', 'x'], /preset/],
  ])('%s is a mistake', async (_, args, message) => {
    const { code, stderr } = await run(newHome(), ...args)
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)])
  })
})

describe('a session of Codex, as it was recorded', () => {
  it('with eight identical failures, is told and refused by what install wrote', async () => {
    const home = newHome()
    await run(home, 'install', 'codex', '--yes')
    const { hooks } = JSON.parse(readFileSync(path.join(home, FILES.codex[0]), 'utf8'))
    const said: string[] = []
    const refused = new Set<unknown>()
    for (const event of recording('codex')) {
      const [group] = hooks[event.hook_event_name as string] ?? []
      const isResult = event.hook_event_name === 'PostToolUse'
      // No result follows on a refused call.
      if (!group || (isResult && refused.has(event.tool_use_id))) continue
      const { status, stdout } = spawnSync('sh', ['-c', group.hooks[0].command], {
        input: JSON.stringify(event),
        encoding: 'utf8',
        env: { HOME: home },
      })
      expect(status).toBe(0)
      const { hookSpecificOutput: output } = JSON.parse(stdout)
      if (output?.additionalContext) said.push('nudge')
      if (output?.permissionDecision === 'deny') {
        said.push('deny')
        refused.add(event.tool_use_id)
      }
    }
    expect(said[0]).toBe('nudge')
    expect(said).toContain('deny')
  })
})

describe('the command that is installed', () => {
  const home = newHome()
  const place = path.join(home, "it's $HOME here")
  const event = JSON.stringify(recording('copilot')[2])
  const sh = (command: string) =>
    spawnSync('sh', ['-c', command], { input: event, encoding: 'utf8', env: { HOME: home } })

  it('works from a folder with any name, and refuses nothing when the package is gone', () => {
    cpSync(inRoot('pkg'), place, { recursive: true })
    const install = (host: string) =>
      spawnSync(process.execPath, [path.join(place, 'dist/cli.js'), 'install', host, '--print'], {
        encoding: 'utf8',
        env: { HOME: home },
      }).stdout
    const [command = ''] = commandsIn(install('copilot'))
    expect(sh(command)).toMatchObject({ status: 0, stdout: '{}\n', stderr: '' })
    rmSync(place, { recursive: true })
    for (const host of ['copilot']) {
      expect(sh(command), host).toMatchObject({ status: 0, stdout: '{}\n' })
    }
  })

  it('names links that outlast an update, where folders have the version in their names', async () => {
    const folder = newHome()
    const { version } = JSON.parse(readFileSync(inRoot('pkg/package.json'), 'utf8'))
    // As Homebrew and pnpm have it.
    const node = path.join(folder, 'Cellar/node', process.versions.node, 'bin/node')
    const modules = path.join(folder, 'node_modules')
    const store = path.join(modules, `.pnpm/loophound@${version}/node_modules/loophound`)
    const bin = path.join(folder, 'bin')
    for (const made of [path.dirname(node), bin]) mkdirSync(made, { recursive: true })
    writeFileSync(node, '')
    symlinkSync(node, path.join(bin, 'node'))
    cpSync(inRoot('pkg'), store, { recursive: true })
    symlinkSync(store, path.join(modules, 'loophound'))
    const before = `data:text/javascript,${encodeURIComponent(`process.execPath = '${node}'`)}`
    const print = (cli: string, PATH: string, env = {}) => {
      const args = ['--import', before, cli, 'install', 'codex', '--print']
      const { stdout } = spawnSync(process.execPath, args, {
        encoding: 'utf8',
        env: { HOME: home, PATH, ...env },
      })
      return commandsIn(stdout)[0]
    }
    const real = path.join(store, 'dist/cli.js')
    const linked = path.join(modules, 'loophound/dist/cli.js')
    expect(print(real, bin)).toBe(`'${bin}/node' '${linked}' hook --host codex`)
    const shell = path.join(folder, 'shell')
    symlinkSync(path.dirname(path.dirname(node)), shell)
    expect(print(real, `${shell}/bin`)).toContain(`'${shell}/bin/node'`)
    // fnm links the folder for one shell only.
    expect(print(real, `${shell}/bin`, { FNM_MULTISHELL_PATH: shell })).toBe(
      `'${node}' '${linked}' hook --host codex`,
    )
  })

  it('runs in PowerShell on Windows, also where cmd.exe is the default', async () => {
    const before = `Object.defineProperty(process, 'platform', { value: 'win32' })`
    const args = ['install', 'qwen-code', '--print']
    const env = { USERPROFILE: home, HOME: home }
    const { code, stdout } = await loophound(args, '', { env, before })
    expect(code).toBe(0)
    const [{ hooks }] = JSON.parse(stdout).hooks.PreToolUse
    expect(hooks[0]).toMatchObject({
      shell: 'powershell',
      command: expect.stringMatching(/^& '.*--host qwen-code; exit 0$/),
    })
  })

  it('from a folder that is emptied now and then is warned of', async () => {
    const cache = path.join(newHome(), '.npm/_npx/1f2e/node_modules/loophound')
    cpSync(inRoot('pkg'), cache, { recursive: true })
    const runCached = (...args: string[]) =>
      spawnSync(process.execPath, [path.join(cache, 'dist/cli.js'), ...args], {
        encoding: 'utf8',
        env: { HOME: home },
      })
    const installed = runCached('install', 'cursor', '--yes')
    expect(installed).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(/emptied now and then.*npm install --global loophound/s),
    })
    const doctor = runCached('doctor', 'cursor')
    expect([doctor.status, doctor.stdout]).toEqual([1, expect.stringContaining('emptied now and')])
  })

  it('with a mistake in its options, refuses nothing in Copilot', async () => {
    const { code } = await loophound(['hook', '--host', 'copilot', '--preset', 'none'], event)
    expect(code).toBe(0)
  })
})

describe('the doctor', () => {
  it('says what is wrong, and what to do', async () => {
    const home = newHome()
    await run(home, 'install', 'codex', '--yes')
    const file = path.join(home, FILES.codex[0])
    const config = JSON.parse(readFileSync(file, 'utf8'))
    delete config.hooks.PostToolUse
    const text = JSON.stringify(config)
    writeFileSync(file, text.replaceAll('/cli.js', '/gone/cli.js'))
    const { code, stdout } = await run(home, 'doctor')
    expect(code).toBe(1)
    expect(stdout).toMatch(/not told of PostToolUse/)
    expect(stdout).toMatch(/It is gone: .*gone\/cli\.js/)
    expect(stdout).toMatch(/loophound install codex/)
  })

  it('names the options that the hook has, so that they are not lost', async () => {
    const home = newHome()
    const state = path.join(home, "it's here")
    const options = ['--preset', 'nudge', '--state-dir', state, '--observe']
    for (const host of ['codex', 'copilot'] as const) {
      await run(home, 'install', host, '--yes', ...options)
      const file = path.join(home, FILES[host][0])
      const text = readFileSync(file, 'utf8')
      writeFileSync(file, text.replaceAll('/cli.js', '/gone/cli.js'))
      const { stdout } = await run(home, 'doctor', host)
      const [again = ''] = new RegExp(`loophound install ${host}.*`).exec(stdout) ?? []
      const words = spawnSync('sh', ['-c', `printf '%s\\n' ${again}`], { encoding: 'utf8' })
      const [, , , ...args] = words.stdout.trim().split('\n')
      expect(args).toEqual(options)
      expect((await run(home, 'install', host, '--yes', ...args)).code).toBe(0)
      expect(readFileSync(file, 'utf8')).toBe(text)
    }
  })

  it('knows the hook that is sent over HTTP, which uninstall takes out', async () => {
    const home = newHome()
    const { url, token } = await serveHooks('--state-dir', path.join(home, 'state'))
    const hook = { type: 'http', url, headers: { Authorization: `Bearer ${token}` }, timeout: 5 }
    await run(home, 'install', 'claude-code', '--yes')
    const file = path.join(home, FILES['claude-code'][0])
    const { hooks } = JSON.parse(readFileSync(file, 'utf8'))
    for (const [group] of Object.values(hooks) as [{ hooks: unknown[] }][]) group.hooks = [hook]
    writeFileSync(file, JSON.stringify({ model: 'opus', hooks }))
    const { code, stdout } = await run(home, 'doctor', 'claude-code')
    expect([code, stdout]).toEqual([0, expect.stringContaining(`is sent to ${url}`)])
    await run(home, 'uninstall', 'claude-code', '--yes')
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ model: 'opus' })
  })

  it('says when sessions show calls and no results', async () => {
    const home = newHome()
    await run(home, 'install', 'codex', '--yes')
    const call = recording('codex').find(({ hook_event_name: name }) => name === 'PreToolUse')
    await loophound(['hook'], JSON.stringify(call), { env: { HOME: home } })
    const { code, stdout } = await run(home, 'doctor', 'codex')
    expect([code, stdout]).toEqual([1, expect.stringMatching(/1 call, 0 reports of results/)])
  })

  it('says so when the last session is long ago', async () => {
    const home = newHome()
    await run(home, 'install', 'codex', '--yes')
    await loophound(['hook'], JSON.stringify(recording('codex')[1]), { env: { HOME: home } })
    const state = path.join(home, '.local/state/loophound')
    const then = new Date(Date.now() - 8 * 24 * 60 * 60 * 1000)
    for (const name of readdirSync(state)) utimesSync(path.join(state, name), then, then)
    const { code, stdout } = await run(home, 'doctor', 'codex')
    expect([code, stdout]).toEqual([0, expect.stringContaining('no session in the last 7 days')])
  })

  it('says where the state is that the settings name, and when none can be kept', async () => {
    const home = newHome()
    const state = path.join(home, "it's here")
    await run(home, 'install', 'codex', '--yes', '--state-dir', state)
    const event = JSON.stringify(recording('codex')[1])
    await loophound(['hook', '--host', 'codex', '--state-dir', state], event)
    const fine = await run(home, 'doctor', 'codex')
    expect(fine.stdout).toContain(`keeps its state in ${state}`)
    expect(fine.stdout).toContain('1 session in the last 7 days')
    chmodSync(state, 0o777)
    const { code, stdout } = await run(home, 'doctor', 'codex')
    expect([code, stdout]).toEqual([1, expect.stringMatching(/State cannot be kept: Others can/)])
    expect(stdout).toMatch(/folder: loophound install codex --state-dir <path>\n/)
  })

  it('says when hooks are switched off, as install does', async () => {
    const home = newHome()
    put(home, FILES['claude-code'][0], '{ "disableAllHooks": true }')
    const installed = await run(home, 'install', 'claude-code', '--yes')
    expect(installed).toMatchObject({ code: 0, stderr: expect.stringContaining('switched off') })
    const { code, stdout } = await run(home, 'doctor', 'claude-code')
    expect([code, stdout]).toEqual([1, expect.stringContaining('switched off')])
  })

  it.each([
    ['claude-code', '.claude/settings.local.json', '{ "disableAllHooks": true }'],
    ['claude-code', '.claude/settings.json', '{ "disableAllHooks": true } // for now'],
    ['codex', '.codex/config.toml', 'features = { web_search = true, hooks = false }'],
    ['codex', '.codex/config.toml', '  [ features ]\n"codex_hooks" = false'],
    ['codex', '.codex/config.toml', 'model = "x"\nfeatures.hooks=false # not now\n[features.x]\n'],
    ['qwen-code', '.qwen/settings.json', '{ "disableAllHooks": true }'],
    ['gemini-cli', '.gemini/settings.json', '{ "hooksConfig": { "enabled": false } }'],
    ['gemini-cli', '.gemini/settings.json', '{ "hooksConfig": { "disabled": ["loophound"] } }'],
    ['copilot', '.github/copilot/settings.json', '{ "disableAllHooks": true }'],
  ] as const)('says when the project switches hooks off: %s, %s, %s', async (host, file, text) => {
    const [home, project] = [newHome(), newHome()]
    const inProject = (...args: string[]) =>
      loophound(args, '', { env: { HOME: home }, cwd: project })
    await run(home, 'install', host, '--yes')
    expect((await inProject('doctor', host)).code).toBe(0)
    const place = put(project, file, text)
    const { code, stdout } = await inProject('doctor', host)
    expect([code, stdout]).toEqual([1, expect.stringContaining('Hooks are switched off')])
    expect(stdout).toContain(`Remove it from ${place}`)
    expect(stdout).not.toContain('It is active')
  })

  it.each([
    ['claude-code', '.claude/settings.local.json', '{ "disableAllHooks": false }'],
    [
      'codex',
      '.codex/config.toml',
      '[features]\nhooks = true\n[profiles.x.features]\nhooks = false',
    ],
  ] as const)('believes the project that switches hooks on again: %s', async (host, file, text) => {
    const [home, project] = [newHome(), newHome()]
    await run(home, 'install', host, '--yes')
    if (host === 'codex') put(home, '.codex/config.toml', '[features]\nhooks = false')
    else {
      const settings = path.join(home, FILES[host][0])
      const config = JSON.parse(readFileSync(settings, 'utf8'))
      writeFileSync(settings, JSON.stringify({ ...config, disableAllHooks: true }))
    }
    expect((await run(home, 'doctor', host)).code).toBe(1)
    put(project, file, text)
    const { code } = await loophound(['doctor', host], '', { env: { HOME: home }, cwd: project })
    expect(code).toBe(0)
  })

  it('leaves nothing of its own where state is kept, and says the same each time', async () => {
    const home = newHome()
    const state = path.join(home, 'state')
    await run(home, 'install', 'codex', '--yes', '--state-dir', state)
    for (const _ of [1, 2, 3, 4]) {
      const { code, stdout } = await run(home, 'doctor', 'codex')
      expect([code, stdout]).toEqual([0, expect.stringContaining('no session')])
      expect(stdout).toContain(`keeps its state in ${state}`)
    }
    expect(readdirSync(state)).toEqual([])
  })

  it('reads a folder for state as the shell does, and creates none of another name', async () => {
    const home = newHome()
    await run(home, 'install', 'codex', '--yes', '--state-dir', path.join(home, 'state'))
    const file = path.join(home, FILES.codex[0])
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replaceAll(`'${home}/state'`, '\\"$HOME/state\\"'))
    const { code, stdout } = await run(home, 'doctor', 'codex')
    expect([code, stdout]).toEqual([0, expect.stringContaining(`state in ${home}/state\n`)])
    expect(readdirSync(path.join(home, 'state'))).toEqual([])
    writeFileSync(file, text.replaceAll(`'${home}/state'`, '$PLACE'))
    const env = { HOME: home, PLACE: path.join(home, 'state') }
    const elsewhere = await loophound(['doctor', 'codex'], '', { env, cwd: home })
    expect(elsewhere).toMatchObject({ code: 0, stderr: '' })
    expect(readdirSync(home).sort()).toEqual(['.codex', '.local', 'state'])
  })

  it("finds the hook in Claude Code's committed settings, and uninstall takes it out there", async () => {
    const [home, project] = [newHome(), newHome()]
    const example = readFileSync(inRoot('examples/claude-code/settings.json'), 'utf8')
    const file = put(project, '.claude/settings.json', example)
    const inProject = (...args: string[]) =>
      loophound(args, '', { env: { HOME: home }, cwd: project })
    expect((await inProject('doctor', 'claude')).stdout).toContain(`installed in ${file}`)
    const installed = await inProject('install', 'claude', '--project', '--yes')
    expect(installed.stderr).toContain(`It is in ${file} as well`)
    const first = await inProject('uninstall', 'claude', '--project', '--yes')
    expect([first.code, first.stderr]).toEqual([1, expect.stringContaining(`still in ${file}`)])
    expect((await inProject('uninstall', 'claude', '--project', '--yes')).code).toBe(0)
    expect(existsSync(file)).toBe(false)
  })

  it("finds the hook in Codex's config.toml, which uninstall does not change", async () => {
    const home = newHome()
    const text = `model = "x"
[[hooks.PreToolUse]]
matcher = "^Bash$"
[[hooks.PreToolUse.hooks]]
type = "command"
command = '/gone/loophound hook'
`
    const file = put(home, '.codex/config.toml', text)
    const { code, stdout } = await run(home, 'doctor', 'codex')
    expect([code, stdout]).toEqual([1, expect.stringContaining(`installed in ${file}`)])
    expect(stdout).toMatch(/It is gone: \/gone\/loophound/)
    const removed = await run(home, 'uninstall', 'codex', '--yes')
    expect([removed.code, removed.stderr]).toEqual([
      1,
      expect.stringContaining(`Remove it from ${file}`),
    ])
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  it('knows a command by its path, of whatever version, and says of a failing one what it said', async () => {
    const home = newHome()
    const cli = path.join(home, 'loophound/dist/cli.js')
    put(home, 'loophound/package.json', '{ "name": "loophound", "version": "0.0.1" }')
    put(home, 'loophound/dist/cli.js', '#!/usr/bin/env node\nmissing()\n')
    chmodSync(cli, 0o755)
    mkdirSync(path.join(home, 'bin'))
    symlinkSync(cli, path.join(home, 'bin/loophound'))
    const hooks = [{ type: 'command', command: `${home}/bin/loophound hook` }]
    put(home, FILES.codex[0], JSON.stringify({ hooks: { PreToolUse: [{ hooks }] } }))
    const { stdout } = await run(home, 'doctor', 'codex')
    expect(stdout).toMatch(/It runs version 0\.0\.1; this is /)
    expect(stdout).not.toContain('search for the program')
    expect(stdout).toMatch(
      /does not work \(exit code 1\): ReferenceError: missing is not defined\n/,
    )
  })

  it('does not run what a project came with', async () => {
    const [home, project] = [newHome(), newHome()]
    const command = `touch '${project}/ran'; loophound hook`
    const hooks = { PreToolUse: [{ hooks: [{ type: 'command', command }] }] }
    put(project, FILES.codex[1], JSON.stringify({ hooks }))
    const examine = () => loophound(['doctor', 'codex'], '', { env: { HOME: home }, cwd: project })
    expect((await examine()).stdout).toContain('not tried out')
    expect(existsSync(path.join(project, 'ran'))).toBe(false)
    const install = ['install', 'codex', '--project', '--observe', '--yes']
    await loophound(install, '', { env: { HOME: home }, cwd: project })
    expect((await examine()).stdout).toContain('answers a call and its result')
  })

  it("reads Codex's other settings, and says what Codex cannot read", async () => {
    const home = newHome()
    const file = put(home, FILES.codex[0], '{ "hooks": {}, }')
    await run(home, 'install', 'codex', '--yes')
    expect((await run(home, 'doctor', 'codex')).stdout).toContain('reads no comments')
    writeFileSync(file, '')
    await run(home, 'install', 'codex', '--yes')
    const toml = put(home, '.codex/config.toml', '[features]\r\nhooks = true\r\n')
    expect((await run(home, 'doctor', 'codex')).code).toBe(0)
    writeFileSync(
      toml,
      `model = "x"
[features] # all of them
web_search = true
hooks = false
[[hooks.Stop]]
[[hooks.Stop.hooks]]
type = "command"
command = "npx loophound hook"
`,
    )
    const { code, stdout } = await run(home, 'doctor', 'codex')
    expect(code).toBe(1)
    expect(stdout).toContain('switched off: hooks = false')
    expect(stdout).toMatch(/It is in .*config\.toml as well/)
    expect(readFileSync(toml, 'utf8')).toContain('hooks = false')
  })
})
