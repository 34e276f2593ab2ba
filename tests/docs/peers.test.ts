/** The options of docs/peers.md are those that are held against the peers' own tests, and all of them. */

import { LoopDetector, type LoopDetectorOptions } from 'loophound'
import { describe, expect, it } from 'vitest'
import { PEERS } from '../conformance/peers.js'
import { observe, type VectorEvent } from '../support/vectors.js'
import { codeIn, readPage, tableUnder } from './pages.js'

const page = readPage('docs/peers.md')
const rows = tableUnder(page, '# Coming from another detector')

/** Roo Code is `roo-code`, OpenHands is `openhands`. */
const idOf = (agent: string) => agent.toLowerCase().replace(' ', '-')

/** Options as they are written in the documentation. */
async function evaluate(code: string): Promise<LoopDetectorOptions> {
  const module = `export default ${code}`
  return (await import(`data:text/javascript,${encodeURIComponent(module)}`)).default
}

describe('the table', () => {
  it('has every peer, and no other', () => {
    expect(rows.map(({ agent }) => idOf(agent ?? '')).toSorted()).toEqual(
      Object.keys(PEERS).toSorted(),
    )
  })

  const plain = rows.filter(({ options }) => options?.startsWith('`'))

  it.each(plain.map((row) => [row.agent as string, row.options as string] as const))(
    'has the options of %s',
    async (agent, cell) => {
      const options = await evaluate(codeIn(cell))
      const peer = PEERS[idOf(agent)]
      expect(options).toEqual(peer?.options(peer.shipped))
      new LoopDetector(options).free()
    },
  )
})

it('OpenHands has the options of its section', async () => {
  const section = page.text.split('\n## OpenHands\n')[1] ?? ''
  const code = /LoopDetectorOptions = (\{.*?\n\})/s.exec(section)?.[1] ?? ''
  const peer = PEERS.openhands
  expect(await evaluate(code)).toEqual(peer?.options(peer.shipped))
})

/** Peers whose tests we do not have as vectors: their rule in examples, by what is said of each call. */
describe('what the options do', () => {
  const a: VectorEvent = { t: 'call', name: 'read', args: { path: 'a' } }
  const b: VectorEvent = { t: 'call', name: 'bash', args: { command: 'ls' } }
  const told = (output: string): VectorEvent => ({ t: 'result', ok: true, output })
  const times = (count: number, ...events: VectorEvent[]) =>
    Array.from({ length: count }, () => events).flat()

  function reported(id: string, events: readonly VectorEvent[]): readonly number[] {
    const peer = PEERS[id]
    if (peer === undefined) throw new Error(`no peer ${id}`)
    return observe(peer, { config: peer.shipped, events }).reported
  }

  it('qwen-code: five in a row, and nothing else', () => {
    expect(reported('qwen-code', times(5, a))).toEqual([4])
    expect(reported('qwen-code', times(20, a, b))).toEqual([])
    expect(reported('qwen-code', times(1001, { t: 'turn' }))).toEqual([1000])
  })

  it('cline: three are told, five are stopped', () => {
    expect(reported('cline', times(5, a))).toEqual([2, 3, 4])
    expect(reported('cline', times(20, a, b))).toEqual([])
    const detector = new LoopDetector(PEERS.cline?.options(PEERS.cline.shipped))
    const actions = Array.from({ length: 5 }, () => detector.record('read').action)
    expect(actions).toEqual(['continue', 'continue', 'nudge', 'nudge', 'stop'])
    detector.free()
  })

  it('opencode: the third in a row waits for an answer', () => {
    expect(reported('opencode', times(3, a))).toEqual([2])
    expect(reported('opencode', times(20, a, b))).toEqual([])
  })

  it('crush: six of the last ten, results and all', () => {
    expect(reported('crush', times(6, a, told('same')))).toEqual([11])
    expect(reported('crush', times(20, a, told('one'), b, told('two')))).toEqual([])
    const changing = Array.from({ length: 20 }, (_, i) => [a, told(`new ${'x'.repeat(i)}`)]).flat()
    expect(reported('crush', changing)).toEqual([])
  })

  it('openrouter: the third is refused and the sixth ends it, whatever is between', () => {
    expect(reported('openrouter', times(3, a))).toEqual([2])
    expect(reported('openrouter', times(3, a, b))[0]).toBe(4)
    const detector = new LoopDetector(PEERS.openrouter?.options(PEERS.openrouter.shipped))
    const actions = Array.from({ length: 6 }, () => detector.record('read').action)
    expect(actions).toEqual(['continue', 'continue', 'block', 'block', 'block', 'stop'])
    detector.free()
  })
})
