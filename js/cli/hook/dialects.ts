/**
 * The dialects, and how the dialect of an input is recognised.
 *
 * @module
 */

import { claudeCode } from './claude-code.js'
import { codex } from './codex.js'
import { copilot } from './copilot.js'
import { cursor } from './cursor.js'
import type { Dialect, Fields, Host } from './dialect.js'
import { geminiCli } from './gemini-cli.js'
import { qwenCode } from './qwen-code.js'

/** The first that recognises an input is used; Claude Code is the fallback. */
export const DIALECTS: Readonly<Record<Host, Dialect>> = {
  cursor,
  copilot,
  'gemini-cli': geminiCli,
  codex,
  'qwen-code': qwenCode,
  'claude-code': claudeCode,
}

/** Returns the host that an input is from. */
export function recognizeHost(input: Fields): Host {
  const hosts = Object.keys(DIALECTS) as Host[]
  return hosts.find((host) => DIALECTS[host].recognizes(input)) ?? 'claude-code'
}
