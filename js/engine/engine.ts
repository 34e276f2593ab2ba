/**
 * Starts the WebAssembly engine when it is first needed.
 *
 * Importing the package does nothing; the first `engineInstance()` compiles and instantiates
 * synchronously, so that making a detector needs no `await`. Only this folder knows WebAssembly.
 *
 * @module
 */

import { compile, compileSync } from '#engine-module'
import { createGlue } from '../../build/core/glue.js'
import { startError } from './errors.js'
import { EngineInstance } from './instance.js'

export type { Answer, EngineInstance } from './instance.js'

let current: EngineInstance | undefined
// Kept, so that a lost instance is replaced without compiling again. (Not named `module`,
// which CommonJS wrappers already define.)
let compiled: WebAssembly.Module | undefined
let starting: Promise<void> | undefined

/**
 * Returns the instance for new detectors. After a trap this function returns a new one; existing
 * detectors keep theirs.
 */
export function engineInstance(): EngineInstance {
  current ??= startSync()
  return current
}

/**
 * Compiles the engine ahead of the first detector, without blocking. Never required, except where
 * only small modules may be compiled synchronously (old WebViews); harmless at any time and any
 * number of times.
 */
export function init(): Promise<void> {
  starting ??= start().catch((error: unknown) => {
    starting = undefined
    throw error
  })
  return starting
}

function startSync(): EngineInstance {
  try {
    compiled ??= compileSync()
    const glue = createGlue()
    return new EngineInstance(new WebAssembly.Instance(compiled, importsOf(glue)), glue, forget)
  } catch (cause) {
    throw startError(cause)
  }
}

async function start(): Promise<void> {
  if (current) return
  try {
    compiled ??= await compile()
    const glue = createGlue()
    const instance = await WebAssembly.instantiate(compiled, importsOf(glue))
    // If a detector was made synchronously in the meantime, its instance is kept.
    current ??= new EngineInstance(instance, glue, forget)
  } catch (cause) {
    throw startError(cause)
  }
}

function forget(lost: EngineInstance): void {
  if (current !== lost) return
  current = undefined
  starting = undefined
}

/** Returns the imports, under the name by which wasm-bindgen's module imports its glue. */
function importsOf(glue: object): WebAssembly.Imports {
  return { './loophound_bg.js': glue as WebAssembly.ModuleImports }
}
