// Detectors that have done something, so that they hold memory worth losing.
import { LoopDetector, presets, SwarmDetector } from '../../pkg/dist/index.js'

const names = Object.keys(presets)

/** The how-manieth says which kind: each preset in turn, and now and then a swarm. */
export function busyDetector(number) {
  if (number % 50 === 0) return busySwarm()
  const detector = new LoopDetector(names[number % names.length])
  detector.record('read_file', { path: 'src/main.rs', line: number }, 'call')
  detector.recordResult({ id: 'call', ok: true, output: 'fn main() {}' })
  detector.recordText('I will look at the next file.')
  return detector
}

function busySwarm() {
  const swarm = new SwarmDetector()
  swarm.record('worker-1', 'web_search', { query: 'weather' })
  return swarm
}
