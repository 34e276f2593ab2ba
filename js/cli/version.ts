/**
 * The version, from the manifest beside the built files.
 *
 * @module
 */

import { readFileSync } from 'node:fs'

export function version(): string {
  const manifest = new URL('../package.json', import.meta.url)
  return JSON.parse(readFileSync(manifest, 'utf8')).version
}
