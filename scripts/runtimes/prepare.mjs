// Everything the rows share: the runtimes, the browser, the tarball, and what the
// native engine says.
import { write } from '../support/cli.mjs'
import { removeOldApps } from './apps.mjs'
import { locateBrowser } from './browser.mjs'
import { computeExpectation } from './expectation.mjs'
import { packTarball } from './tarball.mjs'
import { installTools } from './tools.mjs'

export async function prepare({ tools, rows }) {
  removeOldApps()
  if (tools) await installTools()
  // Without a browser its rows fail, and say why; the others go on.
  if (rows.some(({ browser }) => browser)) await locateBrowser().catch(() => {})
  await computeExpectation()
  const { name, size } = await packTarball()
  write(`Packed ${name}, ${(size / 1000).toFixed(1)} kB.\n`)
}
