// The figures as Markdown tables, which also read well in a terminal.
import { markdownTable } from 'markdown-table'
import { median } from './statistics.mjs'

/** Makes a table; unless said otherwise, the first column is aligned left and the others right. */
export const table = (
  header,
  rows,
  align = header.map((_, column) => (column === 0 ? 'l' : 'r')),
) => markdownTable([header, ...rows], { align })

export const short = (value) => (value < 10 ? value.toFixed(2) : value.toFixed(1))

export function time(nanoseconds) {
  if (nanoseconds < 1000) return `${Math.round(nanoseconds)} ns`
  if (nanoseconds < 1e6) return `${(nanoseconds / 1000).toFixed(1)} µs`
  return `${(nanoseconds / 1e6).toFixed(1)} ms`
}

const count = (value) => value.toLocaleString('en')
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`
const bytesOf = ({ bytes }) => `${count(Math.round(bytes))} B`

/** "1.34 (1.30–1.37) 491 ns": the ratio, its quartiles, and the time. */
const timed = ({ ratio, nanoseconds }) =>
  `${short(ratio.median)} (${short(ratio.low)}–${short(ratio.high)}) ${time(nanoseconds.median)}`

/** Multiples of `JSON.stringify` on the same calls. */
export const callsTable = (rows) =>
  table(
    ['detector', ...rows[0].cells.map(bytesOf)],
    rows.map(({ name, cells }) => [name, ...cells.map(timed)]),
  )

/** Multiples of the first preset. */
export const resultsTable = (rows, sizes) =>
  table(
    ['preset', ...sizes.map((size) => `output of ${count(size)} B`)],
    rows.map(({ name, cells }) => [name, ...cells.map(timed)]),
  )

export function otherTable({ rows, snapshotBytes }) {
  const body = rows.map(({ name, nanoseconds: { median, low, high }, calls }) => [
    ...[name, time(median), `${time(low)}–${time(high)}`, short(calls)],
  ])
  const header = ['operation', 'median', 'quartiles', 'in calls of `record()`']
  return `${table(header, body)}\n\nThe snapshot is ${count(snapshotBytes)} bytes of JSON.`
}

/** @param {Record<string, number[][]>} starts Microseconds of each process, for each runtime. */
export const startTable = (starts) =>
  table(
    ['runtime', 'import', 'first `new LoopDetector()`', 'first `record()`'],
    Object.entries(starts).map(([name, runs]) => [
      name,
      ...[0, 1, 2].map((step) => time(median(runs.map((run) => run[step])) * 1000)),
    ]),
  )

export const lengthTable = (rows) =>
  table(
    ['calls so far', 'a call and its result', 'engine memory', 'JavaScript heap'],
    rows.map((row) => [
      ...[count(row.stage), timed(row), megabytes(row.engineBytes), megabytes(row.heapBytes)],
    ]),
  )

export const crowdsTable = (rows) =>
  table(
    ['detectors', 'a call and its result', 'engine memory they added'],
    rows.map((row) => [count(row.stage), timed(row), megabytes(row.addedBytes)]),
  )

/** The native engine's time, and its share of a call in Node. */
export function nativeTable(native, rows, sizes) {
  const body = rows
    .filter(({ ours, kind }) => ours?.form === 'string' && kind === undefined)
    .map(({ ours: { preset }, cells }) => [
      `\`${preset}\``,
      ...cells.map(({ nanoseconds }, index) => {
        const alone = native[`call/${preset}/${sizes[index]}`]
        return `${time(alone)} (${Math.round((100 * alone) / nanoseconds.median)} %)`
      }),
    ])
  return table(['preset', ...rows[0].cells.map(bytesOf)], body)
}

export const instructionsTable = (counts) =>
  table(
    ['job', 'instructions per call'],
    Object.entries(counts).map(([name, instructions]) => [`\`${name}\``, count(instructions)]),
  )
