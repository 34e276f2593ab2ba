// The detectors whose text checks ours is measured against.
import path from 'node:path'
import { installPinned } from '../setup/packages.mjs'
import { inRoot, tools } from '../support/files.mjs'

const task = {
  name: 'text peers',
  why: 'gemini-cli and OpenRouter to compare with, some 400 MB; into .tools/text-peers',
  about: '60 s',
  from: inRoot('tests/text/peers'),
  to: path.join(tools, 'text-peers'),
}

/** A file of an installed peer. */
export const inPeers = (...parts) => path.join(task.to, 'node_modules', ...parts)

export const installPeers = () => installPinned([task])
