/** The command as a user meets it: help, version, scan, and errors that tell the next step. */

import { execFileSync } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { presets } from 'loophound'
import { describe, expect, it } from 'vitest'
import { inRoot, readPage } from '../docs/pages.js'
import { loophound, temporaryFolder } from './run.js'

const folder = temporaryFolder()
const sample = (name: string) => inRoot(`examples/${name}.json`)

describe('loophound', () => {
  it('is an executable of the package', () => {
    const { bin } = JSON.parse(readFileSync(inRoot('pkg/package.json'), 'utf8'))
    const file = inRoot(`pkg/${bin.loophound}`)
    expect(readFileSync(file, 'utf8').startsWith('#!/usr/bin/env node\n')).toBe(true)
    if (process.platform === 'win32') return
    expect(statSync(file).mode & 0o111).toBe(0o111)
    expect(execFileSync(file, ['--version'], { encoding: 'utf8' })).toMatch(/^\d+\.\d+\.\d+\n$/)
  })

  it.each([['--version'], ['-v']])('%s is that of the package', async (option) => {
    const { version } = JSON.parse(readFileSync(inRoot('pkg/package.json'), 'utf8'))
    expect(await loophound([option])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  })

  it.each([
    [[], 'loophound scan <transcript>'],
    [['--help'], 'loophound scan <transcript>'],
    [['help'], 'loophound scan <transcript>'],
    [['help', 'scan'], '--json'],
    [['scan', '--help'], '--json'],
    [['hook', '-h'], '--state-dir <path>'],
  ])('%j helps', async (args, part) => {
    const { code, stdout, stderr } = await loophound(args)
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain(part)
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(100)
  })

  it('names all presets in its help', async () => {
    const { stdout } = await loophound(['scan', '--help'])
    for (const name of Object.keys(presets)) expect(stdout).toContain(name)
  })

  it('lists the commands when there is no such command', async () => {
    const { code, stdout, stderr } = await loophound(['scna'])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain('There is no command "scna".')
    expect(stderr).toContain('There are: hook, scan.')
  })
})

describe('loophound scan', () => {
  it('exits with 1 when there is a loop, and shows it', async () => {
    const { code, stdout, stderr } = await loophound([
      'scan',
      '--preset',
      'nudge',
      sample('nudge-same-call'),
    ])
    expect([code, stderr]).toEqual([1, ''])
    expect(stdout).toContain('exact-repeat  read_file({"path":"config/settings.yaml"})')
    expect(stdout).toContain('A loop was found')
    expect(stdout).not.toContain('\u001b')
    for (const line of stdout.split('\n').slice(1)) expect(line.length).toBeLessThanOrEqual(100)
  })

  it('exits with 0 when there is none', async () => {
    const { code, stdout } = await loophound(['scan', sample('healthy')])
    expect(code).toBe(0)
    expect(stdout).toContain('No loop found.')
  })

  it('reads standard input, and prints the report as JSON', async () => {
    const text = readFileSync(sample('openai-chat'), 'utf8')
    const { stdout } = await loophound(['scan', '-', '--json', '--preset', 'cycles'], text)
    const report = JSON.parse(stdout)
    expect(report.format).toBe('openai-chat')
    expect(report.findings.length).toBeGreaterThan(0)
  })

  it('takes options from a file', async () => {
    const file = path.join(folder, 'options.json')
    writeFileSync(file, JSON.stringify({ preset: 'window', threshold: 50, window: 100 }))
    const { code } = await loophound(['scan', '--options', file, sample('nudge-same-call')])
    expect(code).toBe(0)
  })

  const broken = path.join(folder, 'broken.json')
  writeFileSync(broken, '{"what": ')

  it.each([
    [['scan'], 'Which transcript?'],
    [['scan', 'a.json', 'b.json'], 'One transcript at a time; got 2.'],
    [['scan', 'none.json'], 'There is no file none.json.'],
    [['scan', broken], 'broken.json cannot be read: transcript: looked for JSON'],
    [['scan', '--preset', 'best', broken], 'options.preset must be one of'],
    [['scan', '--options', broken, broken], '--options '],
    [['scan', '--format', 'best', sample('healthy')], 'cannot be read'],
    [['scan', '--colour', broken], "Unknown option '--colour'."],
    [['scan', '--preset'], '--preset'],
  ])('%j exits with 2, and says what to do', async (args, message) => {
    const { code, stdout, stderr } = await loophound(args)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(message)
    expect(stderr.trim().split('\n').length).toBe(2)
  })
})

describe('docs/cli.md', () => {
  const page = readPage('docs/cli.md')

  it('quotes the settings that are tested with Claude Code', () => {
    const [block] = page.blocks.filter(({ language }) => language === 'json')
    expect(`${block?.code}\n`).toBe(
      readFileSync(inRoot('examples/claude-code/settings.json'), 'utf8'),
    )
  })

  it('shows what the command prints', async () => {
    const shown = page.blocks.filter(({ note }) => note.startsWith('output of '))
    expect(shown.length).toBeGreaterThan(1)
    for (const { note, code } of shown) {
      const [, ...args] = note.replace('output of ', '').split(' ')
      const { stdout } = await loophound(
        args.map((arg) => arg.replace(/^examples\//, inRoot('examples/'))),
      )
      expect(stdout.replaceAll(inRoot('examples/'), 'examples/').trimEnd()).toBe(code)
    }
  })
})
