/**
 * Adds our hooks to a host's settings and removes them, without changing anything else: comments,
 * order, indentation and line ends stay as they are.
 *
 * @module
 */

import { isDeepStrictEqual } from 'node:util'
import {
  createScanner,
  findNodeAtLocation,
  type JSONPath,
  type Node,
  type ParseError,
  parse,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser'
import type { Fields } from '../hook/dialect.js'
import { UsageError } from '../options.js'
import { hostIn, isOurs } from './command-line.js'
import type { HostSetup } from './hosts.js'

const MEND = 'Mend it, then try again.'
const UNSAFE = 'It is written in a way that cannot be changed safely.'
const BY_HAND = 'Change the hooks by hand: "loophound install <host> --print" shows ours.'

/** Returns a file's text with our hooks in it. */
export function addHooks(text: string, setup: HostSetup, command: string): string {
  const editor = new Editor(isBlank(text) ? `${JSON.stringify(setup.begin, null, 2)}\n` : text)
  // A file that lacks its version is refused by the host as a whole.
  for (const [key, value] of Object.entries(setup.begin)) {
    if (editor.at([key]) === undefined) editor.set([key], value)
  }
  const odd = setup.events.find((event) => {
    const value = editor.at(['hooks', event])
    return value !== undefined && !Array.isArray(value)
  })
  if (odd !== undefined) throw new UsageError(`"hooks.${odd}" is no array.`, MEND)
  const entry = setup.entry(command)
  for (const event of Object.keys(editor.hooks())) {
    if (!setup.events.includes(event)) takeOut(editor, setup, event)
  }
  for (const event of setup.events) {
    const entries = editor.entries(event)
    const [place, ...more] = entries.flatMap((given, at) => (hasOurs(given, setup) ? at : []))
    if (place !== undefined && more.length === 0) {
      const given = entries[place]
      if (isDeepStrictEqual(given, entry)) continue
      const [old = ''] = hooksOf(given, setup).flatMap((hook) => ourCommand(hook, setup) ?? [])
      // With another command only, it stays in its place.
      const isSame = isDeepStrictEqual(given, setup.entry(old))
      if (isSame && editor.replaceText(['hooks', event, place], old, command)) continue
    }
    takeOut(editor, setup, event)
    if (editor.at(['hooks', event]) === undefined) editor.set(['hooks', event], [entry])
    else editor.insert(['hooks', event], entry)
  }
  const isAdded = (event: string) =>
    editor.entries(event).some((given) => isDeepStrictEqual(given, entry))
  // If "hooks" is written twice, only the last one counts.
  if (!setup.events.every(isAdded)) throw new UsageError(UNSAFE, BY_HAND)
  return editor.finish(setup)
}

/** Returns a file's text without our hooks; `null` if nothing else remains. */
export function removeHooks(text: string, setup: HostSetup): string | null {
  const editor = new Editor(text)
  for (const event of Object.keys(editor.hooks())) takeOut(editor, setup, event)
  if (Object.keys(editor.hooks()).length === 0) editor.removeEmpty(['hooks'])
  const rest = editor.at([]) as Fields
  const own = Object.keys(rest).filter((key) => !isDeepStrictEqual(rest[key], setup.begin[key]))
  if (own.length === 0 && !hasComment(editor.text)) return null
  return editor.finish(setup)
}

/**
 * Returns whether a file is what {@link addHooks} made of an earlier text that had none of our hooks:
 * then nothing else has changed since.
 */
export function isMadeFrom(before: string, text: string, setup: HostSetup): boolean {
  const [command, ...others] = new Set(findHooks(text, setup).values())
  if (command === undefined || others.length > 0) return false
  try {
    return findHooks(before, setup).size === 0 && addHooks(before, setup, command) === text
  } catch {
    // A text that cannot be edited is not what it was made from.
    return false
  }
}

/** Finds our hooks in a file, by event. */
export function findHooks(text: string, setup: HostSetup): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  if (isBlank(text)) return found
  const editor = new Editor(text)
  for (const event of Object.keys(editor.hooks())) {
    for (const hook of editor.entries(event).flatMap((entry) => hooksOf(entry, setup))) {
      const command = ourCommand(hook, setup)
      if (command !== null) found.set(event, command)
    }
  }
  return found
}

