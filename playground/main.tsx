/**
 * Starts the page.
 *
 * @module
 */

import { render } from 'preact'
import { App } from './app.js'
import { JudgeClient } from './judge-client.js'

/** A worker from the scripts of the page itself: another file could not be loaded from `file://`. */
function startWorker(): Worker {
  const parts = ['engine', 'worker'].map((id) => document.getElementById(id)?.textContent ?? '')
  const address = URL.createObjectURL(new Blob(parts, { type: 'text/javascript' }))
  return new Worker(address)
}

const judge = new JudgeClient(startWorker)
const root = document.getElementById('root')
if (root) render(<App judge={judge} />, root)
