/**
 * A model that is told something more, for one step.
 *
 * @module
 */

interface Request {
  readonly prompt: readonly unknown[]
}

/**
 * Messages that are given to Mastra are stored, or take the place of the instructions. What is added
 * to the prompt, where the model gets it, is seen by the model only.
 */
export function withNudge(model: object, nudge: string): object {
  const message = { role: 'user', content: [{ type: 'text', text: nudge }] }
  return new Proxy(model, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      if (name !== 'doGenerate' && name !== 'doStream') return value.bind(target)
      return (request: Request, ...rest: unknown[]) => {
        const asked = { ...request, prompt: [...request.prompt, message] }
        return Reflect.apply(value, target, [asked, ...rest])
      }
    },
  })
}
