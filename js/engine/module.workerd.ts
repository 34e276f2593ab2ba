/**
 * The engine's module on Cloudflare Workers, which refuse to compile bytes in a handler: the import
 * is a module that is compiled when the Worker is deployed.
 *
 * @module
 */
import compiled from './core.wasm'

export function compileSync(): WebAssembly.Module {
  return compiled
}

export async function compile(): Promise<WebAssembly.Module> {
  return compiled
}
