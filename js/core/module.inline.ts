/**
 * The engine's module where bytes may be compiled: Node, Bun, Deno, browsers.
 * They stand in the bundle as text, so no file can get lost on the way.
 *
 * @module
 */
import text from '../../build/core/text.js'
import { decodeBytes } from './bytes.js'

export function compileSync(): WebAssembly.Module {
  return new WebAssembly.Module(decodeBytes(text))
}

export async function compile(): Promise<WebAssembly.Module> {
  return WebAssembly.compile(decodeBytes(text))
}
