// The package as npm would publish it.
import { mkdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { Failure } from '../support/cli.mjs'
import { published } from '../support/files.mjs'
import { capture } from '../support/process.mjs'
import { apps } from './places.mjs'

export async function packTarball() {
  mkdirSync(apps, { recursive: true })
  const how = ['--ignore-scripts', '--loglevel=error', '--pack-destination', apps]
  const { code, output } = await capture('npm', ['pack', ...how], { cwd: published })
  if (code !== 0) throw new Failure('npm pack failed.', '', output)
  return { name: path.basename(tarball()), size: statSync(tarball()).size }
}

export function tarball() {
  const { name, version } = JSON.parse(readFileSync(path.join(published, 'package.json'), 'utf8'))
  return path.join(apps, `${name}-${version}.tgz`)
}
