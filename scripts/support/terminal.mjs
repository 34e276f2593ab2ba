// What is written to the screen. Colour and a moving line only where a person
// looks at a terminal; logs get plain lines.
export const isLive = Boolean(process.stdout.isTTY)

const colour = isLive && !process.env.NO_COLOR
const paint = (code) => (text) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text)

export const bold = paint('1')
export const dim = paint('2')
export const red = paint('31')
export const green = paint('32')

export const write = (text) => process.stdout.write(text)
export const writeError = (text) => process.stderr.write(text)

/** How long something took: "4.2 s", "1:15". */
export function duration(milliseconds) {
  return milliseconds < 60_000 ? `${(milliseconds / 1000).toFixed(1)} s` : clock(milliseconds)
}

/** How long something has been going on: "0:04", "1:15". */
export function clock(milliseconds) {
  const seconds = Math.floor(milliseconds / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
