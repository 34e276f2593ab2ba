// Which crate, and which room of ours, a function belongs to, by its name.

const CRATES = [
  'loophound',
  'wasm_bindgen',
  'siphasher',
  'getrandom',
  'talc',
  'spin',
  'alloc',
  'std',
  'core',
]

/** Our functions, also as the type of a generic one; else the first crate that is named. */
export function crateOf(name) {
  const own = /^<?&?(?:mut )?loophound::/.test(name)
  if (own) return 'loophound'
  const found = CRATES.slice(1).find((crate) => new RegExp(`\\b${crate}(\\[|::)`).test(name))
  return found ?? 'exports and the rest'
}

/** `detect/cycle`, `fingerprint/json`, `options`: the file, as far as the name tells. */
export function roomOf(name) {
  const path = /loophound::([a-z_]+)(?:::([a-z_]+))?/.exec(name)
  if (!path) return 'others'
  const [, room, file] = path
  const nested = ['detect', 'fingerprint', 'swarm', 'value'].includes(room) && file
  return nested ? `${room}/${file}` : room
}

/** Sizes added up by group, largest first. */
export function sumBy(functions, group) {
  const sums = new Map()
  for (const { name, size } of functions) {
    const key = group(name)
    sums.set(key, (sums.get(key) ?? 0) + size)
  }
  return [...sums].sort(([, a], [, b]) => b - a)
}
