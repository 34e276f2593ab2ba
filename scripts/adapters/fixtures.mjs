// One folder in tests/adapters/fixtures is one major version of one framework.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Failure } from '../support/cli.mjs'
import { declared, suite } from './places.mjs'

/** All fixtures, or those whose names begin with one of the words. */
export function fixtures(only = []) {
  const names = readdirSync(path.join(suite, 'fixtures')).sort()
  const chosen = names.filter(
    (name) => only.length === 0 || only.some((word) => name.startsWith(word)),
  )
  if (chosen.length === 0) {
    throw new Failure('No fixture has that name.', `There are: ${names.join(', ')}.`)
  }
  return chosen.map(readFixture)
}

function readFixture(name) {
  const manifest = JSON.parse(readFileSync(declared(name, 'package.json'), 'utf8'))
  const { adapter, framework, node = 20, examples = [adapter] } = manifest.loophound
  const version = manifest.dependencies[framework]
  return { name, adapter, node, examples, title: `${framework} ${version}` }
}

/**
 * @param {string[]} args From the command line: `--only ai-7,mcp`, `--only=ai-7`, `--write`.
 * @param {Record<string, string[] | number | boolean>} usual The options there are, and what they are
 * if not given: a list of names, a number, or a switch.
 */
export function readOptions(args, usual) {
  const options = structuredClone(usual)
  for (let index = 0; index < args.length; index++) {
    const [name, value] = args[index].split('=')
    const key = name.replace(/^--/, '')
    if (name === key || !Object.hasOwn(usual, key)) {
      const known = Object.keys(usual).map((one) => `--${one}`)
      throw new Failure(`There is no option "${name}".`, `There are: ${known.join(', ')}.`)
    }
    if (typeof usual[key] === 'boolean') options[key] = true
    else if (typeof usual[key] === 'number') options[key] = countIn(name, value ?? args[++index])
    else options[key].push(...(value ?? args[++index] ?? '').split(',').filter(Boolean))
  }
  return options
}

function countIn(name, text) {
  const count = Number(text)
  if (Number.isInteger(count) && count > 0) return count
  throw new Failure(`${name} wants a whole number greater than 0.`)
}
