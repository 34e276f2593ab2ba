// The engine's memory, which the package keeps to itself: seen by whoever looks
// over the shoulder of WebAssembly while the package starts it.
const memories = []
const { Instance } = WebAssembly

WebAssembly.Instance = class extends Instance {
  constructor(module, imports) {
    super(module, imports)
    memories.push(this.exports.memory)
  }
}

/** How many bytes the one engine holds. */
export function engineBytes() {
  if (memories.length !== 1) throw new Error(`expected one engine; there are ${memories.length}`)
  return memories[0].buffer.byteLength
}
