// What the scripted model says, turn by turn. A turn is what it answers to one
// request: `{ calls: [{ id, name, args }], text }`.

/** Every turn the same: these calls, under new ids. */
export const always = (...calls) => numbered(() => ({ calls }))

/** These turns, and then a last word. */
export const inTurn = (...turns) =>
  numbered((n) => (n < turns.length ? turns[n] : { text: 'done' }))

export const call = (name, path = 'a.txt') => ({ name, args: { path } })

/** Ids are unique in a run, and the same in each run of the same turns. */
function numbered(turnOf) {
  return (n) => {
    const turn = turnOf(n)
    // One that the model does not end.
    if (turn === undefined) return undefined
    const { calls = [], text = '' } = turn
    return { text, calls: calls.map((one, i) => ({ id: `call_${n}_${i}`, ...one })) }
  }
}

/** The same turns later in a conversation. */
export const from = (start, turns) => (n) => turns(n + start)
