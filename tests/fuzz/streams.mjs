// Streams of mixed events, as agents might cause them: mostly work, with loops, failures, chants
// and nonsense among it. A step is `[method, ...arguments]`, as in the runtime suite.
import { pick } from './random.mjs'

const TOOLS = ['bash', 'read_file', 'edit', 'pytest', 'grep', 'get_job_status', 'write', 'é', '']
const COMMANDS = [
  'npm test',
  'ls -la src',
  'pip install x',
  'pip3 install x --user',
  'cat "a b.ts" | head -n 5',
  'git status && git diff > out.txt',
  "echo 'unbalanced",
]
const OUTPUTS = [
  'ok',
  '',
  'Error: ENOENT: no such file',
  'exit code 1',
  'HTTP 429 Too Many Requests',
  '3 passed, 1 failed in 0.52s',
  '12 passed',
  'Traceback (most recent call last):\n  File "a.py"\nKeyError: 1',
  'Done at 2026-01-02T03:04:05Z, pid 4711, /tmp/tmpa1b2c3d4',
  '\u0000\ufffd😀é',
]
const TEXTS = [
  'I will look at the next file.',
  'Let me try again. ',
  'The answer is 42.\n\n```js\nlet a = 1\n```\n',
  '| a | b |\n|---|---|\n| 1 | 2 |\n',
  'ha ',
  '',
]

/** Makes events without end; `fresh()` numbers what is new. */
export function eventSource(random) {
  let count = 0
  // What the agent does over and over, until it thinks of something else.
  let habit = null
  const fresh = () => `${count++}`

  const argsFor = (tool) => {
    const value = random(3) ? fresh() : `${random(4)}`
    if (tool === 'bash') return { command: random(2) ? pick(random, COMMANDS) : `make ${value}` }
    if (tool === 'edit') {
      return { path: `${random(3)}.ts`, old_str: `${random(3)}`, new_str: `${random(3)}` }
    }
    switch (random(6)) {
      case 0:
        return `{"path": "${value}", "line": 1.0}`
      case 1:
        return `not json ${value}`
      case 2:
        return { list: [value, null, true, { deep: [value] }], n: random(100) / 8 }
      default:
        return { path: `src/${value}.ts` }
    }
  }
  const call = () => {
    const tool = pick(random, TOOLS)
    return random(8) ? [tool, argsFor(tool)] : [tool]
  }
  const output = () =>
    random(2) ? pick(random, OUTPUTS) : `${pick(random, OUTPUTS)} ${random(2) ? fresh() : ''}`

  return function next() {
    if (random(40) === 0) habit = habit ? null : call()
    const kind = random(100)
    if (kind < 45) {
      const [tool, args] = habit ?? call()
      const id = random(3) ? [`id-${random(5)}`] : []
      return args === undefined ? ['record', tool] : ['record', tool, args, ...id]
    }
    if (kind < 85) {
      const result = { output: habit && random(4) ? 'the same as ever' : output() }
      if (random(2)) result.id = `id-${random(5)}`
      if (random(2)) result.ok = random(3) > 0
      if (random(6) === 0) result.name = pick(random, TOOLS)
      return ['recordResult', result]
    }
    if (kind < 91)
      return ['pushText', pick(random, TEXTS), ['text', 'reasoning', 'arguments'][random(3)]]
    if (kind < 93) return ['recordText', pick(random, TEXTS)]
    if (kind < 95) return ['beginTurn']
    if (kind < 97) {
      const calls = Array.from({ length: random(4) }, () => {
        const [name, args] = habit ?? call()
        return args === undefined ? { name } : { name, args }
      })
      return ['recordBatch', calls]
    }
    return [pick(random, ['isStuck', 'recentNames', 'userMessage', 'clearAfterFeedback'])]
  }
}
