// Publishes the npm package or the crate, or does a dry run.
import { readFileSync } from 'node:fs'
import { buildAll } from './build/all.mjs'
import { Failure, main, readOptions, write } from './support/cli.mjs'
import { inRoot, published } from './support/files.mjs'
import { capture, run, show } from './support/process.mjs'
import { isPlaceholder, project } from './support/project.mjs'

const HELP = `Publishes the npm package or the crate.

  npm run release -- <options>

  --npm       the package in pkg/
  --crate     the crate
  --dry-run   all but the upload; works with any checkout
  --check     only say what keeps this checkout from being published
  --help      print this text

The workflow publish.yml runs this for a tag. By hand, log in to the registry before.
`

await main(async () => {
  const options = readOptions(HELP, { npm: false, crate: false, 'dry-run': false, check: false })
  if (options === undefined) return
  const isDry = options['dry-run']
  if (!options.npm && !options.crate && !options.check) {
    throw new Failure('Nothing to do.', 'Add --npm, --crate or --check; see --help.')
  }
  if (!isDry) await requireReady()
  if (options.npm) await publishPackage(isDry)
  if (options.crate) await (isDry ? tryCrate() : publishCrate())
})

/**
 * Refuses a checkout whose release could not be traced back, or would contain placeholder
 * addresses.
 */
async function requireReady() {
  const { version, repository, homepage, bugs } = project
  const addresses = Object.entries({ repository, homepage, bugs })
  const placeholders = addresses.filter(([, address]) => isPlaceholder(address))
  const heading = new RegExp(
    `^## \\[${version.replaceAll('.', '\\.')}\\] - \\d{4}-\\d\\d-\\d\\d$`,
    'm',
  )
  const tags = (await run('git', ['tag', '--points-at', 'HEAD'])).split('\n')
  const problems = [
    ...placeholders.map(([name]) => `Cargo.toml: ${name} is a placeholder.`),
    ...(heading.test(readFileSync(inRoot('CHANGELOG.md'), 'utf8'))
      ? []
      : [`CHANGELOG.md: ${version} has no date.`]),
    ...((await run('git', ['status', '--porcelain'])) ? ['Some changes are not committed.'] : []),
    ...(tags.includes(`v${version}`) ? [] : [`This commit has no tag v${version}.`]),
  ]
  if (problems.length === 0) return
  throw new Failure(`Version ${version} cannot be published yet.`, problems.join('\n  '))
}

async function publishPackage(isDry) {
  await buildAll()
  // Only a workflow can prove where a package comes from.
  const provenance = process.env.GITHUB_ACTIONS ? ['--provenance'] : []
  // A dry run is for any checkout: prepublishOnly would refuse one that is not ready.
  const how = isDry ? ['--dry-run', '--ignore-scripts'] : provenance
  const code = await show('npm', ['publish', '--access', 'public', ...how], { cwd: published })
  if (code !== 0) throw new Failure('npm publish failed.', 'The reason is above.')
}

async function publishCrate() {
  const code = await show('cargo', ['publish', '--package', 'loophound', '--locked'])
  if (code !== 0) throw new Failure('cargo publish failed.', 'The reason is above.')
}

/** Packs the crate and builds it from the packed files alone. */
async function tryCrate() {
  const what = ['--package', 'loophound', '--allow-dirty', '--locked']
  const dryRun = await capture('cargo', ['publish', '--dry-run', ...what])
  if (dryRun?.code === 0) {
    write(`${dryRun.output}\n`)
    return
  }
  // A dry run asks the registry. Without a network, packing does the rest.
  const packed = await capture('cargo', ['package', '--offline', ...what])
  if (packed?.code !== 0) {
    throw new Failure('cargo publish --dry-run failed.', '', dryRun?.output ?? '')
  }
  write(`${packed.output}\nThe crate is packed, but not checked against the registry:\n`)
  write(`${dryRun?.output}\n`)
}
