/** Hooks in made-up settings: nothing else changes, whatever their form and their comments. */

import fc from 'fast-check'
import { createScanner, type ParseError, parse } from 'jsonc-parser'
import { describe, expect, it } from 'vitest'
import { addHooks, findHooks, isMadeFrom, removeHooks } from '../../js/cli/install/edit.js'
import { SETUPS } from '../../js/cli/install/hosts.js'

type Fields = Record<string, unknown>

const space = fc.constantFrom(
  ...['', ' ', '\n', '\n  ', '\n\t', '\r\n', ' /* x, " */ '],
  ...[' // c, } ] \n', '\n  // on its own\n  '],
)
const value = fc.constantFrom('1', 'true', 'null', '"s // not"', '"/* no */"', '{}', '[]', '[1,2]')
const hook = fc.constantFrom(
  '{ "type": "command", "command": "fmt" }',
  '{"hooks":[{"type":"command","command":"fmt // x"}]}',
  '{\n "matcher": "Bash", // m\n "hooks": [\n  { "command": "a" },\n  { "command": "b" }\n ]\n}',
)

/** Items between brackets, with anything between them, and perhaps a comma at the end. */
const between = (open: string, items: fc.Arbitrary<string[]>, close: string) =>
  fc
    .tuple(items, fc.array(space, { minLength: 9, maxLength: 9 }), fc.boolean())
    .map(([parts, [end = '', ...spaces], hasComma]) => {
      const spaced = parts.map((part, i) => `${spaces[2 * i]}${part}${spaces[2 * i + 1]}`)
      const comma = hasComma && parts.length > 0 ? ',' : ''
      return `${open}${spaced.join(',')}${comma}${end}${close}`
    })

const object = (names: readonly string[], content: fc.Arbitrary<string>) => {
  const properties = fc
    .tuple(
      fc.subarray([...names], { maxLength: 3 }),
      fc.array(content, { minLength: 3, maxLength: 3 }),
    )
    .map(([keys, values]) => keys.map((key, i) => `"${key}": ${values[i]}`))
  return between('{', properties, '}')
}

const EVENTS = ['BeforeTool', 'PreToolUse', 'preToolUse', 'Stop', 'stop', 'Other']

const hooksOf = (content: fc.Arbitrary<string>) =>
  fc
    .tuple(object(EVENTS, between('[', fc.array(content, { maxLength: 3 }), ']')), fc.boolean())
    // gemini-cli had such a setting among the events.
    .map(([text, hasSetting]) => (hasSetting ? text.replace('{', '{ "enabled": true,') : text))

const settingsWith = (content: fc.Arbitrary<string>) =>
  fc
    .tuple(
      fc.array(fc.tuple(fc.constantFrom('theme', 'model', 'env'), value), { maxLength: 2 }),
      fc.option(hooksOf(content)),
    )
    .chain(([others, ours]) => {
      const own = new Map<string, string>(others)
      if (ours !== null) own.set('hooks', ours)
      const properties = [...own].map(([name, content]) => `"${name}": ${content}`)
      return between('{', fc.constant(properties), '}')
    })
const settings = settingsWith(hook)

/** Hooks of ours as people write them, alone, with options of the host, and among others. */
const OURS = [
  '{ "command": "npx -y loophound hook" }',
  '{ "type": "command", "bash": "loophound hook", "timeoutSec": 5 }',
  '{ "hooks": [{ "command": "node /opt/loophound/dist/cli.js hook --observe" }] }',
  '{ "matcher": "Bash", "hooks": [{ "command": "a" }, { "command": "npx loophound@1.2 hook" }] }',
]

const read = (text: string): Fields => parse(text, [], { allowTrailingComma: true })

/** The settings without events that have no hooks. */
function meaning(text: string): unknown {
  const { hooks: all = {}, version: _, ...rest } = read(text)
  const events = Object.entries(all as Fields).filter(([, list]) => !isEmpty(list))
  return { rest, hooks: Object.fromEntries(events) }
}

const isEmpty = (list: unknown): boolean => Array.isArray(list) && list.length === 0

/** Every command of others, in order. */
function foreignCommands(text: string): unknown[] {
  const { hooks: all = {} } = read(text)
  return Object.values(all as Fields)
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .flatMap((entry) => entry.hooks ?? [entry])
    .map(({ command, bash }) => command ?? bash)
    .filter((command) => !/loophound|cli\.js/.test(command))
}

function commentsIn(text: string): string[] {
  const scanner = createScanner(text)
  const comments: string[] = []
  for (let token = scanner.scan(); scanner.getPosition() < text.length; token = scanner.scan()) {
    // The kinds of comments, in an enum that cannot be imported.
    if (token !== 12 && token !== 13) continue
    const start = scanner.getTokenOffset()
    comments.push(text.slice(start, start + scanner.getTokenLength()).trim())
  }
  return comments
}

function isStrict(text: string): boolean {
  const errors: ParseError[] = []
  parse(text, errors)
  return errors.length === 0
}

describe.each(Object.entries(SETUPS))('%s', (host, setup) => {
  const command = `'/usr/bin/node' '/opt/cli.js' hook --host ${host}`

  it('hooks are added, replaced and removed, and nothing else changes', () => {
    fc.assert(
      fc.property(settings, (text) => {
        const added = addHooks(text, setup, command)
        expect([...findHooks(added, setup).keys()].sort()).toEqual([...setup.events].sort())
        expect(addHooks(added, setup, command)).toBe(added)
        const removed = removeHooks(addHooks(added, setup, `${command} --observe`), setup)
        for (const after of removed === null ? [added] : [added, removed]) {
          expect(commentsIn(after)).toEqual(commentsIn(text))
          if (isStrict(text)) expect(isStrict(after)).toBe(true)
        }
        // The file is removed if nothing else is in it.
        if (removed === null) expect(meaning(text)).toEqual({ rest: {}, hooks: {} })
        else expect(meaning(removed)).toEqual(meaning(text))
      }),
      { numRuns: 60 },
    )
  })

  it('hooks of ours that are there are replaced, and all others stay', () => {
    const mixed = settingsWith(fc.oneof(hook, fc.constantFrom(...OURS)))
    fc.assert(
      fc.property(mixed, (text) => {
        const added = addHooks(text, setup, command)
        expect(foreignCommands(added)).toEqual(foreignCommands(text))
        expect([...new Set(findHooks(added, setup).values())]).toEqual([command])
        expect(foreignCommands(removeHooks(added, setup) ?? '{}')).toEqual(foreignCommands(text))
      }),
      { numRuns: 60 },
    )
  })

  it('what was there before is told from what was made of it, which uninstall undoes', () => {
    fc.assert(
      fc.property(settings, fc.constantFrom('', '\ufeff'), (given, mark) => {
        const text = mark + given
        const added = addHooks(text, setup, command)
        expect(isMadeFrom(text, added, setup)).toBe(true)
        const again = addHooks(added, setup, `${command} --observe`)
        expect(isMadeFrom(text, again, setup)).toBe(true)
        expect(isMadeFrom(text, `${again}\n`, setup)).toBe(false)
      }),
      { numRuns: 60 },
    )
  })
})
