/**
 * Passes strings to the engine through one buffer in its memory.
 *
 * wasm-bindgen's own string arguments allocate and free on each call; writing into a permanent
 * buffer is four times as fast.
 *
 * @module
 */

import { isWellFormed, wellFormed } from '../input/surrogates.js'

const SMALLEST = 16 * 1024
// A buffer beyond this is released by the next write.
const KEPT = 1024 * 1024
// Up to this length a loop is faster than encodeInto.
const SHORT = 40
// A UTF-16 unit takes at most three bytes in UTF-8.
const WORST = 3

const encoder = new TextEncoder()

export class Scratch {
  /** How many bytes the pieces of the latest {@link write} took. */
  first = 0
  second = 0
  third = 0
  fourth = 0

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
   * Writes up to four strings back to back, as UTF-8. They stay there until the next write. Lone
   * surrogates are replaced as {@link wellFormed} does.
   *
   * It is fastest if only the first string is long: encoding another one needs a separate view,
   * unless it is short.
   */
  write(first: string, second = '', third = '', fourth = ''): void {
    this.#encode(first, second, third, fourth)
    const units = first.length + second.length + third.length + fourth.length
    if (this.first + this.second + this.third + this.fourth === units) return
    const strings: Strings = [first, second, third, fourth]
    if (!strings.every(isWellFormed)) this.#encode(...(strings.map(wellFormed) as Strings))
  }

  /**
   * Writes one string as UTF-8. A lone surrogate becomes U+FFFD, so that the length in characters
   * stays the same.
   */
  writeText(text: string): void {
    this.#encode(text, '', '', '')
  }

  #encode(first: string, second: string, third: string, fourth: string): void {
    const worst = (first.length + second.length + third.length + fourth.length) * WORST
    if (worst > KEPT) {
      this.#encodeLong(first, second, third, fourth)
      return
    }
    this.#prepare(worst)
    this.first = this.#put(first, 0)
    this.second = this.#put(second, this.first)
    this.third = this.#put(third, this.first + this.second)
    this.fourth = this.#put(fourth, this.first + this.second + this.third)
  }

  /** Encodes long strings first: reserving three bytes for each unit would waste memory. */
  #encodeLong(...strings: Strings): void {
    const bytes = strings.map((text) => encoder.encode(text))
    const lengths = bytes.map(({ length }) => length) as [number, number, number, number]
    ;[this.first, this.second, this.third, this.fourth] = lengths
    this.#resize(this.first + this.second + this.third + this.fourth)
    let at = 0
    for (const piece of bytes) {
      this.#view.set(piece, at)
      at += piece.length
    }
  }

  #prepare(bytes: number): void {
    if (bytes > this.#capacity || this.#capacity > KEPT) {
      // Powers of two, so that slowly growing strings do not move the buffer each time.
      this.#resize(Math.max(2 ** Math.ceil(Math.log2(bytes)), SMALLEST))
    } else if (this.#view.byteLength === 0) {
      // The memory grew: the buffer is where it was, but its view is detached.
      this.#attach()
    }
  }

  #resize(bytes: number): void {
    // If the engine fails here, nothing may look usable afterwards.
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
    // encodeInto stops silently at the end of the buffer.
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

type Strings = [string, string, string, string]
