// Times the contestants in turn, several rounds, and takes the fastest of each: what else the machine
// does can only add to it.

const SIZES = [1, 20, 200]
const ROUNDS = 7
/** Rounds that are not counted: by then the code is compiled. */
const WARM_UP = 2

/** @returns {{ name: string, isFloor: boolean, cells: { nanoseconds: number, alarms: number }[] }[]} */
export function measure(contestants, text) {
  const rows = contestants.map(({ name, isFloor = false }) => ({ name, isFloor, cells: [] }))
  for (const size of SIZES) {
    const chunks = chunksOf(text, size)
    const times = contestants.map(() => [])
    let alarms = []
    for (let round = -WARM_UP; round < ROUNDS; round++) {
      alarms = contestants.map((contestant, index) => {
        const { milliseconds, seen } = run(contestant, chunks)
        if (round >= 0) times[index].push(milliseconds)
        return seen
      })
    }
    for (const [index, row] of rows.entries()) {
      const fastest = Math.min(...times[index])
      row.cells.push({ nanoseconds: (fastest * 1e6) / text.length, alarms: alarms[index] })
    }
  }
  return rows
}

function run(contestant, chunks) {
  const { push, end } = contestant.make()
  let seen = 0
  const start = performance.now()
  for (const chunk of chunks) if (push(chunk)) seen++
  const milliseconds = performance.now() - start
  end()
  return { milliseconds, seen }
}

function chunksOf(text, size) {
  const chunks = []
  for (let at = 0; at < text.length; at += size) chunks.push(text.slice(at, at + size))
  return chunks
}

/** Nanoseconds a character, and how many times ours that is. */
export function benchmarkTable(rows, absent, length) {
  const [ours] = rows
  const cell = ({ nanoseconds, alarms }, index) => {
    const ratio = nanoseconds / ours.cells[index].nanoseconds
    const alarm = alarms > 0 ? ', with an alarm' : ''
    return `${shown(nanoseconds)} ns (${ratio === 1 ? '1' : shown(ratio)}×${alarm})`
  }
  return [
    `| detector | ${SIZES.map((size) => `chunks of ${size}`).join(' | ')} |`,
    `|---|${SIZES.map(() => '---:').join('|')}|`,
    ...rows.map(({ name, cells }) => `| ${name} | ${cells.map(cell).join(' | ')} |`),
    '',
    `For each character of ${length.toLocaleString('en')} of prose, in one run: the fastest of ${ROUNDS} rounds, and how many times ours that is.`,
    ...absent,
  ].join('\n')
}

const shown = (value) =>
  value < 10 ? value.toFixed(value < 1 ? 2 : 1) : Math.round(value).toLocaleString('en')