/** Reads a file's settings. */
export const readConfig = (text: string): Fields => new Editor(text).at([]) as Fields

const isBlank = (text: string): boolean => text.trim() === ''

function takeOut(editor: Editor, setup: HostSetup, event: string): void {
  const entries = editor.entries(event)
  let isChanged = false
  // From the end, so that removing an entry does not move the next one.
  for (let index = entries.length - 1; index >= 0; index--) {
    const hooks = hooksOf(entries[index], setup)
    const ours = hooks.flatMap((hook, place) => (ourCommand(hook, setup) === null ? [] : place))
    if (ours.length === 0) continue
    isChanged = true
    const path = ['hooks', event, index]
    if (ours.length === hooks.length) editor.remove(path)
    else for (const place of ours.reverse()) editor.remove([...path, 'hooks', place])
  }
  if (isChanged && editor.entries(event).length === 0) editor.removeEmpty(['hooks', event])
}

const hasOurs = (entry: unknown, setup: HostSetup): boolean =>
  hooksOf(entry, setup).some((hook) => ourCommand(hook, setup) !== null)

/** Returns the hooks of an entry, which may be a group of them. */
function hooksOf(entry: unknown, { group }: HostSetup): readonly unknown[] {
  if (!group) return [entry]
  const hooks = (entry as Fields | null)?.[group]
  return Array.isArray(hooks) ? hooks : []
}

/** Returns the command of a hook, or the address that it is sent to, if it is ours for this host. */
function ourCommand(hook: unknown, { host }: HostSetup): string | null {
  const { command, bash, powershell, url } = (hook ?? {}) as Fields
  const ours = [command, bash, powershell, url].find(isOurs)
  if (typeof ours !== 'string') return null
  // Two hosts may share a file, by a link.
  const named = hostIn(ours)
  return named === null || named === host ? ours : null
}

/**
 * Returns the settings without our hooks and without what is empty then: these must stay the same.
 */
function foreign(config: unknown, setup: HostSetup): unknown {
  const { hooks, ...rest } = config as Fields
  const others = Object.entries((hooks ?? {}) as Fields).flatMap(([event, entries]) => {
    if (!Array.isArray(entries)) return [[event, entries]]
    const foreigners = entries.flatMap((entry) => {
      const all = hooksOf(entry, setup)
      const kept = all.filter((hook) => ourCommand(hook, setup) === null)
      if (kept.length === all.length) return [entry]
      return kept.length === 0 ? [] : [{ ...(entry as Fields), hooks: kept }]
    })
    return foreigners.length > 0 ? [[event, foreigners]] : []
  })
  return { ...setup.begin, ...rest, hooks: Object.fromEntries(others) }
}

const hasComment = (text: string): boolean =>
  /\/\/|\/\*/.test(text.replace(/"(?:[^"\\]|\\.)*"/g, '""'))

/** A JSON text, possibly with comments, and the edits to it. */
class Editor {
  text: string
  readonly #original: string
  readonly #mark: string

