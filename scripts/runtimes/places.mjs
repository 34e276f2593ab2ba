// Where the suite keeps things. All of it is git-ignored and can be deleted.
import path from 'node:path'
import { inRoot, tools } from '../support/files.mjs'

export const suite = inRoot('tests/runtimes')

/** The installed runtimes and bundlers. */
export const installed = path.join(tools, 'runtimes')

/** A file of an installed package. */
export const inPackages = (...parts) => path.join(installed, 'node_modules', ...parts)

/**
 * The apps of this run. They stand inside the folder that the bundlers are
 * installed in, so that they find these as they would find their own.
 */
export const allApps = path.join(installed, 'apps')
export const apps = path.join(allApps, String(process.pid))
