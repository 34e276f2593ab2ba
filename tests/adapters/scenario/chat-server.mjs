// Streams what a model says, in the form of OpenAI's Chat Completions, which most hosts understand.

/** Answers a request with a turn; `named` gives a tool the name that the host knows it by. */
export function sendTurn(response, { calls, text }, named = (name) => name) {
  const send = begin(response)
  if (text) send({ content: text })
  for (const [index, { id, name, args }] of calls.entries()) {
    const own = { name: named(name), arguments: JSON.stringify(args) }
    send({ tool_calls: [{ index, id, type: 'function', function: own }] })
  }
  send({}, calls.length > 0 ? 'tool_calls' : 'stop')
  response.end('data: [DONE]\n\n')
}

/** Answers with one sentence after the other, for as long as anybody listens; counts them. */
export async function sendChant(response, sentences, count) {
  const send = begin(response)
  for (const content of sentences) {
    if (response.destroyed) return
    count()
    send({ content })
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  send({}, 'stop')
  response.end('data: [DONE]\n\n')
}

function begin(response) {
  response.setHeader('content-type', 'text/event-stream')
  return (delta, finish_reason = null) => {
    const chunk = { id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm' }
    const choices = [{ index: 0, delta, finish_reason }]
    response.write(`data: ${JSON.stringify({ ...chunk, choices })}\n\n`)
  }
}
