/**
 * The engine's module where bytes may be compiled: Node, Bun, Deno, browsers.
 * It is part of the bundle as text, so no file can get lost on the way.
 *
 * @module
 */
import text from '../../build/core/engine.js'
import { decodeEngine } from './engine-text.js'

export function compileSync(): WebAssembly.Module {
  return new WebAssembly.Module(decodeEngine(text))
}

export async function compile(): Promise<WebAssembly.Module> {
  return WebAssembly.compile(decodeEngine(text))
}
