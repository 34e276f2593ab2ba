/**
 * The engine's module where bytes may be compiled: Node, Bun, Deno, browsers.
 * They stand in the bundle as text, so no file can get lost on the way.
 *
 * @module
 */
import text, { unpacker } from '../../build/core/text.js'
import { unpack } from './unpack.js'

export function compileSync(): WebAssembly.Module {
  const instance = new WebAssembly.Instance(new WebAssembly.Module(unpackerBytes()))
  return new WebAssembly.Module(unpack(text, instance))
}

export async function compile(): Promise<WebAssembly.Module> {
  const { instance } = await WebAssembly.instantiate(unpackerBytes())
  return WebAssembly.compile(unpack(text, instance))
}

function unpackerBytes(): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(unpacker), (character) => character.charCodeAt(0))
}
