/**
 * Strings go to the engine through one buffer in its memory.
 *
 * wasm-bindgen's own string arguments allocate and free on each call; writing
 * into a buffer that stays is four times as fast.
 *
 * @module
 */
import { abandon, isPacked, writeJsonBytes } from './json-bytes.js'

const SMALLEST = 16 * 1024
// A buffer beyond this is let go again by the next write.
const KEPT = 1024 * 1024
// Up to here a loop is faster than a call of encodeInto.
const SHORT = 32
// A UTF-16 unit takes at most three bytes in UTF-8.
const WORST = 3

const encoder = new TextEncoder()

export class Scratch {
  /** How many bytes the pieces of the latest {@link write} took. */
  first = 0
  second = 0
  third = 0
  /** Whether the data of the latest {@link writeData} is packed; see `json-bytes.ts`. */
  packed = false

  readonly #reserve: (bytes: number) => number
  readonly #memory: WebAssembly.Memory
  #address = 0
  #capacity = 0
  #view = new Uint8Array(0)
  // How often something was written: a getter among data can do so, too.
  #writes = 0
  // Views that start at a small offset, as the second piece does behind a tool's name.
  #tails: Uint8Array[] = []

  /** `reserve(n)` answers with the address of at least n bytes, valid until it is called again. */
  constructor(reserve: (bytes: number) => number, memory: WebAssembly.Memory) {
    this.#reserve = reserve
    this.#memory = memory
  }

  /**
   * Writes up to three strings back to back, as UTF-8. A lone surrogate becomes
   * U+FFFD. What was written stands until the next write.
   */
  write(first: string, second = '', third = ''): void {
    this.#begin()
    const worst = (first.length + second.length + third.length) * WORST
    if (worst > KEPT) {
      this.#writeLong(first, second, third)
      return
    }
    this.#prepare(worst)
    this.first = this.#put(first, 0)
    this.second = this.#put(second, this.first)
    this.third = this.#put(third, this.first + this.second)
  }

  /**
   * Writes a string, plain data as JSON text, and another string.
   *
   * @returns False if that did not work out: the data is not plain, too large, or reading it failed.
   * Then its text has to be made some other way, which also finds out what is wrong with it.
   */
  writeData(first: string, data: object, third: string): boolean {
    const writes = this.#begin()
    this.#prepare(SMALLEST)
    if ((first.length + third.length) * WORST > SMALLEST) return false
    this.first = this.#put(first, 0)
    let end: number
    try {
      end = writeJsonBytes(this.#view, this.first, data)
    } catch {
      return false
    }
    if (end < 0 || writes !== this.#writes || end + third.length * WORST > this.#capacity) {
      return false
    }
    this.second = end - this.first
    this.third = this.#put(third, end)
    this.packed = isPacked()
    return true
  }

  /** What is still being written, around a getter that got here, is given up. */
  #begin(): number {
    abandon()
    return ++this.#writes
  }

  /** Three times a long string's length would be memory for nothing: these are measured first. */
  #writeLong(...strings: [string, string, string]): void {
    const [first, second, third] = strings.map((text) => encoder.encode(text)) as Bytes
    this.first = first.length
    this.second = second.length
    this.third = third.length
    this.#resize(this.first + this.second + this.third)
    this.#view.set(first)
    this.#view.set(second, this.first)
    this.#view.set(third, this.first + this.second)
  }

  #prepare(bytes: number): void {
    if (bytes > this.#capacity || this.#capacity > KEPT) {
      // In powers of two, so that slowly growing strings do not move it each time.
      this.#resize(Math.max(2 ** Math.ceil(Math.log2(bytes)), SMALLEST))
    } else if (this.#view.byteLength === 0) {
      // The memory grew: the buffer is where it was, but the view on it is gone.
      this.#look()
    }
  }

  #resize(bytes: number): void {
    // Should the engine fail here, nothing may be left that looks usable.
    this.#capacity = 0
    this.#address = this.#reserve(bytes)
    // The engine is at work: it asked for the time, and the clock calls it.
    if (this.#address === 0) throw new TypeError('loophound: called while it was at work')
    this.#capacity = bytes
    this.#look()
  }

  #look(): void {
    this.#view = new Uint8Array(this.#memory.buffer, this.#address, this.#capacity)
    this.#tails = []
  }

  #put(text: string, at: number): number {
    if (text.length <= SHORT) {
      const view = this.#view
      let index = 0
      for (; index < text.length; index++) {
        const unit = text.charCodeAt(index)
        if (unit > 0x7f) break
        view[at + index] = unit
      }
      if (index === text.length) return index
    }
    const { read, written } = encoder.encodeInto(text, this.#from(at))
    // encodeInto stops without complaint where the buffer ends.
    if (read !== text.length) throw new Error('loophound: a string did not fit its buffer')
    return written
  }

  #from(at: number): Uint8Array {
    if (at === 0) return this.#view
    if (at > SHORT) return this.#view.subarray(at)
    this.#tails[at] ??= this.#view.subarray(at)
    return this.#tails[at]
  }
}

type Bytes = [Uint8Array, Uint8Array, Uint8Array]
