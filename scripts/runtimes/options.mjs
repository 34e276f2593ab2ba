// What the command line asks for.
import { Failure } from '../support/cli.mjs'

export function readOptions(args) {
  const words = []
  let core = false
  for (let index = 0; index < args.length; index++) {
    const [name, value] = args[index].split('=')
    if (name === '--core') core = true
    else if (name === '--only') words.push(...(value ?? args[++index] ?? '').split(','))
    else throw new Failure(`There is no option "${name}"; there are: --only, --core.`)
  }
  const wanted = words.map((word) => word.trim().toLowerCase()).filter(Boolean)
  return { core, selects: (row) => wanted.length === 0 || wanted.some((word) => has(row, word)) }
}

/** By runtime; a word with a space in it may go on into what is done there. */
function has({ runtime, how }, word) {
  return (word.includes(' ') ? `${runtime} ${how}` : runtime).toLowerCase().includes(word)
}
