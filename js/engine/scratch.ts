/**
 * Strings go to the engine through one buffer in its memory.
 *
 * wasm-bindgen's own string arguments allocate and free on each call; writing into a buffer that
 * stays is four times as fast.
 *
 * @module
 */

import { isWellFormed, wellFormed } from '../input/surrogates.js'

const SMALLEST = 16 * 1024
// A buffer beyond this is released by the next write.
const KEPT = 1024 * 1024
// Up to here a loop is faster than encodeInto.
const SHORT = 40
// A UTF-16 unit takes at most three bytes in UTF-8.
const WORST = 3

const encoder = new TextEncoder()

export class Scratch {
  /** How many bytes the pieces of the latest {@link write} took. */
  first = 0
  second = 0
  third = 0

  readonly #reserve: (bytes: number) => number
  readonly #memory: WebAssembly.Memory
  #address = 0
  #capacity = 0
  #view = new Uint8Array(0)

  /** `reserve(n)` returns the address of at least n bytes, valid until it is called again. */
  constructor(reserve: (bytes: number) => number, memory: WebAssembly.Memory) {
    this.#reserve = reserve
    this.#memory = memory
  }

  /**
   * Writes up to three strings back to back, as UTF-8. They stay there until the next write. Half a
   * surrogate pair is written as {@link wellFormed} does.
   *
   * It is fastest when the first is the long one: encoding the others takes a view of its own, unless
   * they are short.
   */
  write(first: string, second = '', third = ''): void {
    this.#encode(first, second, third)
    const isAscii =
      this.first + this.second + this.third === first.length + second.length + third.length
    if (isAscii || (isWellFormed(first) && isWellFormed(second) && isWellFormed(third))) return
    this.#encode(wellFormed(first), wellFormed(second), wellFormed(third))
  }

  /** Writes one string, as UTF-8 of the same length in characters: half a pair becomes U+FFFD. */
  writeText(text: string): void {
    this.#encode(text, '', '')
  }

  #encode(first: string, second: string, third: string): void {
    const worst = (first.length + second.length + third.length) * WORST
    if (worst > KEPT) {
      this.#encodeLong(first, second, third)
      return
    }
    this.#prepare(worst)
    this.first = this.#put(first, 0)
    this.second = this.#put(second, this.first)
    this.third = this.#put(third, this.first + this.second)
  }

  /** Encodes long strings first: reserving three bytes for each unit would waste memory. */
  #encodeLong(...strings: [string, string, string]): void {
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
      // The memory grew: the buffer is where it was, but the view on it is detached.
      this.#attach()
    }
  }

  #resize(bytes: number): void {
    // Should the engine fail here, nothing may be left that looks usable.
    this.#capacity = 0
    this.#address = this.#reserve(bytes)
    if (this.#address === 0) throw new Error('loophound: the engine has no buffer')
    this.#capacity = bytes
    this.#attach()
  }

  #attach(): void {
    this.#view = new Uint8Array(this.#memory.buffer, this.#address, this.#capacity)
  }

  #put(text: string, at: number): number {
    if (text.length <= SHORT && this.#putAscii(text, at)) return text.length
    const target = at === 0 ? this.#view : this.#view.subarray(at)
    const { read, written } = encoder.encodeInto(text, target)
    // encodeInto stops without complaint where the buffer ends.
    if (read !== text.length) throw new Error('loophound: a string did not fit its buffer')
    return written
  }

  #putAscii(text: string, at: number): boolean {
    const view = this.#view
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index)
      if (unit > 0x7f) return false
      view[at + index] = unit
    }
    return true
  }
}

type Bytes = [Uint8Array, Uint8Array, Uint8Array]
