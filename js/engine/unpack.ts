/**
 * The engine's module, put together from the text that stands for it in source
 * code; `scripts/build/pack.mjs` writes it.
 *
 * Not base64, because that hides from gzip what repeats: three bytes become four
 * characters, and the same byte looks different at each offset. Here it always
 * reads the same. A character is a digit from 0 to 91: printable ASCII without
 * `"`, `<` and `\`, which would need escapes in JavaScript or HTML. Digits below 90
 * are that byte; 90 and 91 begin a pair, for the bytes from 90 and from 180 on.
 *
 * The bytes are sorted into streams: instructions look more alike without their
 * operands, and operands among their own kind. That makes the module a seventh
 * smaller once gzipped. The streams are:
 *
 * - 0: the heads that instructions begin with. Each is what follows it, how many
 *   bytes it stands for, and these. What follows is the number of a stream; 0 is
 *   nothing, and 1 the end of the body.
 * - 1: which heads come one after the other.
 * - 2 and 3: operands, and the locals of bodies, with how many bytes they are before each.
 * - 4 to 10: operands that are numbers, by their kind.
 * - 11 and 12: the bytes that the module has before and after its bodies, the most
 *   frequent first; and which of them come one after the other.
 *
 * In front of them stand decimal numbers: the lengths of the module and of what comes
 * before its bodies, how many these are, and how many characters each stream has.
 *
 * @module
 */

/** Where the text lies in the unpacker's memory, behind what it notes for itself. */
const TEXT = 2048
const PAGE = 65536
/** The unpacker leaves some room in front of a body. */
const ROOM = 5

/** What an instance of the unpacker makes of the text. */
export function unpack(text: string, unpacker: WebAssembly.Instance): Uint8Array<ArrayBuffer> {
  const begin = text.indexOf('|') + 1
  const numbers = text
    .slice(0, begin - 1)
    .split(' ')
    .map(Number)
  const [length, before, bodies, ...sizes] = numbers as [number, number, number, ...number[]]
  const { memory, unpack } = unpacker.exports as unknown as Unpacker
  const start = TEXT + text.length
  memory.grow(Math.ceil((start + length + ROOM) / PAGE))
  let at = TEXT + begin
  const places = new DataView(memory.buffer)
  for (const [stream, size] of sizes.entries()) {
    places.setUint32(4 * stream, at, true)
    at += size
  }
  new TextEncoder().encodeInto(text, new Uint8Array(memory.buffer, TEXT))
  unpack(start, start + length, before, bodies)
  return new Uint8Array(memory.buffer, start, length)
}

interface Unpacker {
  memory: { buffer: ArrayBuffer; grow(pages: number): void }
  unpack(start: number, end: number, before: number, bodies: number): void
}
