// A WebAssembly module as text for source code, sorted so that gzip makes more of
// it: instructions in one stream, their operands in others, by kind.
// js/engine/unpack.ts puts it together again, and says why it is so.

import { Failure } from '../support/failure.mjs'
import { readBodies } from './instructions.mjs'

/** What can follow a head; the streams of these names stand at these places. */
const FOLLOWS = [
  'none',
  'end',
  'raw',
  'locals',
  'block',
  'branch',
  'local',
  'offset',
  'call',
  'int',
  'long',
]

/** So many instructions are frequent enough to have an operand of theirs in their head. */
const FREQUENT = 16

export function pack(module) {
  const { before, bodies, after } = readBodies(module)
  const operands = Object.fromEntries(FOLLOWS.slice(2).map((name) => [name, []]))
  const frequent = frequentPairs(bodies)
  const heads = []
  for (const { locals, instructions } of bodies) {
    operands.locals.push(locals.length, ...locals)
    for (const [at, { head, rest, kind }] of instructions.entries()) {
      const whole = [...head, ...rest].join()
      const isLast = at === instructions.length - 1
      if (frequent.has(whole)) heads.push(`0,${whole}`)
      else heads.push([isLast ? 1 : FOLLOWS.indexOf(kind), ...head].join())
      if (frequent.has(whole) || kind === 'none') continue
      if (kind === 'raw') operands.raw.push(rest.length)
      operands[kind].push(...rest)
    }
  }
  const [table, places] = ranked(heads)
  const entries = table.map((entry) => entry.split(',').map(Number))
  const [ranks, rest] = ranked([...before, ...after])
  const streams = [
    entries.flatMap(([follows, ...bytes]) => [follows, bytes.length, ...bytes]),
    places,
    ...Object.values(operands),
    ranks,
    rest,
  ].map(encodeBytes)
  const sizes = streams.map(({ length }) => length)
  const header = [module.length, before.length, bodies.length, ...sizes].join(' ')
  return `${header}|${streams.join('')}`
}

/** The most frequent instructions with an operand of one byte, whole. */
function frequentPairs(bodies) {
  const pairs = bodies.flatMap(({ instructions }) =>
    instructions
      .filter(({ rest, kind }) => rest.length === 1 && kind !== 'raw')
      .map(({ head, rest }) => [...head, ...rest].join()),
  )
  return new Set(byFrequency(pairs).slice(0, FREQUENT))
}

/** What there is, most frequent first, and the place of each among it. */
function ranked(items) {
  const ranks = byFrequency(items)
  const places = new Map(ranks.map((item, place) => [item, place]))
  return [ranks, items.map((item) => places.get(item))]
}

function byFrequency(items) {
  const counts = new Map()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return [...counts].sort(([, one], [, other]) => other - one).map(([item]) => item)
}

// Printable ASCII without what would need escapes.
const DIGITS = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).filter(
  (character) => !'"<\\'.includes(character),
)

function encodeBytes(bytes) {
  return Array.from(bytes, (byte) => {
    const pair = Math.floor(byte / 90)
    if (pair > 2)
      throw new Failure(`scripts/build cannot pack ${byte}: that needs three characters.`)
    return (pair === 0 ? '' : DIGITS[89 + pair]) + DIGITS[byte % 90]
  }).join('')
}
