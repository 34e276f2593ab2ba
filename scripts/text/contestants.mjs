// Who is measured: each makes something that takes chunks and tells whether it saw a loop.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { LoopDetector } from '../../pkg/dist/index.js'
import { inPeers } from './peers.mjs'

const GEMINI = '@google/gemini-cli-core'
const OPENROUTER = '@openrouter/agent'

const version = (name) => JSON.parse(readFileSync(inPeers(name, 'package.json'), 'utf8')).version

const { LoopDetectionService } = await import(
  pathToFileURL(inPeers(GEMINI, 'dist/src/services/loopDetectionService.js')).href
)

/** Whatever its configuration is asked for is off, unset or zero. */
const nothing = new Proxy({}, { get: () => () => undefined })

export const contestants = [
  {
    name: 'loophound',
    make() {
      const detector = new LoopDetector()
      return {
        push: (chunk) => detector.pushText(chunk).action !== 'continue',
        end: () => detector.free(),
      }
    },
  },
  {
    name: `gemini-cli ${version(GEMINI)}`,
    make() {
      const service = new LoopDetectionService({ config: nothing })
      return {
        push: (chunk) => service.addAndCheck({ type: 'content', value: chunk }).count > 0,
        end() {},
      }
    },
  },
  {
    name: 'encodeInto alone',
    isFloor: true,
    make() {
      const encoder = new TextEncoder()
      const bytes = new Uint8Array(64 * 1024)
      return {
        push: (chunk) => encoder.encodeInto(chunk, bytes).written < 0,
        end() {},
      }
    },
  },
]

/** What could not be measured, and why. */
export const absent = openRouterHasTextCheck()
  ? [`${OPENROUTER} ${version(OPENROUTER)} has a text check now: add it to the contestants.`]
  : [
      `${OPENROUTER} ${version(OPENROUTER)} installs, but the text check of its repository is not in the published package.`,
    ]

function openRouterHasTextCheck() {
  const folder = inPeers(OPENROUTER, 'esm')
  const files = existsSync(folder) ? readdirSync(folder, { recursive: true }) : []
  return files.some((file) => /doom|repetition/i.test(file))
}
