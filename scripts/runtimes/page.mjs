// Opens a page in Chromium and reads what it shows: the verdicts, or a failure.
import { Failure } from '../support/cli.mjs'
import { browser } from './browser.mjs'

const PATIENCE = 60_000

/** Gives back `{ verdicts }` or `{ failure }`. */
export async function outcomeOf(address) {
  const context = await (await browser()).newContext()
  const said = []
  try {
    const page = await context.newPage()
    page.on('console', (message) => said.push(message.text()))
    page.on('pageerror', (error) => said.push(String(error)))
    await page.goto(address, { timeout: PATIENCE })
    const shown = page.locator('#verdicts, #failure')
    // Attached, not visible: a framework may hide its page while it starts.
    await shown.waitFor({ state: 'attached', timeout: PATIENCE })
    return { [await shown.getAttribute('id')]: await shown.textContent() }
  } catch (error) {
    throw new Failure(`${address} shows nothing.`, '', [...said, error.message].join('\n'))
  } finally {
    await context.close()
  }
}

export async function verdictsOf(address) {
  const { verdicts, failure } = await outcomeOf(address)
  if (failure !== undefined) throw new Failure(`The page failed: ${failure}`)
  return verdicts
}
