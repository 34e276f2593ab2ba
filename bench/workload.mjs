// The calls and results that every detector is measured with: invented, with the shapes that agents
// send, and the same in every run.

/** @typedef {{ name: string, args: object, text: string, id: string }} Call */

/** Approximate bytes of arguments. */
export const SIZES = [100, 300, 1000, 10_000]
/** Approximate bytes of output. */
export const OUTPUTS = [100, 1000, 10_000]
/** Different calls of each size. No preset looks back that far, so no detector finds a loop. */
const POOL = 256

const WORDS =
  'request handler session token parser buffer config module export import retry queue worker index cache schema query result stream writer reader layout button footer header invoice order customer payment'.split(
    ' ',
  )

/** Makes random words and numbers that are the same for the same seed (a 32-bit xorshift). */
function generator(seed) {
  let state = seed >>> 0 || 1
  const next = (limit) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state % limit
  }
  const word = () => WORDS[next(WORDS.length)]
  const words = (count) => Array.from({ length: count }, word).join(' ')
  const path = () => `src/${word()}/${word()}-${next(1000)}.ts`
  return { next, word, words, path }
}

const TOOLS = {
  read_file: ({ path, next }) => ({ path: path(), offset: next(900), limit: 200 }),
  grep: ({ path, words }) => ({ pattern: words(2), path: path(), glob: '*.ts' }),
  apply_patch: ({ path, words }) => ({ path: path(), reason: words(3) }),
  bash: ({ path, word }) => ({ command: `npx vitest run ${path()} -t ${word()}` }),
  query_db: ({ words, next }) => ({ sql: `select ${words(3)}`, limit: next(100) }),
  fetch_page: ({ word, next }) => ({ url: `https://${word()}.example/${next(9999)}` }),
}

/**
 * Makes the calls of one size.
 *
 * @param {number} size
 * @returns {Call[]}
 */
export function callsOf(size) {
  const random = generator(size)
  const tools = Object.entries(TOOLS)
  return Array.from({ length: POOL }, (_, index) => {
    const [name, make] = tools[index % tools.length]
    const args = make(random)
    grow(args, size, random)
    const text = JSON.stringify(args)
    // Parsed, as hosts have them: strings that were just concatenated are slower to read.
    return { name, args: JSON.parse(text), text, id: `call_${index}` }
  })
}

/** Adds what large arguments consist of: notes and lists of edits. */
function grow(args, size, { next, word, words }) {
  const missing = () => size - JSON.stringify(args).length
  if (missing() > 20) args.note = words(1 + Math.floor(Math.min(missing(), 120) / 9))
  if (missing() < 60) return
  args.edits = []
  while (missing() > 60) {
    args.edits.push({
      line: next(5000),
      old: words(4),
      new: `${words(3)}("${word()}")\n`,
      all: next(2) > 0,
    })
  }
}

/**
 * Makes the outputs of one size.
 *
 * @param {number} size
 * @returns {string[]}
 */
export function outputsOf(size) {
  const { next, word, words, path } = generator(size + 7)
  const line = () =>
    [
      () => `${path()}:${next(900)}: ${words(5)}`,
      () => `[${word()}] ${words(6)} in ${next(900)} ms`,
      () => `    at ${word()} (${path()}:${next(900)}:${next(80)})`,
      () => words(9),
    ][next(4)]()
  return Array.from({ length: POOL }, () => {
    let text = line()
    while (text.length < size - 30) text += `\n${line()}`
    return text
  })
}
