// The loaders: js/core, which the published entries hide.
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Scratch } from '../../js/core/scratch.js'

type Loader = typeof import('../../js/core/core.js')

const MEBIBYTE = 1024 * 1024
const published = (file: string) =>
  readFileSync(new URL(`../../pkg/dist/${file}`, import.meta.url), 'utf8')

let loader: Loader

beforeEach(async () => {
  vi.resetModules()
  loader = await import('../../js/core/core.js')
})

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe('starting', () => {
  it('does nothing at import', async () => {
    const compile = vi.spyOn(WebAssembly, 'Module')
    vi.resetModules()
    await import('../../js/core/core.js')
    await import('loophound')
    expect(compile).not.toHaveBeenCalled()
  })

  it('starts synchronously, once', () => {
    const first = loader.core()
    expect(loader.core()).toBe(first)
    expect(new first.Engine(undefined).isStuck()).toBe(false)
  })

  it('starts asynchronously, once, without compiling synchronously', async () => {
    const compile = vi.spyOn(WebAssembly, 'Module')
    await Promise.all([loader.init(), loader.init()])
    const started = loader.core()
    await loader.init()
    expect(loader.core()).toBe(started)
    expect(compile).not.toHaveBeenCalled()
  })

  it('keeps the engine of a detector that was made while init() was at work', async () => {
    const starting = loader.init()
    const started = loader.core()
    await starting
    expect(loader.core()).toBe(started)
  })

  it('takes init() after the first detector', async () => {
    const started = loader.core()
    await loader.init()
    expect(loader.core()).toBe(started)
  })
})

describe('failing to start', () => {
  it('names the directive that a Content-Security-Policy lacks', () => {
    const cause = new WebAssembly.CompileError('Wasm code generation disallowed by embedder')
    refuse(cause)
    expect(() => loader.core()).toThrow(/'wasm-unsafe-eval'.*workerd/)
    expect(errorOf(() => loader.core()).cause).toBe(cause)
  })

  it('points to init() where only small modules are compiled synchronously', () => {
    refuse(new RangeError('disallowed on the main thread'))
    expect(() => loader.core()).toThrow('await init()')
  })

  it('works after a failure', async () => {
    vi.spyOn(WebAssembly, 'compile').mockRejectedValueOnce(new WebAssembly.CompileError('refused'))
    await expect(loader.init()).rejects.toThrow("'wasm-unsafe-eval'")
    await loader.init()
    expect(new (loader.core().Engine)(undefined).isStuck()).toBe(false)
  })
})

describe('a trap', () => {
  it('costs the detectors of its instance, and no others', () => {
    const broken = loader.core()
    const bystander = new broken.Engine(undefined)
    const error = errorOf(() => trap(broken))
    expect(error.message).toContain('restoreFrom')
    expect(error.cause).toBeInstanceOf(WebAssembly.RuntimeError)
    expect(() => bystander.isStuck()).toThrow(error)
    expect(() => broken.scratch.write('x'.repeat(100_000))).toThrow(error)

    const fresh = loader.core()
    expect(fresh).not.toBe(broken)
    expect(new fresh.Engine(undefined).isStuck()).toBe(false)
    expect(() => bystander.free()).not.toThrow()
    expect(loader.core()).toBe(fresh)
  })

  it('can be followed by another init()', async () => {
    await loader.init()
    const broken = loader.core()
    expect(() => trap(broken)).toThrow()
    const instantiate = vi.spyOn(WebAssembly, 'Instance')
    await loader.init()
    expect(loader.core()).not.toBe(broken)
    expect(instantiate).not.toHaveBeenCalled()
  })

  it('leaves errors that the engine returns alone', () => {
    const core = loader.core()
    expect(() => new core.Engine({ nonsense: true })).toThrow(TypeError)
    expect(loader.core()).toBe(core)
  })

  it('may be a stack that overflows inside: the next detector works', () => {
    const engine = new (loader.core().Engine)(undefined)
    const dive = (): unknown => [engine.isStuck(), dive()]
    expect(dive).toThrow()
    expect(new (loader.core().Engine)(undefined).isStuck()).toBe(false)
  })
})

