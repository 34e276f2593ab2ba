// The interface of a model that the AI SDK made and Mastra took over, played by the mock model of
// either. What differs between its versions is the dialect: later ones nest where the first is plain.

const DIALECTS = {
  v2: {
    finishReason: (reason) => reason,
    usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
  },
  v3: {
    finishReason: (reason) => ({ unified: reason, raw: reason }),
    usage: {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 1, text: 1, reasoning: 0 },
    },
  },
}

/** A mock model that says what the turns say. `note` is given what it was asked, each time. */
export function scriptedModel({ Model, dialect, turns, note }) {
  const { finishReason, usage } = DIALECTS[dialect]
  let asked = 0
  const answer = ({ prompt }) => {
    const { calls, text } = turns(asked++)
    note(prompt)
    return {
      calls: calls.map(({ id, name, args, ...rest }) => ({
        type: 'tool-call',
        toolCallId: id,
        toolName: name,
        input: JSON.stringify(args),
        ...rest,
      })),
      text,
      finishReason: finishReason(calls.length > 0 ? 'tool-calls' : 'stop'),
    }
  }
  return new Model({
    doGenerate: async (request) => {
      const { calls, text, finishReason } = answer(request)
      const content = [...(text ? [{ type: 'text', text }] : []), ...calls]
      return { content, finishReason, usage, warnings: [] }
    },
    doStream: async (request) => {
      const { calls, text, finishReason } = answer(request)
      const said = [
        { type: 'text-start', id: 't' },
        { type: 'text-delta', id: 't', delta: text },
        { type: 'text-end', id: 't' },
      ]
      return {
        stream: ReadableStream.from([
          { type: 'stream-start', warnings: [] },
          ...(text ? said : []),
          ...calls,
          { type: 'finish', finishReason, usage },
        ]),
      }
    },
  })
}

/** A mock model that chants where its turns are undefined, and how much of it was asked for. */
export function chantingModel({ Model, sentences, dialect = 'v2', turns = () => undefined }) {
  const pulled = { count: 0 }
  const asked = []
  const doStream = async (request) => {
    const turn = turns(asked.length)
    asked.push(JSON.stringify(request.prompt))
    return turn
      ? scriptedModel({ Model, dialect, turns: () => turn, note: () => {} }).doStream(request)
      : { stream: chant() }
  }
  const model = new Model({ doStream })
  return { model, pulled, asked }

  function chant() {
    pulled.count = 0
    return new ReadableStream(
      {
        start: (controller) => controller.enqueue({ type: 'text-start', id: 't' }),
        pull(controller) {
          const delta = sentences[pulled.count++]
          if (delta === undefined) controller.close()
          else controller.enqueue({ type: 'text-delta', id: 't', delta })
        },
      },
      { highWaterMark: 0 },
    )
  }
}

/** Each turn, the provider runs the same search itself, and the agent reads another file. */
export const searching = (n) => ({
  text: '',
  calls: [
    { id: `s${n}`, name: 'search', args: { path: 'a.txt' }, providerExecuted: true },
    { id: `r${n}`, name: 'read', args: { path: `${n}.txt` } },
  ],
})
