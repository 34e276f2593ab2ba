/** Links of the playground: whatever goes in comes out, and whatever else comes in is refused. */

import { describe, expect, it } from 'vitest'
import {
  MAX_LINK,
  readHash,
  readShared,
  type Shared,
  VIEWS,
  writeHash,
} from '../../playground/hash.js'
import { MOVES } from '../../playground/simulation.js'
import fc from '../support/property.js'

const options = fc.dictionary(
  fc.string({ maxLength: 12 }).filter((key) => key !== '__proto__'),
  fc.jsonValue({ maxDepth: 2 }),
  { maxKeys: 5 },
)

const shared = fc.record({
  engine: fc.string(),
  view: fc.constantFrom(...VIEWS),
  sets: fc.tuple(options, options),
  format: fc.string(),
  moves: fc.array(fc.constantFrom(...MOVES)),
  source: fc.option(fc.record({ name: fc.string(), text: fc.string({ unit: 'grapheme' }) })),
})

const asJson = (value: unknown) => JSON.parse(JSON.stringify(value))

describe('links', () => {
  it('carry everything there and back', async () => {
    await fc.assert(
      fc.asyncProperty(shared, async (given) => {
        const hash = await writeHash(given as Shared)
        expect(hash).toMatch(/^v1\.[\w-]*$/)
        expect(await readHash(hash)).toEqual(asJson(given))
      }),
    )
  })

  it('that are damaged are refused with a TypeError, whatever is wrong', async () => {
    const whole = await writeHash({ ...EMPTY, format: 'auto' })
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ maxLength: 60 }).map((text) => `v1.${text}`),
          fc.string({ maxLength: 60 }),
          fc.nat(whole.length - 4).map((length) => whole.slice(0, length)),
        ),
        async (hash) => {
          await expect(readHash(hash)).rejects.toThrow(TypeError)
        },
      ),
    )
  })

  it('are refused when they hold something else', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        expect(() => readShared(value)).toThrow(TypeError)
      }),
    )
  })

  it('that would be too long are refused', async () => {
    let seed = 1
    const noise = Array.from({ length: 40_000 }, () => {
      seed = (seed * 48_271) % 2_147_483_647
      return String.fromCharCode(33 + (seed % 94))
    }).join('')
    const source = { name: 'noise', text: noise }
    await expect(writeHash({ ...EMPTY, source })).rejects.toThrow(
      `more than ${MAX_LINK / 1000} kB even when it is compressed`,
    )
  })

  it('that unpack to more than a page can hold are refused', async () => {
    const source = { name: 'bomb', text: ' '.repeat(9_000_000) }
    const hash = await writeHash({ ...EMPTY, source })
    expect(hash.length).toBeLessThan(MAX_LINK)
    await expect(readHash(hash)).rejects.toThrow('damaged')
  })
})

const EMPTY: Shared = {
  engine: '0.0.0',
  view: 'session',
  sets: [{}, {}],
  format: 'auto',
  moves: [],
  source: null,
}
