// Figures as texts. What is not known is a dash.

const known = (text) => (value) => (value === null || value === undefined ? '–' : text(value))

export const two = known((value) => value.toFixed(2))
export const three = known((value) => value.toFixed(3))
export const one = known((value) => value.toFixed(1))
export const percent = known((value) => `${Math.round(100 * value)} %`)
export const short = known((value) => String(Math.round(10 * value) / 10))
export const whole = known(String)

/** What changed against another figure: "+0.02", "−1"; a dot where no digit that is shown did. */
export function change(text) {
  return (value, before) => {
    if (value === null || before === null) return text(value) === text(before) ? '·' : text(value)
    const difference = text(Math.abs(value - before))
    if (difference === text(0)) return '·'
    return `${value > before ? '+' : '−'}${difference}`
  }
}
