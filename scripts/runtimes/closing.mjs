// What rows leave open (a browser, servers, a program that hangs) is closed
// after the last of them.
const open = new Set()

/** Remembers how to close something; gives back a function that forgets it. */
export function closeLater(close) {
  open.add(close)
  return () => open.delete(close)
}

export async function closeAll() {
  for (const close of [...open].reverse()) await close()
  open.clear()
}
