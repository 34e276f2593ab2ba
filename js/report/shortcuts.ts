/**
 * Navigates a report with single keys.
 *
 * @module
 */

import { useLayoutEffect } from 'preact/hooks'

/** What the keys move to. */
const TARGETS: Readonly<Record<string, readonly [selector: string, step: number]>> = {
  j: ['.call > summary', 1],
  k: ['.call > summary', -1],
  n: ['.loop', 1],
  p: ['.loop', -1],
}

/** Whether keys are text there. A slider or a radio button has no use for letters. */
export function isTyping({ target }: KeyboardEvent): boolean {
  return (target as Element).matches(
    'textarea, select, input:not([type=radio], [type=checkbox], [type=range])',
  )
}

/** Moves the focus: `j` `k` between calls, `n` `p` between loops, `/` to the search. */
export function useShortcuts(): void {
  // Before the page is painted, so that an early key press is not lost.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return
      if (event.key === '/') {
        event.preventDefault()
        document.querySelector<HTMLInputElement>('input[type=search]')?.focus()
        return
      }
      const [selector, step] = TARGETS[event.key] ?? []
      if (selector === undefined || step === undefined) return
      const all = [...document.querySelectorAll<HTMLElement>(selector)]
      const now = all.indexOf(document.activeElement as HTMLElement)
      const next = now < 0 ? (step > 0 ? 0 : all.length - 1) : now + step
      all[Math.max(0, Math.min(all.length - 1, next))]?.focus()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}
