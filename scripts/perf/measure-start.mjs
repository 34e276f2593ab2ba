// What import and the first detector cost a process that has just started; run anew for each figure.
import { processorTime as clock } from './clock.mjs'

export async function measureStart() {
  const started = clock()
  const { LoopDetector } = await import('../../pkg/dist/index.js')
  const imported = clock()
  const detector = new LoopDetector()
  const made = clock()
  detector.record('read_file', '{"path":"a.ts"}')
  const recorded = clock()
  return [imported - started, made - imported, recorded - made]
}
