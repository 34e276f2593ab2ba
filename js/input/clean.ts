/**
 * Cleans text that comes from outside and is shown to people or models.
 *
 * @module
 */

/** Characters that show nothing by themselves, but order, join, tag or select others. */
const INVISIBLE = /* @__PURE__ */ new RegExp(
  '[\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e' +
    '\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb\\u{e0000}-\\u{e0fff}]',
  'gu',
)

/** Line separators, and control characters except for the line feed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to replace
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029]/g

/** Puts a text on one line, besides what {@link cleanText} does. */
export function cleanLine(text: string, longest: number): string {
  return cleanText(text, longest).replaceAll('\n', ' ')
}

/** Removes characters that hide or reorder others, and shortens the text. Lines stay. */
export function cleanText(text: string, longest: number): string {
  const cut = text.length > longest ? `${text.slice(0, longest)}…` : text
  return cut.replace(INVISIBLE, '').replace(CONTROL, ' ')
}
