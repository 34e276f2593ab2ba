// Precision against recall, a point for each policy, as an SVG picture. It brings its own
// background, and follows the reader's choice of a light or dark one.
import { placeLabels } from './placing.mjs'
import { LEAST_PRECISION, LEAST_RECALL } from './targets.mjs'

const WIDTH = 760
const HEIGHT = 560
const FRAME = { left: 64, top: 56, right: 736, bottom: 500 }
/** Room for a letter: generous, since the reader's font is not known. */
const LETTER = { width: 7.2, height: 15 }
const CURVES = [0.2, 0.4, 0.6, 0.8]

const STYLE = `
  text { font: 12px ui-sans-serif, system-ui, sans-serif; fill: #1f2328; }
  .back { fill: #ffffff; stroke: #d0d7de; }
  .grid { stroke: #d8dee4; stroke-width: 1; fill: none; }
  .curve { stroke: #8c959f; stroke-width: 1; stroke-dasharray: 3 4; fill: none; }
  .faint { fill: #59636e; font-size: 11px; }
  .goal { fill: #1a7f37; fill-opacity: 0.12; stroke: #1a7f37; stroke-dasharray: 4 3; }
  .presets { fill: #0969da; stroke: #ffffff; }
  .peers { fill: #bc4c00; stroke: #ffffff; }
  .leader { stroke: #8c959f; stroke-width: 1; }
  .name { font-weight: 600; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .back { fill: #0d1117; stroke: #3d444d; }
    .grid { stroke: #2a313c; }
    .curve, .leader { stroke: #656c76; }
    .faint { fill: #9198a1; }
    .goal { fill: #3fb950; stroke: #3fb950; }
    .presets { fill: #4493f8; stroke: #0d1117; }
    .peers { fill: #f0883e; stroke: #0d1117; }
  }
`

/** @param {readonly { id: string, group: string, precision: number, recall: number }[]} policies */
export function drawChart(policies) {
  const shown = policies.filter(({ precision, recall }) => precision !== null && recall !== null)
  const lowest = Math.min(0.9, ...shown.map(({ precision }) => precision - 0.04))
  const scale = scaleFrom(Math.max(0, Math.floor(lowest * 10) / 10))
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img">`,
    '<title>Precision against recall of every policy</title>',
    `<style>${STYLE}</style>`,
    `<rect class="back" x="0.5" y="0.5" width="${WIDTH - 1}" height="${HEIGHT - 1}" rx="8"/>`,
    ...legend(),
    ...axes(scale),
    ...CURVES.map((f1) => curve(f1, scale)),
    goal(scale),
    ...marks(pointsOf(shown, scale)),
    '</svg>',
    '',
  ].join('\n')
}

function scaleFrom(lowest) {
  const { left, right, top, bottom } = FRAME
  return {
    lowest,
    x: (recall) => round(left + recall * (right - left)),
    y: (precision) => round(bottom - ((precision - lowest) / (1 - lowest)) * (bottom - top)),
  }
}

function legend() {
  return [
    '<circle class="presets" cx="72" cy="28" r="5"/><text x="84" y="32">our presets</text>',
    `${square({ x: 180, y: 28 })}<text x="192" y="32">policies of other agents</text>`,
    '<rect class="goal" x="352" y="22" width="12" height="12"/><text x="371" y="32">where balanced is meant to be</text>',
    '<line class="curve" x1="566" x2="590" y1="28" y2="28"/><text x="597" y="32">the same F1</text>',
  ]
}

