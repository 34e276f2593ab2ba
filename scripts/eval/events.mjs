// A trajectory of the corpus as the events a host would have told the detector of.

/** What stands where the corpus cut a text. */
const CUT = '…[cut]…'

/**
 * @param {{ source: string, events: readonly object[] }} trajectory
 * @returns {object[]} Events for `replay()`.
 */
export function eventsOf({ source, events }) {
  const isPerson = source.startsWith('tau_')
  const list = []
  for (const [index, event] of events.entries()) {
    if (event.t !== 'user') list.push(eventOf(event))
    else if (isPerson) list.push({ t: 'user', text: event.text })
    else if (list.at(-1)?.t === 'text' && events[index + 1]?.t === 'call') {
      // The harness is left out. But the text before it was a turn of its own, and must not look
      // as if it led up to the call.
      list.push({ t: 'turn' })
    }
  }
  return list
}

function eventOf(event) {
  switch (event.t) {
    case 'call':
      return { t: 'call', name: event.name, args: wholeArgs(event) }
    case 'result': {
      const known = typeof event.ok === 'boolean' ? { ok: event.ok } : {}
      return { t: 'result', name: event.name, ...known, output: whole(event.output, event.sha) }
    }
    case 'text':
      return { t: 'text', text: whole(event.text, event.sha) }
    default:
      throw new TypeError(`no such event: ${event.t}`)
  }
}

/** A cut text is equal to another exactly when both were cut from the same. */
function whole(text, sha) {
  if (!sha) return text
  const mark = `…[cut ${wordOf(sha)}]…`
  return text.includes(CUT) ? text.replace(CUT, mark) : `${text}\n${mark}`
}

function wholeArgs({ args, args_sha: sha }) {
  if (!sha) return args
  return typeof args === 'string' ? whole(args, sha) : { ...args, cut: wordOf(sha) }
}

/** A hash in letters that are no hexadecimal digits: nobody may take it for a volatile token. */
function wordOf(sha) {
  return sha.replace(/[0-9a-f]/gi, (digit) => 'ghijklmnopqrstuv'[Number.parseInt(digit, 16)])
}
