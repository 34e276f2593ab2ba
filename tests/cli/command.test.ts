/** The command as a user meets it: help, version, and errors that tell the next step. */

import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { presets } from 'loophound'
import { describe, expect, it } from 'vitest'
import { inRoot, readPage } from '../docs/pages.js'
import { loophound } from './run.js'

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
    [['explain', '-h'], '[call]'],
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

  it.each([[['hok']], [['--preset', 'nudge', 'hook']]])(
    'lists the commands for %j, and exits with 1: 2 would block an agent',
    async (args) => {
      const { code, stdout, stderr } = await loophound(args)
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toContain(`There is no command "${args[0]}".`)
      expect(stderr).toContain('There are: hook, scan, explain, swarm, install, uninstall, doctor.')
    },
  )
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

describe('loophound swarm', () => {
  it.each([
    [['swarm'], 'Which server? Give --redis <url>, or set REDIS_URL.'],
    [['swarm', '--redis', 'http://localhost'], 'must be a URL that begins with redis://'],
    [['swarm', 'show', '--redis', 'redis://localhost'], '"show" is not known.'],
    [
      ['swarm', '--redis', 'redis://:secret@127.0.0.1:1'],
      'The server cannot be reached: connect ECONNREFUSED',
    ],
  ])('%j tells what is wrong', async (args, part) => {
    const { code, stdout, stderr } = await loophound(args)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(part)
    expect(stderr).not.toContain('secret')
  })
})
