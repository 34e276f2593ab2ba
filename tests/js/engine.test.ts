// The loaders: js/engine, which the published entries hide.
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { decodeEngine } from '../../js/engine/engine-text.js'
import { Scratch } from '../../js/engine/scratch.js'
import { wellFormed } from '../../js/input/surrogates.js'
import { encodeEngine } from '../../scripts/build/engine-text.mjs'
import fc from '../support/property.js'

type Loader = typeof import('../../js/engine/engine.js')

const MEBIBYTE = 1024 * 1024
const published = (file: string) =>
  readFileSync(new URL(`../../pkg/dist/${file}`, import.meta.url), 'utf8')

let loader: Loader

beforeEach(async () => {
  vi.resetModules()
  loader = await import('../../js/engine/engine.js')
})

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe('starting', () => {
  it('does nothing at import', async () => {
    const compile = vi.spyOn(WebAssembly, 'Module')
    vi.resetModules()
    await import('../../js/engine/engine.js')
    await import('loophound')
    expect(compile).not.toHaveBeenCalled()
  })

  it('starts synchronously, once', () => {
    const first = loader.engineInstance()
    expect(loader.engineInstance()).toBe(first)
    expect(new first.Engine(undefined).isStuck()).toBe(false)
  })

  it('starts asynchronously, once, without compiling synchronously', async () => {
    const compile = vi.spyOn(WebAssembly, 'Module')
    await Promise.all([loader.init(), loader.init()])
    const started = loader.engineInstance()
    await loader.init()
    expect(loader.engineInstance()).toBe(started)
    expect(compile).not.toHaveBeenCalled()
  })

  it('keeps the engine of a detector that was made while init() was at work', async () => {
    const starting = loader.init()
    const started = loader.engineInstance()
    await starting
    expect(loader.engineInstance()).toBe(started)
  })

  it('takes init() after the first detector', async () => {
    const started = loader.engineInstance()
    await loader.init()
    expect(loader.engineInstance()).toBe(started)
  })
})

describe('failing to start', () => {
  it('names the directive that a Content-Security-Policy lacks', () => {
    const cause = new WebAssembly.CompileError('Wasm code generation disallowed by embedder')
    refuse(cause)
    expect(() => loader.engineInstance()).toThrow(/'wasm-unsafe-eval'.*workerd/)
    expect(errorOf(() => loader.engineInstance()).cause).toBe(cause)
  })

  it('points to init() where only small modules are compiled synchronously', () => {
    refuse(new RangeError('disallowed on the main thread'))
    expect(() => loader.engineInstance()).toThrow('await init()')
  })

  it('works after a failure', async () => {
    vi.spyOn(WebAssembly, 'compile').mockRejectedValueOnce(new WebAssembly.CompileError('refused'))
    await expect(loader.init()).rejects.toThrow("'wasm-unsafe-eval'")
    await loader.init()
    expect(new (loader.engineInstance().Engine)(undefined).isStuck()).toBe(false)
  })
})

describe('a trap', () => {
  it('breaks the detectors of its instance, and no others', () => {
    const broken = loader.engineInstance()
    const bystander = new broken.Engine(undefined)
    const error = errorOf(() => trap(broken))
    expect(error.message).toContain('restoreFrom')
    expect(error.cause).toBeInstanceOf(WebAssembly.RuntimeError)
    expect(() => bystander.isStuck()).toThrow(error)
    expect(() => broken.scratch.write('x'.repeat(100_000))).toThrow(error)

    const fresh = loader.engineInstance()
    expect(fresh).not.toBe(broken)
    expect(new fresh.Engine(undefined).isStuck()).toBe(false)
    expect(() => bystander.free()).not.toThrow()
    expect(loader.engineInstance()).toBe(fresh)
  })

  it('can be followed by another init()', async () => {
    await loader.init()
    const broken = loader.engineInstance()
    expect(() => trap(broken)).toThrow()
    const instantiate = vi.spyOn(WebAssembly, 'Instance')
    await loader.init()
    expect(loader.engineInstance()).not.toBe(broken)
    expect(instantiate).not.toHaveBeenCalled()
  })

  it('may come while a detector is built or restored: the next one works', () => {
    const snapshot = new (loader.engineInstance().Engine)(undefined).toJSON()
    for (const act of [
      (core: ReturnType<Loader['engineInstance']>) => new core.Engine({ window: 30 }),
      (core: ReturnType<Loader['engineInstance']>) => new core.Swarm({ capacity: 3 }),
      (core: ReturnType<Loader['engineInstance']>) => new core.Engine(undefined).restore(snapshot),
    ]) {
      const broken = loader.engineInstance()
      // The engine calls this to read an object, and does not expect it to fail.
      const cause = new Error('not now')
      vi.spyOn(Object, 'entries').mockImplementation(() => {
        throw cause
      })
      const error = errorOf(() => act(broken))
      vi.restoreAllMocks()
      expect(error.message).toContain('the engine stopped unexpectedly')
      expect(error.cause).toBe(cause)
      const fresh = loader.engineInstance()
      expect(fresh).not.toBe(broken)
      const engine = new fresh.Engine(undefined)
      engine.restore(snapshot)
      expect(engine.isStuck()).toBe(false)
    }
  })

  it('does not change errors that the engine returns', () => {
    const core = loader.engineInstance()
    expect(() => new core.Engine({ nonsense: true })).toThrow(TypeError)
    expect(loader.engineInstance()).toBe(core)
  })

  it('may be a stack that overflows inside: the next detector works', () => {
    const engine = new (loader.engineInstance().Engine)(undefined)
    const dive = (): unknown => [engine.isStuck(), dive()]
    expect(dive).toThrow()
    expect(new (loader.engineInstance().Engine)(undefined).isStuck()).toBe(false)
  })
})

