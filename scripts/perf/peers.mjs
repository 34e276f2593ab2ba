// What `npm run bench` compares with beside the peers of the text benchmark.
import { peers } from '../setup/peers.mjs'

export const { inPeers, installPeers } = peers({
  suite: 'tests/perf/peers',
  folder: 'perf-peers',
  name: 'bench peers',
  why: 'qwen-code and a stable stringify to compare with, some 160 MB; into .tools/perf-peers',
  about: '40 s',
})
