// Packages that are only there to be compared with: pinned by a lock file under tests/, and
// installed, without scripts, into a folder that git ignores.
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { exclusively } from '../support/lock.mjs'
import { inRoot, tools } from '../support/paths.mjs'
import { npm } from '../support/process.mjs'
import { runInstaller } from './installer.mjs'
import { Progress } from './progress.mjs'

const LOCK_FILE = 'package-lock.json'

/**
 * @param {{ suite: string, folder: string, name: string, why: string, about: string }} what `suite`
 *   is where they are pinned, `folder` where they go in `.tools`; the rest is told to who waits.
 */
export function peers({ suite, folder, ...task }) {
  const wanted = inRoot(suite)
  const installed = path.join(tools, folder)
  /** A file of an installed peer. */
  const inPeers = (...parts) => path.join(installed, 'node_modules', ...parts)

  function isInstalled() {
    // npm writes its own record last.
    const [ours, theirs] = [wanted, installed].map((place) => path.join(place, LOCK_FILE))
    const isComplete = existsSync(inPeers('.package-lock.json')) && existsSync(theirs)
    return isComplete && readFileSync(theirs).equals(readFileSync(ours))
  }

  async function install() {
    rmSync(installed, { recursive: true, force: true })
    mkdirSync(installed, { recursive: true })
    const progress = new Progress()
    progress.announce([task])
    progress.start(task)
    const started = Date.now()
    try {
      copyFileSync(inRoot('.npmrc'), path.join(installed, '.npmrc'))
      for (const file of ['package.json', LOCK_FILE]) {
        copyFileSync(path.join(wanted, file), path.join(installed, file))
      }
      const how = ['--ignore-scripts', '--no-bin-links', '--no-audit', '--no-fund']
      await runInstaller(npm('ci', '--prefix', installed, ...how), { report: () => {} })
      progress.finish(task, Date.now() - started)
    } finally {
      progress.stop()
    }
  }

  async function installPeers() {
    if (isInstalled()) return
    await exclusively(async () => {
      if (!isInstalled()) await install()
    })
  }

  return { inPeers, installPeers }
}
