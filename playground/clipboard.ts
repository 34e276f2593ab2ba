/**
 * Gives something to the visitor: on the clipboard, or as a file.
 *
 * @module
 */

/** Copies a text. Returns whether that was allowed. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** Saves a text as a file. */
export function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text]))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser must start the download first.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
