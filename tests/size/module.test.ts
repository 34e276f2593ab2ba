import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

interface Sized {
  readonly name: string
  readonly size: number
}

interface Tools {
  readModule(bytes: Uint8Array): { functions: Sized[]; data: number }
  crateOf(name: string): string
  roomOf(name: string): string
  sumBy(functions: Sized[], group: (name: string) => string): [string, number][]
}

const root = path.resolve(import.meta.dirname, '../..')
const file = path.join(root, 'build/wasm/loophound_bg.wasm')
// Plain JavaScript without types: named by a variable, so that the compiler does not look for any.
const modules = ['functions', 'groups'].map((name) => path.join(root, `scripts/size/${name}.mjs`))
const loaded = await Promise.all(modules.map((name) => import(name)))
const { readModule, crateOf, roomOf, sumBy } = Object.assign({}, ...loaded) as Tools

describe('what the engine consists of', () => {
  const bytes = readFileSync(file)
  const { functions, data } = readModule(bytes)
  const code = functions.reduce((sum, { size }) => sum + size, 0)

  it('is read from the module, by name', () => {
    expect(functions.length).toBeGreaterThan(300)
    expect(functions.filter(({ name }) => name === '?')).toEqual([])
    expect(code + data).toBeLessThan(bytes.length)
  })

  it('adds up, by crate and by room', () => {
    const crates = sumBy(functions, crateOf)
    expect(crates.reduce((sum, [, size]) => sum + size, 0)).toBe(code)
    expect(crates[0]?.[0]).toBe('loophound')
    const rooms = sumBy(functions, roomOf).map(([room]) => room)
    expect(rooms).toEqual(expect.arrayContaining(['detector', 'fingerprint/json', 'options']))
  })

  it('is told apart by name', () => {
    expect(crateOf('<loophound::verdict::Verdict as core::clone::Clone>::clone')).toBe('loophound')
    expect(crateOf('alloc::vec::Vec<T,A>::push::h0')).toBe('alloc')
    expect(crateOf('core[c59]::str::from_utf8')).toBe('core')
    expect(crateOf('engine_record')).toBe('exports and the rest')
    expect(roomOf('loophound::detect::cycle::Cycle::on_call')).toBe('detect/cycle')
    expect(roomOf('loophound::options::read_rule')).toBe('options')
  })
})
