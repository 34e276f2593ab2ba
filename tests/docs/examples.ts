/**
 * Code blocks as programs. What a block promises in a comment becomes a check:
 *
 * - `expression // => value`: they are deeply equal. After `const name = …`, the name is looked at;
 *   after `console.log(…)`, what is printed.
 * - `statement // throws RangeError: text`: it throws just that. A text that ends in `…` is a beginning.
 *
 * Either comment may also stand alone, on the line below.
 *
 * @module
 */

import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { transform } from 'esbuild'
import { type Block, inRoot } from './pages.js'

const PROMISE = /^(\s*)(.*?)\s*\/\/ (=>|throws) (.+)$/
const DECLARATION = /^(?:const|let) (\w+)[^=]*=/
const PRINTED = /^console\.log\((.+)\)$/

const HELPERS = `import $assert from 'node:assert'
const $at = (where, check) => {
  try { check() } catch (error) { throw new Error(where + ': ' + error.message) }
}
const $same = (where, actual, expected) =>
  $at(where, () => $assert.deepStrictEqual(actual, expected))
const $throws = (where, run, expected) => $at(where, () => {
  let thrown = 'nothing'
  try { run() } catch (error) { thrown = error.name + ': ' + error.message }
  const isPart = expected.endsWith('…') && thrown.startsWith(expected.slice(0, -1))
  if (!isPart) $assert.strictEqual(thrown, expected)
})
`

/** How many checks a block promises. */
export function countPromises(block: Block): number {
  return block.code.split('\n').filter((line) => PROMISE.test(line)).length
}

/** Runs a block in a process of its own, against the built package. */
export async function runExample(block: Block, folder: string): Promise<void> {
  const loader = block.language === 'ts' ? 'ts' : 'js'
  const { code } = await transform(checked(block), { loader, format: 'esm', target: 'es2022' })
  const file = path.join(folder, `${block.at.replace(/\W+/g, '-')}.mjs`)
  writeFileSync(file, code)
  await promisify(execFile)(process.execPath, [file])
}

function checked(block: Block): string {
  const lines: string[] = []
  const name = block.at.replace(/:\d+$/, '')
  for (const [index, line] of block.code.split('\n').entries()) {
    const promise = PROMISE.exec(line)
    if (!promise) {
      lines.push(line)
      continue
    }
    const [, , here = '', sign = '', expected = ''] = promise
    const subject = here === '' ? (lines.pop() ?? '') : here
    const where = JSON.stringify(`${name}:${block.line + index}`)
    lines.push(sign === '=>' ? same(where, subject, expected) : throws(where, subject, expected))
  }
  const urlOf = (entry: string) => pathToFileURL(inRoot(`pkg/dist/${entry}.js`)).href
  const imported = / from 'loophound(?:\/([\w/-]+))?'/g
  const code = lines
    .join('\n')
    .replaceAll(imported, (_, entry = 'index') => ` from '${urlOf(entry)}'`)
    .replaceAll(/ from '(react[\w/-]*)'/g, (_, name) => ` from '${installed(name)}'`)
  return HELPERS + code
}

/** A package of this workspace: the block runs in another folder. */
function installed(name: string): string {
  return pathToFileURL(createRequire(import.meta.url).resolve(name)).href
}

function same(where: string, subject: string, expected: string): string {
  const declared = DECLARATION.exec(subject.trim())?.[1]
  if (declared) return `${subject}\n;$same(${where}, ${declared}, ${expected})`
  const looked = PRINTED.exec(subject.trim())?.[1] ?? subject
  return `;$same(${where}, ${looked}, ${expected})`
}

function throws(where: string, subject: string, expected: string): string {
  return `;$throws(${where}, () => { ${subject} }, ${JSON.stringify(expected)})`
}
