/**
 * Which result belongs to which call, by the rule the detector goes by: the one with the same id, or
 * else the oldest call without a result.
 *
 * @module
 */

/**
 * @returns {Map<number, { ok?: boolean, output?: unknown }>} The result of each call, by its index.
 */
export function pairResults(events) {
  const results = new Map()
  const open = []
  let index = 0
  for (const event of events) {
    if (event.t === 'call') open.push({ index: index++, id: event.id, name: event.name })
    if (event.t !== 'result') continue
    const position = open.findIndex((call) =>
      event.id ? call.id === event.id : event.name === undefined || call.name === event.name,
    )
    if (position < 0) continue
    const [call] = open.splice(position, 1)
    results.set(call.index, event)
  }
  return results
}