describe('writing strings', () => {
  it('lays any three strings back to back, as UTF-8', () => {
    const { scratch, content } = fakeScratch()
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 80 }),
      fc.string({ maxLength: 80 }),
    )
    const wild = fc.oneof(
      text,
      fc.string().map((s) => `${s}\ud800`),
      text.map((s) => s.repeat(99)),
    )
    fc.assert(
      fc.property(wild, wild, wild, (...strings) => {
        scratch.write(...strings)
        const expected = strings.map((string) => Buffer.from(string))
        expect([scratch.first, scratch.second, scratch.third]).toEqual(
          expected.map((b) => b.length),
        )
        expect(content().equals(Buffer.concat(expected))).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  it('counts absent strings as empty', () => {
    const { scratch } = fakeScratch()
    scratch.write('a', 'bc', 'def')
    scratch.write('é')
    expect([scratch.first, scratch.second, scratch.third]).toEqual([2, 0, 0])
  })

  it('does not join the halves of a character across strings', () => {
    const { scratch, content } = fakeScratch()
    scratch.write('\ud83d', '\ude00')
    expect(content().toString()).toBe('\ufffd\ufffd')
  })

  it('finds its buffer again after the memory grew', () => {
    const { scratch, memory, content } = fakeScratch()
    scratch.write('before')
    memory.grow(1)
    scratch.write('after', 'that')
    expect(content().toString()).toBe('afterthat')
  })

  it('takes ten million characters at their own size, and lets the space go again', () => {
    const { scratch, reserved, content } = fakeScratch()
    const long = 'aé'.repeat(5_000_000)
    scratch.write('name', long, 'id')
    expect(scratch.second).toBe(15_000_000)
    expect(content().subarray(-4).toString()).toBe('éid')
    expect(reserved.at(-1)).toBe(15_000_006)
    scratch.write('short')
    expect(reserved.at(-1)).toBeLessThan(MEBIBYTE)
    const before = reserved.length
    scratch.write('short', 'again')
    expect(reserved.length).toBe(before)
  })

  it('reaches the engine', () => {
    const { scratch, fingerprint } = loader.core()
    const path = `src/${'ü'.repeat(40)}.ts`
    scratch.write('read_file', JSON.stringify({ path }))
    expect(fingerprint(scratch.first, scratch.second, 0)).toBe(`read_file:{"path":"${path}"}`)
  })

  it('takes ten million characters to the engine and back to short strings', () => {
    const { scratch, Engine } = loader.core()
    const engine = new Engine(undefined)
    for (const length of [10, 10_000_000, 10, 400_000, 10]) {
      scratch.write('write_file', JSON.stringify({ path: 'a', content: 'ü'.repeat(length) }))
      expect(engine.record(scratch.first, scratch.second, 0, 0)).toBe(0)
    }
  })
})

describe('the published entries', () => {
  const core = readFileSync(new URL('../../pkg/dist/core.wasm', import.meta.url))
  const inlined = core.toString('base64')

  it.each(['index.js', 'index.cjs'])('%s carries core.wasm, byte for byte', (file) => {
    expect(published(file).includes(inlined)).toBe(true)
    expect(published(file)).not.toContain('core.wasm')
  })

  it.each([
    ['workerd.js', './core.wasm'],
    ['edge-light.js', './core.wasm?module'],
  ])('%s imports %s', (file, specifier) => {
    expect(published(file)).toContain(` from"${specifier}";`)
    expect(published(file).includes(inlined.slice(0, 100))).toBe(false)
  })

  it('wait for nothing at the top level', () => {
    for (const file of ['index.js', 'index.cjs', 'workerd.js', 'edge-light.js']) {
      expect(published(file)).not.toMatch(/(^|[;}])await /)
    }
  })
})

/** A scratch on a memory of its own, and what the engine would see of it. */
function fakeScratch() {
  const memory = new WebAssembly.Memory({ initial: 1 })
  const reserved: number[] = []
  const address = 1000
  const scratch = new Scratch((bytes) => {
    reserved.push(bytes)
    const missing = address + bytes - memory.buffer.byteLength
    if (missing > 0) memory.grow(Math.ceil(missing / 65_536))
    return address
  }, memory)
  const content = () =>
    Buffer.from(memory.buffer, address, scratch.first + scratch.second + scratch.third)
  return { scratch, memory, reserved, content }
}

/** What a runtime does that does not compile synchronously. */
function refuse(error: Error): void {
  class Module {
    constructor() {
      throw error
    }
  }
  vi.stubGlobal('WebAssembly', Object.create(WebAssembly, { Module: { value: Module } }))
}

/** Makes the engine read far beyond its memory. */
function trap(core: ReturnType<Loader['core']>): void {
  const engine = Object.assign(new core.Engine(undefined), { __wbg_ptr: 0xfffffff0 })
  engine.isStuck()
}

function errorOf(action: () => unknown): Error {
  try {
    action()
  } catch (error) {
    if (error instanceof Error) return error
  }
  throw new Error('nothing was thrown')
}
