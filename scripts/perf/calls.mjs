// The calls and results that everybody is measured with: made up, but with the shapes that agents
// send, and the same in every run.

/** Bytes of arguments, about. */
export const SIZES = [100, 300, 1000, 10_000]
/** Bytes of output, about. */
export const OUTPUTS = [100, 1000, 10_000]
/**
 * So many different calls of each size, in turn. No preset looks back that far, so that every
 * detector does its full work and finds nothing.
 */
export const POOL = 256

const WORDS =
  'request handler session token parser buffer config module export import retry queue worker index cache schema query result stream writer reader layout button footer header invoice order customer payment'.split(
    ' ',
  )

/** A generator of numbers below a limit, the same ones every time (a 32-bit xorshift). */
function numbers(seed) {
  let state = seed >>> 0 || 1
  return (limit) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state % limit
  }
}

const maker = (next) => {
  const word = () => WORDS[next(WORDS.length)]
  const words = (count) => Array.from({ length: count }, word).join(' ')
  const path = () => `src/${word()}/${word()}-${next(1000)}.ts`
  return { next, word, words, path }
}

const SHAPES = [
  {
    name: 'read_file',
    args: ({ path, next }) => ({ path: path(), offset: next(900), limit: 200 }),
  },
  { name: 'grep', args: ({ path, words }) => ({ pattern: words(2), path: path(), glob: '*.ts' }) },
  { name: 'apply_patch', args: ({ path, words }) => ({ path: path(), reason: words(3) }) },
  {
    name: 'bash',
    args: ({ path, word }) => ({ command: `npx vitest run ${path()} -t ${word()}` }),
  },
  {
    name: 'query_db',
    args: ({ words, next }) => ({ sql: `select ${words(3)}`, limit: next(100) }),
  },
  {
    name: 'fetch_page',
    args: ({ word, next }) => ({ url: `https://${word()}.example/${next(9999)}` }),
  },
]

/** @returns {{ name: string, args: object, text: string, id: string }[]} */
export function callsOf(size, count = POOL) {
  const make = maker(numbers(size))
  return Array.from({ length: count }, (_, index) => {
    const shape = SHAPES[index % SHAPES.length]
    const made = { ...shape.args(make) }
    grow(made, size, make)
    const text = JSON.stringify(made)
    // Parsed, as hosts have them: strings that were just put together are slower to read.
    return { name: shape.name, args: JSON.parse(text), text, id: `call_${index}` }
  })
}

/** Adds what large arguments are made of: notes, and lists of edits. */
function grow(args, size, { next, word, words }) {
  const missing = () => size - JSON.stringify(args).length
  if (missing() > 20) args.note = words(1 + Math.floor(Math.min(missing(), 120) / 9))
  if (missing() < 60) return
  args.edits = []
  while (missing() > 60) {
    const edit = {
      line: next(5000),
      old: words(4),
      new: `${words(3)}("${word()}")\n`,
      all: next(2) > 0,
    }
    args.edits.push(edit)
  }
}

/** @returns {string[]} */
export function outputsOf(size, count = POOL) {
  const { next, word, words, path } = maker(numbers(size + 7))
  const line = () =>
    [
      () => `${path()}:${next(900)}: ${words(5)}`,
      () => `[${word()}] ${words(6)} in ${next(900)} ms`,
      () => `    at ${word()} (${path()}:${next(900)}:${next(80)})`,
      () => words(9),
    ][next(4)]()
  return Array.from({ length: count }, () => {
    let text = line()
    while (text.length < size - 30) text += `\n${line()}`
    return text
  })
}
