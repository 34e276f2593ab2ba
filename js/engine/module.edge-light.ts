/**
 * The engine's module on Vercel Edge, which refuses to compile bytes: `?module` asks its bundler for
 * a compiled module.
 *
 * @module
 */
import compiled from './core.wasm?module'

export function compileSync(): WebAssembly.Module {
  return compiled
}

export async function compile(): Promise<WebAssembly.Module> {
  return compiled
}
