// wasm-bindgen names each function that the module imports after what it is, with
// a hash; both the module and its glue carry these names. Here they get short ones.
import { number, readNumber } from './leb128.mjs'

const IMPORTS = 2
const FUNCTION = 0

/** What the module asks for its imports; js/engine/engine.ts answers to it. */
const FROM = 'glue'

/** `{ module, names }`: the module with short names, and the short name of each. */
export function shortenImports(module) {
  const names = new Map()
  const pieces = [module.subarray(0, 8)]
  for (let at = 8; at < module.length; ) {
    const [length, start] = readNumber(module, at + 1)
    const end = start + length
    const isImports = module[at] === IMPORTS
    const section = module.subarray(start, end)
    const content = isImports ? shortened(section, names) : section
    pieces.push(Buffer.from([module[at], ...number(content.length)]), content)
    at = end
  }
  return { module: Buffer.concat(pieces), names }
}

function shortened(section, names) {
  let [count, at] = readNumber(section, 0)
  const bytes = [...number(count)]
  const text = () => {
    const [length, start] = readNumber(section, at)
    at = start + length
    return section.toString('utf8', start, at)
  }
  for (; count > 0; count--) {
    text()
    const name = text()
    if (section[at] !== FUNCTION) throw new Error(`the import ${name} is not a function`)
    const [type, end] = readNumber(section, at + 1)
    at = end
    names.set(name, shortName(name, new Set(names.values())))
    for (const part of [FROM, names.get(name)])
      bytes.push(...number(part.length), ...Buffer.from(part))
    bytes.push(FUNCTION, ...number(type))
  }
  return Buffer.from(bytes)
}

/** `$set` of `__wbg_set_6be42768c690e380`, `$set2` if there is one already. */
function shortName(name, taken) {
  const plain = `$${name.replace(/^__wbg_|__wbindgen_|_[0-9a-f]{16}$/g, '')}`
  for (let count = 1; ; count++) {
    const short = count === 1 ? plain : `${plain}${count}`
    if (!taken.has(short)) return short
  }
}
