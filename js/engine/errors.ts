/**
 * The error messages about WebAssembly, with what to do about them.
 *
 * @module
 */

/** Makes the error for an engine that does not start. */
export function startError(cause: unknown): Error {
  return new Error(`loophound could not start its WebAssembly engine. ${remedy(cause)}`, { cause })
}

function remedy(cause: unknown): string {
  if (typeof WebAssembly === 'undefined') return 'This runtime has no WebAssembly.'
  if (cause instanceof RangeError && /memory/i.test(cause.message)) {
    return 'It needs more memory.'
  }
  // Thrown by browsers that compile only small modules (4 KB) synchronously.
  if (cause instanceof RangeError) {
    return 'This runtime compiles it only with `await init()`, before the first detector.'
  }
  return (
    "A page with a Content-Security-Policy needs 'wasm-unsafe-eval' in its script-src; " +
    'Cloudflare Workers and Vercel Edge need the bundler condition "workerd" or "edge-light".'
  )
}

/** Makes the error for every use of an instance that broke. */
export function lostError(cause: unknown): Error {
  return new Error(
    'loophound: the engine stopped unexpectedly, and its detectors are lost. ' +
      'Make a new detector; restoreFrom() continues from a snapshot.',
    { cause },
  )
}

/** Makes the error for a call from a host function that the engine is calling, such as the clock. */
export function busyError(): TypeError {
  return new TypeError('loophound: called while it was at work')
}
