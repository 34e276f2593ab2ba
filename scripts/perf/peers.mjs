// What `npm run bench` compares with beside the peers of the text benchmark.
import path from 'node:path'
import { installPinned } from '../setup/packages.mjs'
import { inRoot, tools } from '../support/files.mjs'

const task = {
  name: 'bench peers',
  why: 'qwen-code and a stable stringify to compare with, some 160 MB; into .tools/perf-peers',
  about: '40 s',
  from: inRoot('tests/perf/peers'),
  to: path.join(tools, 'perf-peers'),
}

/** A file of an installed peer. */
export const inPeers = (...parts) => path.join(task.to, 'node_modules', ...parts)

export const installPeers = () => installPinned([task])
