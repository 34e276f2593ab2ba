// What the native engine answers to the events: every runtime must say the same.
import path from 'node:path'
import { Failure, write } from '../support/cli.mjs'
import { inRoot } from '../support/files.mjs'
import { capture } from '../support/process.mjs'
import { suite } from './places.mjs'
import { printed } from './start.mjs'

let expected

export async function computeExpectation() {
  write('Asking the native engine.\n')
  const events = path.join(suite, 'events.json')
  const build = ['--quiet', '--example', 'runtime_expectation']
  const built = await capture('cargo', ['build', ...build])
  if (built.code !== 0) throw new Failure('The native engine does not compile.', '', built.output)
  expected = await printed('cargo', ['run', ...build, '--', events], { cwd: inRoot() })
}

/** Throws unless a runtime said the same, byte for byte. */
export function equalsNative(actual) {
  if (actual === expected) return
  const [theirs, ours] = [actual, expected].map((text) => String(text).split('\n'))
  let line = 0
  while (ours[line] === theirs[line]) line++
  throw new Failure(
    `The verdicts differ from the native engine's, first in line ${line + 1}.`,
    '',
    `native:  ${ours[line] ?? '(nothing)'}\nruntime: ${theirs[line] ?? '(nothing)'}`,
  )
}