describe('writing strings', () => {
  it('writes any three strings back to back, as UTF-8', () => {
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
        const expected = strings.map((string) => Buffer.from(wellFormed(string)))
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

  it('does not join the halves of a pair across strings', () => {
    const { scratch, content } = fakeScratch()
    scratch.write('\ud83d', '\ude00')
    expect(content().toString()).toBe('\ufffdd83d\ufffdde00')
  })

  it('keeps the length of streamed text', () => {
    const { scratch, content } = fakeScratch()
    scratch.writeText('a\ud83db')
    expect(content().toString()).toBe('a\ufffdb')
  })

  it('finds its buffer again after the memory grew', () => {
    const { scratch, memory, content } = fakeScratch()
    scratch.write('before')
    memory.grow(1)
    scratch.write('after', 'that')
    expect(content().toString()).toBe('afterthat')
  })

  it('takes ten million characters at their own size, and releases the space again', () => {
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
    const path = `src/${'ü'.repeat(40)}.ts`
    const fingerprint = loader.engineInstance().fingerprint('read_file', JSON.stringify({ path }))
    expect(fingerprint).toBe(`read_file:{"path":"${path}"}`)
  })

  it('takes ten million characters to the engine and back to short strings', () => {
    const { scratch, Engine } = loader.engineInstance()
    const engine = new Engine(undefined)
    for (const length of [10, 10_000_000, 10, 400_000, 10]) {
      scratch.write(JSON.stringify({ path: 'a', content: 'ü'.repeat(length) }), 'write_file')
      expect(engine.record(scratch.first, scratch.second, 0, 0, 0, Number.NaN)).toBe(0)
    }
  })

  it('is refused while the engine is at work', () => {
    const core = loader.engineInstance()
    const engine = new core.Engine('nudge')
    const refusals: unknown[] = []
    vi.spyOn(Date, 'now').mockImplementation(() => {
      for (const use of [() => core.scratch, () => engine.isStuck(), () => core.free(engine)]) {
        refusals.push(errorOf(use))
      }
      return 0
    })
    for (let i = 0; i < 3; i++) {
      core.scratch.write('{"path":"a"}', 'read')
      engine.record(core.scratch.first, core.scratch.second, 0, 0, 0, Number.NaN)
    }
    const refusal = new TypeError('loophound: called while it was at work')
    expect(refusals.slice(0, 3)).toEqual([refusal, refusal, refusal])
    expect(loader.engineInstance()).toBe(core)
  })
})

describe('an event that the engine cannot read', () => {
  it.each([
    ['is longer than the buffer', 1_000_000_000],
    ['is longer than the memory', 0xffff_ffff],
    ['is not UTF-8', 1],
  ])('because it %s breaks the engine, with an error that says so', (_, length) => {
    const core = loader.engineInstance()
    const engine = new core.Engine(undefined)
    core.scratch.write('é')
    const error = errorOf(() => core.recorded(engine.recordText(length)))
    expect(error.message).toContain('restoreFrom')
    expect(error.cause).toEqual(new Error('the engine could not read its buffer'))
    expect(() => engine.isStuck()).toThrow(error)
    expect(loader.engineInstance()).not.toBe(core)
  })
})

describe('the published entries', () => {
  const core = readFileSync(new URL('../../pkg/dist/core.wasm', import.meta.url))
  const inlined = encodeEngine(core)
  // Without what a bundler may escape.
  const pieces = inlined.split(/["'`\\$]+/).filter((piece) => piece.length > 60)

  it('read back what the build writes, byte for byte', () => {
    expect(Buffer.from(decodeEngine(inlined)).equals(core)).toBe(true)
    const all = Uint8Array.from({ length: 256 }, (_, byte) => byte)
    expect(decodeEngine(encodeEngine(all))).toEqual(all)
  })

  it('export functions with at most seven parameters, as many as are passed on', () => {
    const module = new WebAssembly.Module(core)
    const imports = WebAssembly.Module.imports(module)
    const functions = Object.fromEntries(imports.map(({ name }) => [name, () => 0]))
    const { exports } = new WebAssembly.Instance(module, { './loophound_bg.js': functions })
    const lengths = Object.values(exports).map((one) =>
      typeof one === 'function' ? one.length : 0,
    )
    expect(Math.max(...lengths)).toBeLessThanOrEqual(7)
  })

  it.each(['index.js', 'index.cjs'])('%s carries core.wasm, byte for byte', (file) => {
    expect(pieces.length).toBeGreaterThan(100)
    expect(pieces.every((piece) => published(file).includes(piece))).toBe(true)
    expect(published(file)).not.toContain('core.wasm')
  })

  it.each([
    ['workerd.js', './core.wasm'],
    ['edge-light.js', './core.wasm?module'],
  ])('%s imports %s', (file, specifier) => {
    expect(published(file)).toContain(` from "${specifier}";`)
    expect(published(file).includes(pieces[0] as string)).toBe(false)
  })

  it('have no await at the top level', () => {
    for (const file of ['index.js', 'index.cjs', 'workerd.js', 'edge-light.js']) {
      expect(published(file)).not.toMatch(/^[^\s/*].*\bawait /m)
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
function trap(core: ReturnType<Loader['engineInstance']>): void {
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
