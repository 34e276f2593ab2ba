// The peers, pinned by tests/text/peers/package-lock.json and installed, without scripts, into a
// folder that git ignores.
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { runInstaller } from '../setup/installer.mjs'
import { Progress } from '../setup/progress.mjs'
import { exclusively } from '../support/lock.mjs'
import { inRoot, tools } from '../support/paths.mjs'
import { npm } from '../support/process.mjs'

const wanted = inRoot('tests/text/peers')
const installed = path.join(tools, 'text-peers')
const LOCK_FILE = 'package-lock.json'
const task = {
  name: 'text peers',
  why: 'gemini-cli and OpenRouter to compare with, some 400 MB; into .tools/text-peers',
  about: '60 s',
}

/** A file of an installed peer. */
export const inPeers = (...parts) => path.join(installed, 'node_modules', ...parts)

export async function installPeers() {
  if (isInstalled()) return
  await exclusively(async () => {
    if (!isInstalled()) await install()
  })
}

function isInstalled() {
  // npm writes its own record last.
  const [ours, theirs] = [wanted, installed].map((folder) => path.join(folder, LOCK_FILE))
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
