// The figures as tables.
import { median } from './statistics.mjs'

export const table = (header, rows) =>
  [
    `| ${header.join(' | ')} |`,
    `|---|${'---:|'.repeat(header.length - 1)}`,
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ].join('\n')

export const shortly = (value) => (value < 10 ? value.toFixed(2) : value.toFixed(1))

export const quartiles = ({ median: middle, low, high }) =>
  `${shortly(middle)} (${shortly(low)}–${shortly(high)})`

export function time(nanoseconds) {
  if (nanoseconds < 1000) return `${Math.round(nanoseconds)} ns`
  if (nanoseconds < 1e6) return `${(nanoseconds / 1000).toFixed(1)} µs`
  return `${(nanoseconds / 1e6).toFixed(1)} ms`
}

const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`
const bytesOf = ({ bytes }) => `${Math.round(bytes).toLocaleString('en')} B`
const timed = ({ ratio, nanoseconds }) => `${quartiles(ratio)} ${time(nanoseconds.median)}`

/** Multiples of `JSON.stringify` on the same calls. */
export function callsTable(rows) {
  const header = ['what sees the call', ...rows[0].cells.map(bytesOf)]
  return table(
    header,
    rows.map(({ name, cells }) => [name, ...cells.map(timed)]),
  )
}

/** Multiples of the first preset. */
export function answersTable(rows, sizes) {
  const header = ['preset', ...sizes.map((size) => `output of ${size.toLocaleString('en')} B`)]
  return table(
    header,
    rows.map(({ name, cells }) => [`\`${name}\``, ...cells.map(timed)]),
  )
}

export function restTable({ rows, snapshotBytes }) {
  const body = rows.map(({ name, nanoseconds }) => [
    name,
    time(nanoseconds.median),
    `${time(nanoseconds.low)}–${time(nanoseconds.high)}`,
  ])
  const size = `The snapshot is ${snapshotBytes.toLocaleString('en')} bytes of JSON.`
  return `${table(['what', 'median', 'quartiles'], body)}\n\n${size}`
}

/** @param starts For each runtime, what each process took for import, construction and first call. */
export function startTable(starts) {
  const header = ['runtime', 'import', 'first `new LoopDetector()`', 'first `record()`']
  const rows = Object.entries(starts).map(([name, runs]) => [
    name,
    ...[0, 1, 2].map((part) => time(median(runs.map((run) => run[part])) * 1000)),
  ])
  return table(header, rows)
}

export function lengthTable({ rows }) {
  const body = rows.map(({ calls, ratio, nanoseconds, engineBytes, heapBytes }) => [
    calls.toLocaleString('en'),
    timed({ ratio, nanoseconds }),
    megabytes(engineBytes),
    megabytes(heapBytes),
  ])
  return table(['after so many calls', 'a call and its result', 'engine', 'JavaScript heap'], body)
}

export function crowdsTable({ rows }) {
  const body = rows.map(({ detectors, ratio, nanoseconds, engineBytes }) => [
    detectors.toLocaleString('en'),
    timed({ ratio, nanoseconds }),
    megabytes(engineBytes),
  ])
  return table(['detectors alive', 'a call and its result', 'engine memory they added'], body)
}

/** How much of a call in Node is the engine's own work, were it native. */
export function nativeTable(native, rows, sizes) {
  const body = rows
    .filter(({ ours }) => ours?.form === 'string')
    .map(({ ours: { preset }, cells }) => [
      `\`${preset}\``,
      ...cells.map(({ nanoseconds }, index) => {
        const alone = native[`call/${preset}/${sizes[index]}`].median
        return `${time(alone)} of ${time(nanoseconds.median)} (${Math.round((100 * alone) / nanoseconds.median)} %)`
      }),
    ])
  return table(['preset, arguments as a string', ...rows[0].cells.map(bytesOf)], body)
}

export function instructionsPageTable(counts) {
  const rows = Object.entries(counts).map(([name, count]) => [
    `\`${name}\``,
    count.toLocaleString('en'),
  ])
  return table(['job', 'instructions a call'], rows)
}
