// The detectors of other agents, loaded from the packages they publish.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { installPinned } from '../scripts/setup/packages.mjs'
import { inRoot, tools } from '../scripts/support/files.mjs'

const installed = path.join(tools, 'bench-peers')
const GEMINI = '@google/gemini-cli-core'
const QWEN = '@qwen-code/qwen-code'

export const installPeers = () =>
  installPinned([
    {
      name: 'bench peers',
      why: 'gemini-cli and qwen-code to compare with, about 500 MB; into .tools/bench-peers',
      about: '60 s',
      from: inRoot('bench/peers'),
      to: installed,
    },
  ])

/** Returns the path of a file of an installed peer. */
const inPeers = (...parts) => path.join(installed, 'node_modules', ...parts)

const load = (file) => import(pathToFileURL(file).href)

const versionOf = (name) => JSON.parse(readFileSync(inPeers(name, 'package.json'), 'utf8')).version

/** Loads `fast-json-stable-stringify`. @returns {Promise<(value: unknown) => string>} */
export async function loadStableStringify() {
  return (await load(inPeers('fast-json-stable-stringify/index.js'))).default
}

/** Loads gemini-cli's loop detection. Its configuration answers `undefined` to every question. */
export async function loadGemini() {
  const file = inPeers(GEMINI, 'dist/src/services/loopDetectionService.js')
  const { LoopDetectionService } = await load(file)
  const config = new Proxy({}, { get: () => () => undefined })
  return {
    name: `gemini-cli ${versionOf(GEMINI)}`,
    create: () => new LoopDetectionService({ config }),
  }
}

/** Loads qwen-code's loop detection, with the settings it has by default. */
export async function loadQwen() {
  const { LoopDetectionService } = await load(withExport())
  const config = {
    getMaxToolCallsPerTurn: () => 100,
    isMaxToolCallsPerTurnExplicit: () => false,
    getSkipLoopDetection: () => true,
  }
  return {
    name: `qwen-code ${versionOf(QWEN)}`,
    create: () => new LoopDetectionService(config),
  }
}

/**
 * qwen-code publishes a bundle that does not export the class. Writes a copy of the chunk that holds
 * it, beside the others, with one more export; returns its path.
 */
function withExport() {
  const folder = inPeers(QWEN, 'chunks')
  const copy = path.join(folder, 'loop-detection-service.mjs')
  if (existsSync(copy)) return copy
  for (const name of readdirSync(folder)) {
    const text = readFileSync(path.join(folder, name), 'utf8')
    if (!text.includes('\nvar LoopDetectionService = class')) continue
    writeFileSync(copy, `${text}\nexport { LoopDetectionService }\n`)
    return copy
  }
  throw new Error(`${QWEN} ${versionOf(QWEN)} has no class LoopDetectionService in its chunks`)
}
