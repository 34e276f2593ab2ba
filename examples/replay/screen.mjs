/**
 * Writing to the screen: colours where they are wanted, lines that fit.
 *
 * @module
 */

const { env, stdout } = process

const colours = env.FORCE_COLOR
  ? !['0', 'false'].includes(env.FORCE_COLOR)
  : Boolean(stdout.isTTY) && !env.NO_COLOR

/** How many characters fit on a line. */
export const WIDTH = Math.max(36, Math.min(stdout.columns ?? Number(env.COLUMNS || 100), 110))

const paint = (code) => (text) => (colours && text ? `\u001b[${code}m${text}\u001b[0m` : text)

export const bold = paint('1')
export const dim = paint('2')
export const red = paint('31')
export const green = paint('32')
export const cyan = paint('36')

const LEVELS = {
  none: dim,
  notice: cyan,
  warning: paint('33'),
  critical: paint('1;31'),
}

/** Colours a text by the level of a verdict. */
export function byLevel(level, text) {
  return LEVELS[level](text)
}

export function line(text = '') {
  stdout.write(`${text.trimEnd()}\n`)
}

/** "1 call", "2 calls". */
export function plural(count, noun) {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** The width of the widest text, within a limit and a third of the screen. */
export function widest(texts, limit) {
  const width = texts.reduce((most, text) => Math.max(most, text.length), 0)
  return Math.min(width, limit, Math.floor(WIDTH / 3))
}

/** A text on one line of at most so many characters. */
export function shorten(text, width) {
  const characters = [...text.replace(/[\s\p{Cc}]+/gu, ' ').trim()]
  return characters.length <= width
    ? characters.join('')
    : `${characters.slice(0, Math.max(0, width - 1)).join('')}…`
}

/** A text cut and filled to exactly so many characters. */
export function column(text, width) {
  const short = shorten(text, width)
  return short + ' '.repeat(Math.max(0, width - [...short].length))
}

/** A text broken at spaces into lines of at most so many characters; its own breaks are kept. */
export function wrap(text, width) {
  return text.split('\n').flatMap((paragraph) => wrapParagraph(paragraph, width))
}

/** Further lines of a list item stand under its text. */
function wrapParagraph(paragraph, width) {
  const hang = ' '.repeat(/^ *(?:\d+\. |- )?/.exec(paragraph)?.[0].length ?? 0)
  const lines = []
  let rest = paragraph
  while (rest.length > width) {
    const space = rest.lastIndexOf(' ', width)
    const end = space > hang.length ? space : width
    lines.push(rest.slice(0, end))
    rest = hang + rest.slice(end).trimStart()
  }
  return [...lines, rest]
}
