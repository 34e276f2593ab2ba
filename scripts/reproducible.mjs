// Builds the package twice, from copies of this checkout in two folders, and compares every file.
import { createHash } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Failure, main, write } from './support/cli.mjs'
import { environment, root } from './support/files.mjs'
import { run, show } from './support/process.mjs'

/** Paths of different lengths, and another time zone and language: none may show in the package. */
const BUILDS = [
  { folder: 'a', env: { TZ: 'UTC', LC_ALL: 'C' } },
  { folder: 'another folder/deeper', env: { TZ: 'Asia/Tokyo', LC_ALL: 'C.UTF-8' } },
]

await main(async () => {
  const place = mkdtempSync(path.join(tmpdir(), 'loophound-twice-'))
  try {
    const files = [...(await checkedOutFiles()), 'node_modules']
    const copies = BUILDS.map(({ folder, env }) => ({ folder: path.join(place, folder), env }))
    for (const { folder } of copies) copyFiles(files, folder)
    const built = []
    for (const { folder, env } of copies) {
      write(`Building in ${folder}.\n`)
      await buildIn(folder, env)
      built.push(digestsIn(path.join(folder, 'pkg')))
    }
    const [first, second] = built
    const names = [...new Set([...first.keys(), ...second.keys()])]
    const different = names.filter((name) => first.get(name) !== second.get(name))
    if (different.length > 0) {
      throw new Failure(`The two builds differ in ${different.join(', ')}.`)
    }
    write(`Both builds have the same ${names.length} files, byte by byte.\n`)
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
})

/** What git knows, and what it would add: not what commands have built. */
async function checkedOutFiles() {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', '-z']
  const failure = 'git cannot list the files of this folder.'
  const files = (await run('git', args, { failure })).split('\0').filter(Boolean)
  const deleted = new Set((await run('git', ['ls-files', '--deleted', '-z'])).split('\0'))
  return files.filter((file) => !deleted.has(file))
}

function copyFiles(files, folder) {
  const options = { recursive: true, verbatimSymlinks: true }
  for (const file of files) cpSync(path.join(root, file), path.join(folder, file), options)
}

async function buildIn(folder, env) {
  // wasm-pack and wasm-bindgen are those of this checkout.
  const { PATH } = environment()
  // Neither build may use what another has compiled.
  const fresh = { CARGO_TARGET_DIR: path.join(folder, 'target') }
  const build = ['scripts/build.mjs']
  const code = await show(process.execPath, build, { cwd: folder, env: { PATH, ...fresh, ...env } })
  if (code !== 0) throw new Failure('The package does not build.', 'The reason is above.')
}

/** The digest of each file, by its name. */
function digestsIn(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
  return new Map(
    files.map((file) => [
      path.relative(folder, file),
      createHash('sha256').update(readFileSync(file)).digest('hex'),
    ]),
  )
}
