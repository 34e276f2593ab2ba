/**
 * The reference folder that lies beside a checkout, when there is one.
 *
 * @module
 */

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The path of `../shared/<name>`, seen from the project root; null when it is not there. */
export function sharedPath(name: string): string | null {
  const path = fileURLToPath(new URL(`../../../shared/${name}`, import.meta.url))
  return existsSync(path) ? path : null
}

/** Skipping is fine on a reader's machine; where the suite is the gate, it is not. */
export function noticeMissing(name: string): void {
  const notice = `../shared/${name} is not here: what it holds was not checked`
  if (process.env.CI === 'true') throw new Error(notice)
  console.warn(notice)
}
