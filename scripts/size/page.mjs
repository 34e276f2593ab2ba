// docs/size.md: the figures, and what was learned about them.
import { kilobytes } from '../build/sizes.mjs'

export function page({ crates, rooms, sizes, budgets }) {
  const total = crates.reduce((sum, [, size]) => sum + size, 0)
  const share = (size) => `${((100 * size) / total).toFixed(1)} %`
  const rows = (groups) => groups.map(([name, size]) => `| ${name} | ${size} | ${share(size)} |`)
  const budget = (name, what) => {
    const { goal } = budgets[name]
    return `| ${what} | ${kilobytes(sizes[name])} | ${kilobytes(goal)} |`
  }
  return `# Size

Written by \`npm run size -- --write\`. \`npm test\` prints the first table and fails when a figure passes the limit in \`tests/size/budgets.json\`.

| what | now | goal |
|---|---:|---:|
${budget('wasmGzipped', 'core.wasm, gzipped')}
${budget('entry', 'index.js, minified and gzipped')}
${budget('tarball', 'tarball')}

The goals are missed. The engine would have to be half its size, and most of it is our own code and texts, each part of some pattern or text; the tarball carries it three times: as \`core.wasm\`, and as text in \`index.js\` and \`index.cjs\`.

## By crate

Bytes of code before wasm-opt, which makes it a little smaller, more so once gzipped, and drops the names that this table needs. Generic code of \`core\` and \`alloc\` is there because we use it.

| crate | bytes | share |
|---|---:|---:|
${rows(crates).join('\n')}

## By room

Our own code. What the compiler merged into its only caller is counted there: the patterns' \`on_call\` in \`detector\`, the readers of options in \`options\`.

| room | bytes | share |
|---|---:|---:|
${rows(rooms).join('\n')}

## What was tried

Raw and gzipped bytes of the module after each step, measured as it was made; the last ones to a tenth of a kilobyte.

| step | raw | gzipped |
|---|---:|---:|
| \`opt-level = "s"\`, options and snapshots through serde-wasm-bindgen's deserializer | 263,172 | 113,594 |
| \`opt-level = "z"\`, \`-Oz\` | 236,390 | 103,748 |
| options and snapshots come in as JSON text: the deserializer's error texts can print floats, and that code is large | 206,431 | 91,326 |
| snapshots as one packed text instead of a tree of named fields | 185,823 | 84,040 |
| a small sort, and no substring search from the standard library (it can panic with a slice of the text, which needs the printing of escapes) | 167,173 | 75,487 |
| no \`format!\` | 156,716 | 71,912 |
| one small hash table instead of hashbrown | 153,738 | 70,292 |
| rings, signals and the scratch without generic containers and closures | 150,167 | 69,025 |
| options collect their first mistake instead of passing \`Result\` up | 146,573 | 68,085 |
| ASCII where Unicode's tables were only used to split log lines into words | 143,108 | 65,601 |
| plain loops instead of iterator chains | 135,728 | 62,840 |
| the patterns that look at results came in: what outputs and errors are the same as, what commands do, five patterns | 178,700 | 83,100 |
| streamed text that goes in circles came in | 197,800 | 93,200 |
| no way to a panic: lists and texts without the checks that can fail | 194,200 | 91,300 |
| no \`std\` in the module, and so neither its allocator nor the printing of panics; plain data in and out by a dozen functions of JavaScript instead of js-sys, serde-wasm-bindgen and a reader of JSON text | 181,006 | 85,898 |
| wasm-opt without inlining functions into their only caller, which hides from gzip what is alike; twice, on flattened code; nothing about producers and features | 180,799 | 82,779 |
| what goes out is built field by field instead of from lists of fields | 177,936 | 81,421 |
| short names for what is imported; the detector's snapshots are not inlined | 176,830 | 80,879 |
| made for speed: calls and results read by words and tables, long strings escaped by the engine | 179,700 | 82,000 |
| readable fingerprints, names, ids and digits without chains of iterators | 176,200 | 80,600 |
| a reader of snapshots that remembers its first failure, instead of one that is asked after each value | 173,400 | 79,900 |

In \`index.js\` and \`index.cjs\` the module stands as text. Sorted into streams, by instructions and kinds of operands, that text weighs 73.0 kB gzipped instead of 84.8 kB; unpacking it takes a millisecond. LZMA on top of that would save about 7 kB more, but takes 40 ms to undo in JavaScript that has just started.

What brought little or nothing, gzipped:

- Other passes of wasm-opt, thresholds of LLVM's inliner, more functions that are not inlined: under 0.3 kB. Inlining by wasm-opt, and functions ordered by how often they are called, make the module smaller and what gzip makes of it larger.
- Functions ordered so that each stands near what it is like: 0.4 kB, and a tool of our own.
- A standard library compiled for size, with nightly flags: now 2 kB more.
- Removing from a list by swapping instead of \`retain\`: 0.1 kB more.
- \`opt-level\` 2 and 3 make it a quarter to a half larger; what they brought in speed is in [performance.md](performance.md).
- Minified names in what is published would make the tarball 11 kB smaller and stack traces unreadable; users' own bundlers shorten them where it counts.

What is known to be left: tables of words as one text instead of lists of texts; and the printing of a number for when memory runs out (2 kB before gzip), which only a nightly compiler leaves out.
`
}
