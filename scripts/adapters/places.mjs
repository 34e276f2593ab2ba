// Where the suite keeps things. All of it is git-ignored and can be deleted.
import path from 'node:path'
import { inRoot, tools } from '../support/files.mjs'

export const suite = inRoot('tests/adapters')

/** What a fixture declares, and the lock file of it. */
export const declared = (name, ...parts) => path.join(suite, 'fixtures', name, ...parts)

/** Where its packages are installed. */
export const installed = (name, ...parts) => path.join(tools, 'adapters', name, ...parts)

/** The copy of the suite that runs there, where it finds these packages. */
export const running = (name, ...parts) => installed(name, 'suite', ...parts)
