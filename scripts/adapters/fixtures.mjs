// One folder in tests/adapters/fixtures is one major version of one framework.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Failure } from '../support/failure.mjs'
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

export function readOptions(args) {
  const options = { only: [], lock: [], write: false }
  for (let index = 0; index < args.length; index++) {
    const [name, value] = args[index].split('=')
    const key = name.slice(2)
    if (name === '--write') options.write = true
    else if (name.startsWith('--') && Array.isArray(options[key])) {
      options[key].push(...(value ?? args[++index] ?? '').split(',').filter(Boolean))
    } else {
      throw new Failure(`There is no option "${name}".`, 'There are: --only, --lock, --write.')
    }
  }
  if (options.only.length === 0) options.only = options.lock
  return options
}
