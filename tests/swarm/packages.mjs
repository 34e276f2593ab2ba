// The pinned packages of the suite, which are installed into .tools/swarm, and the built package.
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { installPinned } from '../../scripts/setup/packages.mjs'
import { inRoot, published, tools } from '../../scripts/support/files.mjs'

const installed = path.join(tools, 'swarm')

export const installClients = () =>
  installPinned([
    {
      name: 'swarm suite',
      why: 'clients of Redis, Valkey, Upstash and Postgres, and workerd, about 210 MB; into .tools/swarm',
      about: '20 s',
      from: inRoot('tests/swarm'),
      to: installed,
    },
  ])

const require = createRequire(path.join(installed, 'package.json'))

/** Imports a pinned package. */
export const load = async (name) => import(pathToFileURL(require.resolve(name)).href)

/** Imports an entry of the built package. */
export const entry = (name) =>
  import(pathToFileURL(path.join(published, 'dist', `${name}.js`)).href)
