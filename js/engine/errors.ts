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
    return 'There is not enough memory for it.'
  }
  // Thrown by browsers that compile only small modules (4 KB) synchronously.
  if (cause instanceof RangeError) {
    return 'This runtime does not compile it synchronously: call `await init()` once, before the first detector.'
  }
  return (
    "If the page has a Content-Security-Policy, add 'wasm-unsafe-eval' to its script-src. " +
    'On Cloudflare Workers and Vercel Edge, bundle with the "workerd" or "edge-light" condition.'
  )
}

/** Makes the error for every use of an instance that broke. */
export function lostError(cause: unknown): Error {
  return new Error(
    'loophound: the engine stopped unexpectedly, and the detectors that were made with it are lost. ' +
      'Make a new detector; restoreFrom() continues from the latest snapshot.',
    { cause },
  )
}

/** Makes the error for a call from a host function that the engine is calling, such as the clock. */
export function busyError(): TypeError {
  return new TypeError('loophound: called while it was at work')
}
