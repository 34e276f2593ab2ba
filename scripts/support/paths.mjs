// Where things are. Everything generated is git-ignored and can be deleted.
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')

export const inRoot = (...parts) => path.join(root, ...parts)

export const tools = inRoot('.tools')
export const build = inRoot('build')
export const published = inRoot('pkg')
