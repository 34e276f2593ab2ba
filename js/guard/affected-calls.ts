/**
 * Finds the calls of a step that a verdict is about.
 *
 * @module
 */

import { toText } from '../input/json-text.js'
import { wellFormed } from '../input/surrogates.js'
import type { ToolCall, Verdict } from '../types.js'

/**
 * Marks the calls that a verdict is about. A step has one verdict, whose pattern shows the repeated
 * calls as labels: `name(arguments)`, long ones cut. Where no call of the step has such a label, the
 * verdict is about all of them.
 */
export function affectedCalls(calls: readonly ToolCall[], verdict: Verdict): readonly boolean[] {
  if (calls.length === 1 || verdict.action === 'continue') return calls.map(() => true)
  const marks = calls.map((call) => verdict.pattern.some((label) => isLabelOf(label, call)))
  return marks.includes(true) ? marks : calls.map(() => true)
}

function isLabelOf(label: string, { name: given, args }: ToolCall): boolean {
  const name = wellFormed(given)
  if (!label.startsWith(`${name}(`)) return false
  const shown = label.slice(name.length + 1, -1)
  const text = withoutControls(
    args === undefined ? '' : wellFormed(toText(args, 'call(args): args')),
  )
  return shown.endsWith('…') ? text.startsWith(shown.slice(0, -1)) : text === shown || shown === ''
}

/** Replaces control characters by spaces, as labels do. */
function withoutControls(text: string): string {
  let result = ''
  for (const character of text) {
    result += character < ' ' || character === '\u007f' ? ' ' : character
  }
  return result
}
