// The detectors whose text checks ours is measured against.
import { peers } from '../setup/peers.mjs'

export const { inPeers, installPeers } = peers({
  suite: 'tests/text/peers',
  folder: 'text-peers',
  name: 'text peers',
  why: 'gemini-cli and OpenRouter to compare with, some 400 MB; into .tools/text-peers',
  about: '60 s',
})
