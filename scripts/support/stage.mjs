// A stage of the build is skipped when neither what it reads nor what it wrote
// has changed. Contents are compared, not times: a checkout or a copy touches
// every file and changes none.
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { build, inRoot } from './paths.mjs'

/** Runs the stage if it must; says whether it did. */
export async function stage({ name, inputs, facts = [], outputs, run }) {
  const stamp = path.join(build, `.${name}`)
  const wanted = () => digest(inputs, facts) + digest(outputs)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted()) return false
  // Nothing half done may look finished.
  rmSync(stamp, { force: true })
  await run()
  mkdirSync(build, { recursive: true })
  writeFileSync(stamp, wanted())
  return true
}

function digest(paths, facts = []) {
  const hash = createHash('sha256').update(JSON.stringify(facts))
  for (const file of paths.flatMap((name) => filesIn(inRoot(name))).sort()) {
    const content = readFileSync(file)
    hash.update(`${path.relative(inRoot(), file)}\n${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}

function filesIn(place) {
  if (!existsSync(place)) return []
  if (!statSync(place).isDirectory()) return [place]
  return readdirSync(place).flatMap((name) => filesIn(path.join(place, name)))
}
