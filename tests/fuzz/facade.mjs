// Everything that JavaScript can hold, through every method: a verdict, or a TypeError or RangeError,
// and a detector that works on as if the refused calls had never been made.
import fc from 'fast-check'

const boom = () => {
  throw new Error('boom')
}

const anything = fc.anything({
  maxDepth: 4,
  withBigInt: true,
  withBoxedValues: true,
  withDate: true,
  withMap: true,
  withSet: true,
  withTypedArray: true,
  withSparseArray: true,
  withObjectString: true,
  withNullPrototype: true,
  withUnicodeString: true,
})

/** What bites, made only when it is used: whoever generates values looks at them too. */
const BITES = [
  () => Symbol('s'),
  () => boom,
  (inner) => Object.defineProperty({ inner }, 'a', { get: boom, enumerable: true }),
  () => ({ toJSON: boom }),
  (inner) => ({ toJSON: () => inner }),
  (inner) => new Proxy({ inner }, { get: boom }),
  (inner) => new Proxy({ inner }, { ownKeys: boom }),
  (inner) => new Proxy([inner], { has: boom, getPrototypeOf: boom }),
  () => revoked(),
  (inner) => cycle(inner),
  () => Object.create({ toString: boom }),
  () => Object.defineProperty(new Error('e'), 'message', { value: Symbol('m') }),
  () => new DataView(new ArrayBuffer(3), 1),
  () => `${'['.repeat(500)}1`,
  () => '\ud800',
]

/** A value to be made of others, later. */
class Later {
  constructor(make) {
    this.make = make
  }
}
const later = (value) => (value instanceof Later ? value.make() : value)
const laterFields = (fields) =>
  new Later(() =>
    Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, later(value)])),
  )

const bite = fc
  .tuple(fc.nat(BITES.length - 1), anything)
  .map(([kind, inner]) => new Later(() => BITES[kind](inner)))
const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('bash', 'read', '__proto__'))
const any = fc.oneof(bite, anything, text)
const fields = (names, requiredKeys) =>
  fc.record(Object.fromEntries(names.map((name) => [name, any])), { requiredKeys }).map(laterFields)

const act = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(fc.constant('record'), any, any, fc.option(any)) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('record'), text, any) },
  fc.tuple(fc.constant('recordBatch'), any),
  fc.tuple(
    fc.constant('recordBatch'),
    fc
      .array(fields(['name', 'args', 'id'], ['name']))
      .map((list) => new Later(() => list.map(later))),
  ),
  fc.tuple(fc.constant('recordResult'), any),
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constant('recordResult'), fields(['id', 'name', 'ok', 'output'], [])),
  },
  fc.tuple(fc.constant('recordText'), any),
  fc.tuple(
    fc.constant('pushText'),
    any,
    fc.constantFrom(undefined, 'text', 'reasoning', 'arguments', 'loud'),
  ),
  fc.tuple(fc.constantFrom('extend', 'restoreFrom'), any),
  fc.tuple(fc.constantFrom('beginTurn', 'userMessage', 'isStuck', 'recentNames', 'toJSON')),
)

const NOON = Date.UTC(2026, 0, 1, 12)

/** The property that holds for any list of such calls. */
export function facadeProperty({ LoopDetector, LoopGuard, computeToolFingerprint, scan }) {
  const presets = fc.constantFrom('nudge', 'guard', 'cycles', 'window', 'balanced')
  return fc.property(presets, fc.array(act, { maxLength: 25 }), (preset, acts) => {
    // A state holds the time of its last warning: the twin must be told at the same moment.
    const { now } = Date
    Date.now = () => NOON
    const detector = new LoopDetector(preset)
    const twin = new LoopDetector(preset)
    const guard = new LoopGuard({ detector: preset, onError: () => {}, onWarning: false })
    try {
      for (const [method, ...given] of acts) {
        const args = given.map(later)
        const answer = outcome(() => detector[method](...args))
        // What was refused must have left no trace: the twin never hears of it.
        if (!answer.refused) outcome(() => twin[method](...args))
        guard.call({ name: args[0], args: args[1], id: args[2] })
        guard.result({ id: args[0], output: args[1] })
        guard.endStep(args[0])
        outcome(() => computeToolFingerprint(args[0], args[1]))
        outcome(() => scan(args[0]))
        outcome(() => new LoopDetector(args[0]).free())
      }
      if (JSON.stringify(detector) !== JSON.stringify(twin)) {
        throw new Error('a refused call left a trace')
      }
      const copy = new LoopDetector(preset)
      copy.restoreFrom(JSON.parse(JSON.stringify(detector)))
      copy.free()
      detector.reset()
      for (let i = 0; i < 30; i++) {
        detector.record('read', { path: 'a' })
        detector.recordResult({ output: 'the same' })
      }
      if (!detector.isStuck()) throw new Error('a plain loop was missed afterwards')
    } finally {
      Date.now = now
      detector.free()
      twin.free()
      guard.free()
    }
  })
}

/** Lets only clear errors pass. */
function outcome(use) {
  try {
    return { refused: false, answer: use() }
  } catch (error) {
    const clear = error instanceof TypeError || error instanceof RangeError
    if (clear && typeof error.message === 'string' && error.message !== '') return { refused: true }
    throw new Error('not a clear error', { cause: error })
  }
}

function revoked() {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

function cycle(inner) {
  const object = { inner }
  object.self = [object]
  return object
}
