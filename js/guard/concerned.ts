/**
 * Which calls of a round a verdict is about.
 *
 * @module
 */

import { toText } from '../arguments.js'
import type { ToolCall, Verdict } from '../types.js'

/**
 * A round has one verdict. Its pattern shows the repeated calls as labels, `name(arguments)`, long
 * ones cut; where no call of the round has such a label, the verdict is about all of them.
 */
export function concerned(calls: readonly ToolCall[], verdict: Verdict): readonly boolean[] {
  if (calls.length === 1 || verdict.action === 'continue') return calls.map(() => true)
  const marks = calls.map((call) => verdict.pattern.some((label) => isLabelOf(label, call)))
  return marks.includes(true) ? marks : calls.map(() => true)
}

function isLabelOf(label: string, { name, args }: ToolCall): boolean {
  if (!label.startsWith(`${name}(`)) return false
  const shown = label.slice(name.length + 1, -1)
  const text = tidy(args === undefined ? '' : toText(args, 'call(args): args'))
  return shown.endsWith('…') ? text.startsWith(shown.slice(0, -1)) : text === shown || shown === ''
}

/** As labels are: control characters become spaces. */
function tidy(text: string): string {
  let result = ''
  for (const character of text)
    result += character < ' ' || character === '\u007f' ? ' ' : character
  return result
}
