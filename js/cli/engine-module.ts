/**
 * The engine's module for the command, read from the file next to it. That is faster than decoding
 * it from text, and a hook is started for every event of an agent.
 *
 * @module
 */

import { readFileSync } from 'node:fs'

export function compileSync(): WebAssembly.Module {
  return new WebAssembly.Module(readFileSync(new URL('./core.wasm', import.meta.url)))
}

export async function compile(): Promise<WebAssembly.Module> {
  return compileSync()
}
