/**
 * Strips what gemini-cli and its forks write around the output of a command.
 *
 * @module
 */

/** Lines that differ for each process, or that carry no information. */
const NOISE = /^(Process Group PGID: .*|<\/?untrusted_context>)\n?/gm

/** Removes the lines that differ for each process. */
export function shellOutput(text: string): string {
  return text.replace(NOISE, '').trimEnd()
}
