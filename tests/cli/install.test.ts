/** `loophound install`, `uninstall` and `doctor`, on settings that people have. */

import { spawnSync } from 'node:child_process'
import {
  chmodSync,
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
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
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

const run = (home: string, ...args: string[]) =>
  loophound(args, '', { env: { HOME: home }, cwd: home })

function put(home: string, file: string, text: string): string {
  const place = path.join(home, file)
  mkdirSync(path.dirname(place), { recursive: true })
  writeFileSync(place, text)
  return place
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
    expect(readFileSync(`${file}.before-loophound`, 'utf8')).toBe(text)
    expect(await run(home, 'install', host, '--yes')).toMatchObject({ code: 0 })
    expect(readFileSync(file, 'utf8')).toBe(changed)
    expect(await run(home, 'uninstall', host, '--yes')).toMatchObject({ code: 0, stderr: '' })
    expect(readFileSync(file, 'utf8')).toBe(text)
    expect(readdirSync(path.dirname(file))).toEqual([path.basename(file)])
  })

  it.each(['', '\n', '{}', '{ "hooks": {} }', '{\n  "hooks": { "Stop": [], },\n}\n'])(
    '%j: uninstall restores it, also after other options were installed',
    async (text) => {
      const home = newHome()
      const file = put(home, FILES['gemini-cli'][0], text)
      await run(home, 'install', 'gemini-cli', '--yes')
      await run(home, 'install', 'gemini-cli', '--yes', '--observe')
      expect(readFileSync(`${file}.before-loophound`, 'utf8')).toBe(text)
      const printed = await run(home, 'uninstall', 'gemini-cli', '--print')
      expect(printed).toEqual({ code: 0, stdout: text, stderr: '' })
      expect(await run(home, 'uninstall', 'gemini-cli', '--yes')).toMatchObject({ code: 0 })
      expect(readFileSync(file, 'utf8')).toBe(text)
      expect(readdirSync(path.dirname(file))).toEqual(['settings.json'])
      const again = await run(home, 'uninstall', 'gemini-cli', '--yes')
      expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('no hook of ours') })
    },
  )

  it('that were changed since: only the hooks go, and both are kept', async () => {
    const home = newHome()
    const file = put(home, FILES['gemini-cli'][0], '{ "theme": "Dracula" }\n')
    await run(home, 'install', 'gemini-cli', '--yes')
    const changed = readFileSync(file, 'utf8').replace('Dracula', 'GitHub')
    writeFileSync(file, changed)
    await run(home, 'uninstall', 'gemini-cli', '--yes')
    expect(readFileSync(file, 'utf8')).toBe('{ "theme": "GitHub" }\n')
    expect(readFileSync(`${file}.before-loophound`, 'utf8')).toBe(changed)
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
    expect([code, stdout]).toEqual([1, expect.stringMatching(/1 calls, 0 reports of results/)])
  })

  it('says where the state is that the settings name, and when none can be kept', async () => {
    const home = newHome()
    const state = path.join(home, "it's here")
    await run(home, 'install', 'codex', '--yes', '--state-dir', state)
    const event = JSON.stringify(recording('codex')[1])
    await loophound(['hook', '--host', 'codex', '--state-dir', state], event)
    const fine = await run(home, 'doctor', 'codex')
    expect(fine.stdout).toContain(`keeps its state in ${state}`)
    expect(fine.stdout).toContain('1 sessions in the last 7 days')
    chmodSync(state, 0o777)
    const { code, stdout } = await run(home, 'doctor', 'codex')
    expect([code, stdout]).toEqual([1, expect.stringMatching(/State cannot be kept: Others can/)])
    expect(stdout).toContain('loophound install codex --state-dir <path>')
  })

  it('says when hooks are switched off, as install does', async () => {
    const home = newHome()
    put(home, FILES['claude-code'][0], '{ "disableAllHooks": true }')
    const installed = await run(home, 'install', 'claude-code', '--yes')
    expect(installed).toMatchObject({ code: 0, stderr: expect.stringContaining('switched off') })
    const { code, stdout } = await run(home, 'doctor', 'claude-code')
    expect([code, stdout]).toEqual([1, expect.stringContaining('switched off')])
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
