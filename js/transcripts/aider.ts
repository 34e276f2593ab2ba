/**
 * Reads the chat history of Aider, which is Markdown: `####` for what the person typed, `>` for
 * what the program printed, and the rest is the model's. There are no tool calls, so only texts can
 * loop.
 *
 * @module
 */

import { wordOf } from './data.js'
import { AIDER_START } from './lines.js'
import type { RawEvent } from './raw-event.js'
import type { TranscriptReader } from './reader.js'

const TOKENS =
  /^> Tokens: ([\d.,]+[kM]?) sent(?:, ([\d.,]+[kM]?) cache write)?(?:, ([\d.,]+[kM]?) cache hit)?, ([\d.,]+[kM]?) received\.(?: Cost: \$([\d.]+) message)?/

/** The reader of Aider's history. */
export const aiderReader: TranscriptReader = {
  name: 'aider',
  describes: `aider (Markdown that begins with "${AIDER_START}")`,
  keys: [AIDER_START],
  matches: ([first]) => typeof first === 'string' && first.trim().startsWith(AIDER_START),
  *read(records, log) {
    let session = 0
    let block: Block = { kind: 'program', lines: [] }
    for (const record of records) {
      const line = wordOf(record)
      const kind = kindOf(line)
      const isSame = kind === block.kind && kind !== 'start'
      if (!isSame) {
        yield* ended(block, session)
        block = { kind, lines: [] }
      }
      if (kind === 'start') session += 1
      block.lines.push(line)
      const usage = kind === 'program' ? usageIn(line) : null
      if (usage) yield { ...usage, agent: agentOf(session) }
      else if (kind === 'program') log.skip('output of the program')
    }
    yield* ended(block, session)
  },
}

interface Block {
  readonly kind: 'start' | 'person' | 'program' | 'model'
  readonly lines: string[]
}

function kindOf(line: string): Block['kind'] {
  if (line.startsWith(AIDER_START)) return 'start'
  if (line.startsWith('#### ')) return 'person'
  return /^>(?: |$)/.test(line) ? 'program' : 'model'
}

/** Returns the agent of a session: each session is a separate run. */
function agentOf(session: number): string | undefined {
  return session > 1 ? `session-${session}` : undefined
}

function* ended({ kind, lines }: Block, session: number): Iterable<RawEvent> {
  const agent = agentOf(session)
  if (kind === 'person') {
    const text = lines.map((line) => line.slice('#### '.length).trimEnd()).join('\n')
    yield { t: 'user', text, agent, origin: text.startsWith('/') ? 'harness' : undefined }
  } else if (kind === 'model') {
    const text = lines.join('\n').trim()
    if (text === '') return
    yield { t: 'turn', agent }
    yield { t: 'text', text, agent }
  }
}

function usageIn(line: string): RawEvent | null {
  const found = TOKENS.exec(line)
  if (!found) return null
  const [sent, cacheWrite, cacheRead, received] = found.slice(1, 5).map(amount)
  return { t: 'usage', usage: { sent, received, cacheRead, cacheWrite }, cost: found[5] }
}

/** Parses a rounded number: 3.2k, 1.1M. */
function amount(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const factor = text.endsWith('k') ? 1e3 : text.endsWith('M') ? 1e6 : 1
  return Math.round(Number.parseFloat(text.replaceAll(',', '')) * factor)
}
