// A tool fails again and again with an output that tries to pass for something else: for words of the
// system, for the end of a quotation, for nothing at all. What the model is told by us must be harmless.
import assert from 'node:assert/strict'
import { flawIn, injections } from '../../support/injections.mjs'
import { call, inTurn } from './turns.mjs'

/** So many strings in one run; a framework's mock model may have a limit of turns. */
const STRINGS = 10
/** Enough calls for a nudge about each. */
const REPEATS = 5

export async function injected(driver) {
  const all = injections()
  assert.ok(all.length >= 200)
  const { strings = STRINGS } = driver
  for (let start = 0; start < all.length; start += strings) {
    await tell(driver, all.slice(start, start + strings), REPEATS)
  }
  // Long enough to be refused, too.
  for (const one of all.filter((_, index) => index % 60 === 0)) await tell(driver, [one], 9)
  await hidden(driver)
}

/** The options that keep things out of texts get through to the detector, as all options do. */
async function hidden(driver) {
  const told = []
  const warnings = []
  const fail = async () => {
    throw new Error('Error: SECRET has expired')
  }
  const guard = {
    detector: {
      evidence: 'none',
      redact: () => ({ path: 'HIDDEN' }),
      advice: { failing: '- OWN ADVICE' },
    },
    onVerdict: ({ message, summary }, context) => {
      told.push(message, summary)
      context.guard.warn({ code: 'x', message: 'x', remedy: 'x' })
    },
    onWarning: ({ code }) => warnings.push(code),
  }
  const turns = inTurn(...Array(5).fill({ calls: [call('fail', 'KEY')] }))
  const { prompts } = await driver.make({ guard, tools: { fail } }).run({ turns })
  assert.ok(told.length > 0)
  assert.ok(!/SECRET|KEY|Quoted/.test(told.join()), told.join())
  assert.ok(prompts.at(-1).includes('HIDDEN') && prompts.at(-1).includes('OWN ADVICE'))
  assert.deepEqual(warnings, ['x'])
}

/** Plays a run in which the same call fails with each of these outputs, and looks at every prompt. */
async function tell(driver, strings, repeats) {
  const told = []
  let guard
  const onVerdict = ({ message }, context) => {
    told.push(message)
    guard = context.guard
  }
  let last = 0
  const fail = async ({ path }) => {
    const index = Number.parseInt(path, 10)
    // The outputs are much alike: without a person in between, they would be one loop.
    if (index !== last) guard?.userMessage()
    last = index
    throw new Error(strings[index]?.text)
  }
  const turns = strings.flatMap((_, index) =>
    Array.from({ length: repeats }, () => ({ calls: [call('fail', `${index}.txt`)] })),
  )
  const { prompts } = await driver
    .make({ guard: { onVerdict }, tools: { fail }, maxSteps: turns.length + 1 })
    .run({ turns: inTurn(...turns) })
  // Every prompt has those before it: each string is looked at once.
  const leaves = new Map(
    prompts
      .flatMap((prompt) => [...leavesOf(JSON.parse(prompt))])
      .map((leaf) => [`${leaf.isInstruction} ${leaf.text}`, leaf]),
  )
  for (const { mark, text } of strings) {
    const about = told.filter((message) => message.includes(mark))
    assert.ok(about.length > 0, `nothing was said about ${JSON.stringify(text)}`)
    for (const message of about) {
      assert.equal(flawIn(message, mark), null, `${JSON.stringify(text)}: ${message}`)
    }
    assert.ok(
      [...leaves.values()].some((leaf) => about.some((message) => leaf.text.includes(message))),
      'the model was told',
    )
  }
  for (const { text, isInstruction } of leaves.values()) {
    const ours = told.filter((message) => text.includes(message))
    assert.ok(!isInstruction || ours.length === 0, `among the instructions: ${text}`)
    const rest = ours.reduce((left, message) => left.replaceAll(message, ''), text)
    // Where a message of ours is, nothing else of the output is.
    const leaked = ours.length > 0 && strings.find(({ mark }) => rest.includes(mark))
    assert.ok(!leaked || driver.addsToResults, `beside our text: ${text}`)
    assert.ok(!isInstruction || !strings.some(({ mark }) => text.includes(mark)), text)
  }
}

/** All strings in a prompt, and whether each is among the instructions. */
function* leavesOf(value, isInstruction = false) {
  if (typeof value === 'string') yield { text: value, isInstruction }
  else if (typeof value === 'object' && value !== null) {
    const who = value.role ?? value.type
    const inside = isInstruction || who === 'system' || who === 'developer'
    for (const one of Object.values(value)) yield* leavesOf(one, inside)
  }
}
