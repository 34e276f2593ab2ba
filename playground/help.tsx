/**
 * The keyboard shortcuts, in a dialog.
 *
 * @module
 */

import { useEffect, useRef } from 'preact/hooks'

const KEYS: readonly (readonly [keys: string, what: string])[] = [
  ['j k', 'next and previous call'],
  ['n p', 'next and previous loop'],
  ['/', 'search in the calls'],
  ['Enter', 'open the call that has the focus'],
  ['← →', 'next and previous view, when a view has the focus'],
  ['?', 'this list'],
]

export function Help({ close }: { close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} aria-labelledby="help-title" onClose={close}>
      <h2 id="help-title">Keyboard shortcuts</h2>
      <dl class="keys">
        {KEYS.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  )
}