  constructor(text: string) {
    // Editors on Windows put a byte order mark before it.
    this.#mark = text.startsWith('\ufeff') ? '\ufeff' : ''
    this.text = text.slice(this.#mark.length)
    this.#original = this.text
    const problem = problemOf(this.text)
    if (problem) throw new UsageError(`It cannot be read: ${problem}.`, MEND)
  }

  at(path: JSONPath): unknown {
    let value: unknown = parse(this.text, [], { allowTrailingComma: true })
    for (const key of path) value = (value as Fields | undefined)?.[key]
    return value
  }

  hooks(): Fields {
    return (this.at(['hooks']) ?? {}) as Fields
  }

  /** Returns the entries of an event; none if it is something else, such as a setting for all hooks. */
  entries(event: string): readonly unknown[] {
    const entries = this.at(['hooks', event])
    return Array.isArray(entries) ? entries : []
  }

  /** Adds a property that is not there yet, and the objects around it. */
  set(path: JSONPath, value: unknown): void {
    const [parent, key] = [path.slice(0, -1), path.at(-1) as string]
    const node = this.#find(parent)
    if (node) this.#append(node, value, `${JSON.stringify(key)}: `)
    else this.set(parent, { [key]: value })
  }

  /** Adds an entry to an array. */
  insert(path: JSONPath, value: unknown): void {
    const node = this.#find(path)
    if (node) this.#append(node, value)
  }

  /** Replaces a string within a value, and returns whether it was found as it is usually written. */
  replaceText(path: JSONPath, old: string, text: string): boolean {
    const { offset, length } = this.#find(path) ?? { offset: 0, length: 0 }
    const written = JSON.stringify(old)
    const start = this.text.indexOf(written, offset)
    if (start < 0 || start + written.length > offset + length) return false
    this.#replace(start, start + written.length, JSON.stringify(text))
    return true
  }

  /** Removes a property or an entry, with its comma; comments beside it stay. */
  remove(path: JSONPath): void {
    const found = this.#find(path)
    const child = found?.parent?.type === 'property' ? found.parent : found
    const { children = [] } = child?.parent ?? {}
    if (!child) return
    const index = children.indexOf(child)
    const [previous, next] = [children[index - 1], children[index + 1]]
    const end = endOf(child)
    const gap = previous ? endOf(previous) : child.offset
    if (previous && !hasComment(this.text.slice(gap, child.offset))) this.#replace(gap, end)
    else if (next && !hasComment(this.text.slice(end, next.offset))) {
      this.#replace(child.offset, next.offset)
    } else {
      // From the end, so that nothing moves.
      const comma = this.#commaAfter(end)
      if (comma !== null) this.#replace(comma, comma + 1)
      this.#replace(this.#lineStart(child.offset, end), end)
      // The last one takes the comma before it, which may be followed by a comment.
      const before = comma === null && previous ? this.#commaAfter(gap) : null
      if (before !== null) this.#replace(before, before + 1)
    }
    this.#close(path.slice(0, -1))
  }

  /** Returns the place of the comma that follows, after spaces and comments; `null` if none does. */
  #commaAfter(offset: number): number | null {
    const scanner = createScanner(this.text, true)
    scanner.setPosition(offset)
    scanner.scan()
    const place = scanner.getTokenOffset()
    return this.text[place] === ',' ? place : null
  }

