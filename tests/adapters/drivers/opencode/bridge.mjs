// A plugin that runs within opencode or Kilo, and asks the suite what to do: the guard, and the
// functions that the checks pass as tools, are there.
const { tool } = await import(process.env.SUITE_PLUGIN)

const HOOKS = [
  'chat.message',
  'tool.execute.before',
  'tool.execute.after',
  'experimental.session.compacting',
  'experimental.chat.messages.transform',
  'experimental.text.complete',
]

/** Asks the suite; throws what was thrown there. */
async function ask(what, ...args) {
  const body = JSON.stringify([what, ...args])
  const response = await fetch(process.env.SUITE_URL, { method: 'POST', body })
  const { value, error } = await response.json()
  if (error !== undefined) throw new Error(error)
  return value
}

/** A hook changes what it is given last; a list is kept, and has other items then. */
const hook = (name) => async (input, output) => {
  const changed = await ask('hook', name, input, output)
  if (output.messages) output.messages.splice(0, Infinity, ...changed.messages)
  else Object.assign(output, changed)
}

const toolNamed = (name) =>
  tool({
    description: name,
    args: { path: tool.schema.string() },
    execute: (args, { sessionID }) => ask('tool', name, sessionID, args),
  })

/** Tells the suite of events, in order; those that come meanwhile go together. */
function eventTeller() {
  let waiting = []
  let telling = Promise.resolve()
  return (input) => {
    waiting.push(input)
    telling = telling.then(async () => {
      if (waiting.length === 0) return
      const inputs = waiting
      waiting = []
      await ask('events', inputs).catch(() => {})
    })
    return telling
  }
}

export const Bridge = async () => {
  return {
    ...Object.fromEntries(HOOKS.map((name) => [name, hook(name)])),
    event: eventTeller(),
    tool: Object.fromEntries(['read', 'look', 'fail'].map((n) => [`suite_${n}`, toolNamed(n)])),
    async 'chat.headers'({ sessionID }, { headers }) {
      headers['x-session'] = sessionID
    },
  }
}
