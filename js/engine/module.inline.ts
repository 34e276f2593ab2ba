/**
 * The engine's module where bytes may be compiled: Node, Bun, Deno, browsers.
 * It is part of the bundle as base64, so no file can get lost on the way.
 *
 * @module
 */
import base64 from '../../build/core/base64.js'

export function compileSync(): WebAssembly.Module {
  return new WebAssembly.Module(decode(base64))
}

export async function compile(): Promise<WebAssembly.Module> {
  return WebAssembly.compile(decode(base64))
}

function decode(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text)
  const bytes = new Uint8Array(binary.length)
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index)
  return bytes
}