  /** Returns where the lines of a part begin, if nothing else is on them; else where it begins. */
  #lineStart(start: number, end: number): number {
    const before = /\r?\n[ \t]*$/.exec(this.text.slice(0, start))
    return before && /^[ \t]*(\r?\n|$)/.test(this.text.slice(end)) ? before.index : start
  }

  /** Leaves no space in an object or array that is empty. */
  #close(path: JSONPath): void {
    const node = this.#find(path)
    if (!node || node.children?.length) return
    const [start, end] = [node.offset + 1, node.offset + node.length - 1]
    if (this.text.slice(start, end).trim() === '') this.#replace(start, end)
  }

  /** Removes an empty object or array, unless it contains a comment. */
  removeEmpty(path: JSONPath): void {
    const node = this.#find(path)
    if (!node) return
    if (!hasComment(this.text.slice(node.offset, node.offset + node.length))) this.remove(path)
  }

  /**
   * Returns the text, after checking that nothing else has changed.
   *
   * @throws UsageError when it has.
   */
  finish(setup: HostSetup): string {
    const before = parse(this.#original, [], { allowTrailingComma: true })
    const problem = problemOf(this.text)
    if (problem || !isDeepStrictEqual(foreign(before, setup), foreign(this.at([]), setup))) {
      throw new UsageError(UNSAFE, BY_HAND)
    }
    return this.#mark + this.text
  }

  #find(path: JSONPath): Node | undefined {
    const tree = parseTree(this.text, [], { allowTrailingComma: true })
    return tree && findNodeAtLocation(tree, path)
  }

  /** Adds to an object or array, in the way it is written: on its line, or on lines of its own. */
  #append({ offset, length, children = [] }: Node, value: unknown, key = ''): void {
    const last = children.at(-1)
    const end = offset + length - 1
    if (last && !this.text.slice(offset, end).includes('\n')) {
      const place = endOf(last)
      this.#replace(place, place, `,${key}${JSON.stringify(value)}`)
      return
    }
    const unit = indentOf(this.#original) || '  '
    const outer = this.#indentAt(offset)
    const indent = last ? this.#indentAt(last.offset) : outer + unit
    const eol = this.#original.includes('\r\n') ? '\r\n' : '\n'
    const lines = `${key}${JSON.stringify(value, null, unit)}`.split('\n')
    const text = `${eol}${indent}${lines.join(`${eol}${indent}`)}`
    if (last) {
      const place = endOf(last)
      const comma = this.#commaAfter(place)
      // A comment on the same line is about what is before it. A comma at the end stays one.
      const line = this.#endOfLine(comma === null ? place : comma + 1)
      this.#replace(line, line, comma === null ? text : `${text},`)
      if (comma === null) this.#replace(place, place, ',')
      return
    }
    const start = offset + this.text.slice(offset, end).trimEnd().length
    this.#replace(start, end, `${text}${eol}${outer}`)
  }

  /** Returns the end of the comments that follow on the same line. */
  #endOfLine(offset: number): number {
    const [comments = ''] =
      /^(?:[ \t]*\/\*[^\n]*?\*\/)*(?:[ \t]*\/\/[^\r\n]*)?/.exec(this.text.slice(offset)) ?? []
    return offset + comments.length
  }

  #replace(start: number, end: number, text = ''): void {
    this.text = this.text.slice(0, start) + text + this.text.slice(end)
  }

  /** Returns what the line of a place begins with. */
  #indentAt(offset: number): string {
    const line = this.text.slice(this.text.lastIndexOf('\n', offset - 1) + 1, offset)
    return /^[ \t]*/.exec(line)?.[0] ?? ''
  }
}

const endOf = ({ offset, length }: Node): number => offset + length

/** Returns what is wrong with a text; `null` if nothing is. */
function problemOf(text: string): string | null {
  if (depthOf(text) > MAX_DEPTH) return 'it is nested too deeply'
  const errors: ParseError[] = []
  const config: unknown = parse(text, errors, { allowTrailingComma: true })
  const [error] = errors
  if (error) {
    const line = text.slice(0, error.offset).split('\n').length
    // Codes such as "CommaExpected".
    const words = printParseErrorCode(error.error).replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    return `${words.toLowerCase()} in line ${line}`
  }
  if (!isObject(config)) return 'it is no JSON object'
  const { hooks = {} } = config
  return isObject(hooks) ? null : '"hooks" is no object'
}

/** Deeper than any settings; reading is recursive, and the stack is limited. */
const MAX_DEPTH = 500

/** Returns how deep brackets are nested; brackets in comments count, too. */
function depthOf(text: string): number {
  let [depth, deepest] = [0, 0]
  for (const [part] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (part === '{' || part === '[') deepest = Math.max(deepest, ++depth)
    else if (part === '}' || part === ']') depth--
  }
  return deepest
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns what the first indented line of a text begins with; nothing if there is none. */
const indentOf = (text: string): string => /^[ \t]+(?=\S)/m.exec(text)?.[0] ?? ''
