/**
 * Shares the page: as a link, a file, or code with these options.
 *
 * @module
 */

import type { LoopDetectorOptions } from 'loophound'
import { useState } from 'preact/hooks'
import { copy, download } from './clipboard.js'
import { codeFor, TARGETS, type Target } from './code.js'
import { type Shared, writeHash } from './hash.js'
import { redact } from './redact.js'

export function SharePane(props: {
  options: LoopDetectorOptions
  /** What to share; with the transcript that is shown, if wanted. */
  shared: (withTranscript: boolean) => Shared
}) {
  const { options, shared } = props
  const [hasTranscript, setHasTranscript] = useState(false)
  const [isRedacted, setIsRedacted] = useState(true)
  const [target, setTarget] = useState<Target>('JavaScript')
  const [said, say] = useState<string | null>(null)
  const [link, setLink] = useState('')
  const code = codeFor(target, options)

  const wanted = (): Shared => {
    const all = shared(hasTranscript)
    const { source } = all
    if (!source || !isRedacted) return all
    return { ...all, source: { name: 'redacted transcript', text: redact(source.text) } }
  }
  const copyLink = async () => {
    try {
      const { href } = location
      const made = `${href.split('#')[0]}#${await writeHash(wanted())}`
      setLink(made)
      say((await copy(made)) ? 'The link is on the clipboard.' : 'Copy the link from the field.')
    } catch (error) {
      setLink('')
      say(`${(error as Error).message} Save a file instead; drop it on this page to open it.`)
    }
  }
  const copyCode = async () => {
    say((await copy(code)) ? 'The code is on the clipboard.' : 'Copy the code from below.')
  }
  return (
    <section class="share" aria-labelledby="share-title">
      <h2 id="share-title">Share and use</h2>
      <div class="columns">
        <div>
          <h3>Link</h3>
          <p>
            A link holds the options after the <code>#</code>, which browsers send to nobody. The
            transcript goes with it only if you say so.
          </p>
          <p>
            <label>
              <input
                type="checkbox"
                checked={hasTranscript}
                onChange={(event) => setHasTranscript(event.currentTarget.checked)}
              />{' '}
              With the transcript
            </label>
            <br />
            <label>
              <input
                type="checkbox"
                checked={isRedacted}
                disabled={!hasTranscript}
                onChange={(event) => setIsRedacted(event.currentTarget.checked)}
              />{' '}
              Redact it: paths, addresses, keys, passwords, long texts
            </label>
          </p>
          <p class="buttons">
            <button type="button" onClick={copyLink}>
              Copy the link
            </button>
            <button
              type="button"
              onClick={() => download('loophound-playground.json', JSON.stringify(wanted()))}
            >
              Save as a file
            </button>
          </p>
          {link !== '' && (
            <label class="field wide-field">
              <span>The link</span>
              <input readOnly value={link} onFocus={(event) => event.currentTarget.select()} />
            </label>
          )}
          <p class="hint" role="status">
            {said}
          </p>
        </div>
        <div>
          <h3>Code</h3>
          <fieldset class="choices">
            <legend class="unseen">Where the options are used</legend>
            {TARGETS.map((name) => (
              <label key={name}>
                <input
                  type="radio"
                  name="target"
                  checked={target === name}
                  onChange={() => setTarget(name)}
                />
                {name}
              </label>
            ))}
          </fieldset>
          <pre class="code">{code}</pre>
          <p class="buttons">
            <button type="button" onClick={copyCode}>
              Copy as code
            </button>
          </p>
        </div>
      </div>
    </section>
  )
}
