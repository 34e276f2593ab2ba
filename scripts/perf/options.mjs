// What stands behind `npm run bench --`.
import { Failure } from '../support/cli.mjs'

export const PARTS = ['calls', 'answers', 'rest', 'start', 'growth', 'native']

export function readOptions(args) {
  const options = { instructions: false, writes: false, only: PARTS }
  for (let at = 0; at < args.length; at++) {
    if (args[at] === '--write') options.writes = true
    else if (args[at] === '--instructions') options.instructions = true
    else if (args[at] === '--only') options.only = partsOf(args[++at])
    else
      throw new Failure(
        `"${args[at]}" is not an option.`,
        'There are --write, --instructions and --only.',
      )
  }
  if (options.writes && options.only !== PARTS) {
    throw new Failure('--write needs all parts: leave out --only.')
  }
  return options
}

function partsOf(list = '') {
  const parts = list.split(',')
  const unknown = parts.find((part) => !PARTS.includes(part))
  if (unknown === undefined) return parts
  throw new Failure(`There is no part "${unknown}".`, `There are: ${PARTS.join(', ')}.`)
}
