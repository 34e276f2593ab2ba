/**
 * The engine's module for runtimes that compile bytes: Node, Bun, Deno, browsers. It is part of the
 * bundle as text, so no file can be missing.
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
