/**
 * Draws charts as SVG: a row for each policy, with one or two panels next to its name. They
 * have their own background and follow the reader's choice of light or dark.
 *
 * @typedef {{ title: string, kind: 'dots', max: number, step: number, series: { name: string,
 *   style: string, values: (number | null)[], intervals?: ({ low: number, high: number } | null)[]
 *   }[] }} DotPanel Values from 0 to `max`; larger ones stand behind a break, with their number.
 * @typedef {{ title: string, kind: 'bars', parts: { name: string, style: string, values: number[]
 *   }[] }} BarPanel Each row's parts, as shares of their sum.
 */

const NAMES = 190
const PANEL = 300
const GAP = 36
const ROW = 22
const TOP = 84
const BOTTOM = 34
/** What the scale leaves free for the values beyond it. */
const BEYOND = 56

const STYLE = `
  text { font: 12px ui-sans-serif, system-ui, sans-serif; fill: #1f2328; }
  .back { fill: #ffffff; stroke: #d0d7de; }
  .grid { stroke: #d8dee4; }
  .faint { fill: #59636e; font-size: 11px; }
  .title, .ours { font-weight: 600; }
  .on { fill: #ffffff; font-size: 11px; }
  .good { fill: #1a7f37; } .bad { fill: #cf222e; } .worse { fill: #82071e; }
  .warn { fill: #bf8700; } .none { fill: #afb8c1; } .main { fill: #0969da; } .other { fill: #bc4c00; }
  .reach { stroke: #59636e; stroke-width: 1.5; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .back { fill: #0d1117; stroke: #3d444d; }
    .grid { stroke: #2a313c; }
    .faint { fill: #9198a1; }
    .good { fill: #2ea043; } .bad { fill: #f85149; } .worse { fill: #b62324; }
    .warn { fill: #d29922; } .none { fill: #3d444d; } .main { fill: #4493f8; } .other { fill: #f0883e; }
    .reach { stroke: #9198a1; }
  }
`

/**
 * Draw a chart.
 *
 * @param {string} title
 * @param {readonly { name: string, isOurs: boolean }[]} rows
 * @param {readonly (DotPanel | BarPanel)[]} panels
 */
export function drawChart(title, rows, panels) {
  const width = NAMES + panels.length * (PANEL + GAP)
  const height = TOP + rows.length * ROW + BOTTOM
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>${STYLE}</style>`,
    `<rect class="back" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>`,
    text(16, 24, title, 'title'),
    ...rows.map(({ name, isOurs }, row) =>
      text(NAMES - 12, middle(row) + 4, name, isOurs ? 'ours' : '', 'end'),
    ),
    ...(rows.some(({ isOurs }) => isOurs)
      ? [text(NAMES - 12, height - 18, 'bold: presets of loophound', 'faint', 'end')]
      : []),
    ...panels.flatMap((panel, index) => {
      const left = NAMES + index * (PANEL + GAP)
      const draw = panel.kind === 'dots' ? drawDots : drawBars
      return [...legend(panel, left), ...draw(panel, left, rows.length)]
    }),
    '</svg>',
    '',
  ].join('\n')
}

const middle = (row) => TOP + row * ROW + ROW / 2

function legend({ title, series, parts }, left) {
  let x = left
  const keys = (series ?? parts).flatMap(({ name, style }) => {
    const key = [
      `<circle class="${style}" cx="${x + 5}" cy="66" r="5"/>`,
      text(x + 14, 70, name, 'faint'),
    ]
    x += 30 + 6.5 * name.length
    return key
  })
  return [text(left, 48, title), ...keys]
}

function drawDots({ max, step, series }, left, count) {
  const isBeyond = (value) => value > max
  const hasBeyond = series.some(({ values }) => values.some(isBeyond))
  const scale = hasBeyond ? PANEL - BEYOND : PANEL
  const end = left + scale
  const at = (value) => round(isBeyond(value) ? end + 30 : left + (value / max) * scale)
  const bottom = TOP + count * ROW
  const grid = []
  for (let value = 0; value <= max + step / 2; value += step) {
    grid.push(`<path class="grid" d="M${at(value)} ${TOP}V${bottom}"/>`)
    grid.push(text(at(value), bottom + 16, String(round(value)), 'faint', 'middle'))
  }
  if (hasBeyond) {
    for (const x of [end + 12, end + 16]) {
      grid.push(`<path class="reach" d="M${x - 2} ${bottom + 5}L${x + 2} ${bottom - 5}"/>`)
    }
    grid.push(text(end + 30, bottom + 16, 'more', 'faint', 'middle'))
  }
  const marks = series.flatMap(({ style, values, intervals }) =>
    values.flatMap((value, row) => {
      if (value === null) return []
      const range = intervals?.[row]
      const y = middle(row)
      return [
        range && !isBeyond(range.low)
          ? `<path class="reach" d="M${at(range.low)} ${y}H${Math.min(at(range.high), end + 10)}"/>`
          : '',
        `<circle class="${style}" cx="${at(value)}" cy="${y}" r="5"/>`,
        isBeyond(value) ? text(at(value) + 9, y + 4, String(round(value)), 'faint') : '',
      ]
    }),
  )
  return [...grid, ...marks.filter(Boolean)]
}

function drawBars({ parts }, left, count) {
  return Array.from({ length: count }, (_, row) => {
    const total = parts.reduce((sum, { values }) => sum + values[row], 0)
    let x = left
    return parts.flatMap(({ style, values }) => {
      const width = total === 0 ? 0 : (values[row] / total) * PANEL
      if (width === 0) return []
      const bar = `<rect class="${style}" x="${round(x)}" y="${middle(row) - 8}" width="${round(width)}" height="16"/>`
      const label =
        width > 14
          ? text(round(x + width / 2), middle(row) + 4, String(values[row]), 'on', 'middle')
          : ''
      x += width
      return [bar, label].filter(Boolean)
    })
  }).flat()
}

function text(x, y, words, style = '', anchor = 'start') {
  return `<text class="${style}" x="${x}" y="${y}" text-anchor="${anchor}">${escaped(words)}</text>`
}

const escaped = (words) => words.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const round = (value) => Math.round(value * 100) / 100