function axes({ x, y, lowest }) {
  const { left, right, top, bottom } = FRAME
  const lines = []
  for (let tenth = 0; tenth <= 10; tenth++) {
    const value = tenth / 10
    const text = value.toFixed(1)
    lines.push(`<path class="grid" d="M${x(value)} ${top}V${bottom}"/>`)
    lines.push(
      `<text class="faint" x="${x(value)}" y="${bottom + 18}" text-anchor="middle">${text}</text>`,
    )
    if (value < lowest) continue
    lines.push(`<path class="grid" d="M${left} ${y(value)}H${right}"/>`)
    lines.push(
      `<text class="faint" x="${left - 10}" y="${y(value) + 4}" text-anchor="end">${text}</text>`,
    )
  }
  const middle = (top + bottom) / 2
  lines.push(
    `<text x="${(left + right) / 2}" y="${bottom + 42}" text-anchor="middle">recall</text>`,
  )
  lines.push(
    `<text transform="translate(22 ${middle}) rotate(-90)" text-anchor="middle">precision</text>`,
  )
  return lines
}

/** Where F1 is the same; its value stands at the top end, outside the frame. */
function curve(f1, { x, y, lowest }) {
  const points = []
  for (let percent = 100; percent >= 100 * lowest; percent--) {
    const precision = percent / 100
    const recall = (f1 * precision) / (2 * precision - f1)
    if (recall < 0 || recall > 1) break
    points.push(`${x(recall)} ${y(precision)}`)
  }
  const [start] = points[0].split(' ')
  const text = `<text class="faint" x="${start}" y="${FRAME.top - 5}" text-anchor="middle">F1 ${f1}</text>`
  return `<path class="curve" d="M${points.join('L')}"/>${text}`
}

function goal({ x, y }) {
  const left = x(LEAST_RECALL)
  return `<rect class="goal" x="${left}" y="${y(1)}" width="${round(FRAME.right - left)}" height="${round(y(LEAST_PRECISION) - y(1))}"/>`
}

/** Policies that fall on nearly the same spot share a label. */
function pointsOf(policies, { x, y }) {
  const points = []
  for (const { id, group, precision, recall } of policies) {
    const sign = { x: x(recall), y: y(precision), group }
    const near = points.find((point) => Math.hypot(point.x - sign.x, point.y - sign.y) < 8)
    if (near) near.signs.push({ ...sign, id })
    else points.push({ ...sign, signs: [{ ...sign, id }] })
  }
  return points.map((point) => {
    const text = point.signs.map(({ id }) => id).join(', ')
    return { ...point, text, width: text.length * LETTER.width, height: LETTER.height }
  })
}

function marks(points) {
  const places = placeLabels(points, FRAME)
  const leaders = points.flatMap((point, index) => leader(point, places[index]))
  const signs = points.flatMap((point) => point.signs.map(signOf))
  const texts = points.map((point, index) => label(point, places[index]))
  return [...leaders, ...signs, ...texts]
}

const signOf = (sign) => (sign.group === 'presets' ? circle(sign) : square(sign))

/** A label stands close to its point, also where its letters need less room than was kept. */
function label({ text, group }, { box, side }) {
  const x = { '-1': box.right, 0: (box.left + box.right) / 2, 1: box.left }[side]
  const anchor = { '-1': 'end', 0: 'middle', 1: 'start' }[side]
  const style = group === 'presets' ? ' class="name"' : ''
  return `<text${style} x="${round(x)}" y="${round(box.bottom - 4)}" text-anchor="${anchor}">${text}</text>`
}

const circle = ({ x, y }) => `<circle class="presets" cx="${x}" cy="${y}" r="5"/>`

function square({ x, y }) {
  return `<rect class="peers" x="${round(x - 4)}" y="${round(y - 4)}" width="8" height="8"/>`
}

/** Where a label had to move away, a line leads to it. */
function leader({ x, y }, { box, distance }) {
  if (distance < 12) return []
  const toX = round(Math.min(Math.max(x, box.left - 1), box.right + 1))
  const toY = round(Math.min(Math.max(y, box.top + 3), box.bottom - 3))
  return [`<line class="leader" x1="${x}" y1="${y}" x2="${toX}" y2="${toY}"/>`]
}

function round(value) {
  return Math.round(value * 10) / 10
}
