/**
 * The page.
 *
 * @module
 */

import { homepage, repository, version } from 'loophound/package.json'
import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks'
import { isTyping, useShortcuts } from '../js/report/shortcuts.js'
import { AgentPane } from './agent-pane.js'
import { ComparePane } from './compare-pane.js'
import { filesOf, type Given, readFiles } from './files.js'
import { readHash, VIEWS, type View, writeHash } from './hash.js'
import { Help } from './help.js'
import { Input } from './input.js'
import type { CallPlace, Question } from './judge.js'
import type { JudgeClient } from './judge-client.js'
import { OptionsPanel } from './options-panel.js'
import { SAMPLES } from './samples.js'
import { SessionPane } from './session-pane.js'
import { SharePane } from './share-pane.js'
import { type Action, initialState, reduce, type Side, type State, sharedOf } from './state.js'
import { TextPane } from './text-pane.js'

const TITLES: Readonly<Record<View, string>> = {
  session: 'Session',
  compare: 'Compare',
  text: 'Streaming text',
  agent: 'Simulated agent',
}

/** As npm writes it, the address begins with `git+` and ends with `.git`. */
const SOURCE = repository.url.replace(/^git\+|\.git$/g, '')

const [FIRST = { name: '', text: '' }] = SAMPLES
const FIRST_QUESTION: Question = { options: {}, format: 'auto', chosen: null, loophound: version }
/** Milliseconds after which the page is idle, and the worker can be started. */
const REST = 500

export function App({ judge }: { judge: JudgeClient }) {
  const [state, dispatch] = useReducer(reduce, FIRST, initialState)
  const { view, sources, format, chosen, sets, edited, results, marks, moves, notice } = state
  const [isHelpOpen, openHelp] = useState(false)
  useShortcuts()
  useJudge(judge, state, dispatch)
  useHash(state, dispatch)
  const read = useCallback(async (given: readonly Given[]) => {
    const { sources: found, notice: told, saved } = await readFiles(given)
    const said = told || null
    if (saved) dispatch({ type: 'open', shared: saved, notice: versionNotice(saved.engine) })
    else if (found.length > 0) dispatch({ type: 'load', sources: found, notice: said })
    else dispatch({ type: 'notice', notice: said })
  }, [])
  const isDragged = useDrop(read)
  useEffect(() => {
    const timer = setTimeout(() => judge.warmUp(FIRST, FIRST_QUESTION).catch(() => {}), REST)
    return () => clearTimeout(timer)
  }, [judge])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === '?' && !isTyping(event)) openHelp(true)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])

  const options = sets[edited]
  const { report, error } = results[0]
  const shown = report?.sessions.find(({ file }) => file === chosen) ?? report?.sessions[0]
  const question = useRef<Question>(FIRST_QUESTION)
  question.current = { options: sets[0], format, chosen, loophound: version }
  const explain = useCallback((place: CallPlace) => judge.explain(place, question.current), [judge])
  const shared = (withTranscript: boolean) => {
    const source = sources.find(({ name }) => name === shown?.file) ?? sources[0] ?? null
    return sharedOf(state, version, withTranscript ? source : null)
  }
  return (
    <div class={isDragged ? 'page dragged' : 'page'}>
      <header>
        <p class="brand">
          <b>loophound</b> playground
          <button type="button" class="plain" onClick={() => openHelp(true)}>
            Keyboard
          </button>
        </p>
        <h1>See where your agent goes in circles</h1>
        <p class="lead">
          Paste a session of any agent, and see which calls were a loop, what the model would have
          been told, and what that would have saved.
        </p>
        <p class="private">
          Nothing leaves this page: it has no server, and its security policy forbids every
          connection.
        </p>
      </header>
      <Input
        sources={sources}
        format={format}
        recognised={shown?.format ?? null}
        load={(source) => dispatch({ type: 'load', sources: [source] })}
        read={read}
        setFormat={(next) => dispatch({ type: 'format', format: next })}
      />
      {notice !== null && (
        <p class="notice" role="alert">
          {notice}{' '}
          <button
            type="button"
            class="plain"
            onClick={() => dispatch({ type: 'notice', notice: null })}
          >
            Close
          </button>
        </p>
      )}
      <Tabs view={view} choose={(next) => dispatch({ type: 'view', view: next })} />
      <div class="body">
        <main>
          <div id="pane" role="tabpanel" aria-labelledby={`tab-${view}`}>
            {view === 'session' &&
              (report ? (
                <SessionPane
                  report={report}
                  chosen={chosen}
                  marks={marks}
                  explain={explain}
                  dispatch={dispatch}
                />
              ) : (
                <p role="status">{error ?? 'Reading…'}</p>
              ))}
            {view === 'compare' && (
              <ComparePane results={results} edit={(side) => dispatch({ type: 'edit', side })} />
            )}
            {view === 'text' && <TextPane options={sets[0]} />}
            {view === 'agent' && <AgentPane moves={moves} options={sets[0]} dispatch={dispatch} />}
          </div>
        </main>
        <OptionsPanel
          options={options}
          side={view === 'compare' ? edited : null}
          error={edited === 0 ? error : results[1].error}
          dispatch={dispatch}
        />
      </div>
      <SharePane options={options} shared={shared} />
      <footer>
        <p>
          loophound {version}. This page is one file: save it, and it works without a network. Press{' '}
          <kbd>?</kbd> for the keyboard shortcuts.
        </p>
        <p>
          <code>npm install loophound</code> · <a href={homepage}>Documentation</a> ·{' '}
          <a href={SOURCE}>Source</a>
        </p>
      </footer>
      {isHelpOpen && <Help close={() => openHelp(false)} />}
    </div>
  )
}

function Tabs({ view, choose }: { view: View; choose: (view: View) => void }) {
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = VIEWS[(VIEWS.indexOf(view) + step + VIEWS.length) % VIEWS.length]
    if (!next) return
    choose(next)
    document.getElementById(`tab-${next}`)?.focus()
  }
  return (
    <nav aria-label="Views">
      <div class="tabs" role="tablist" aria-label="Views">
        {VIEWS.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`tab-${name}`}
            aria-selected={view === name}
            aria-controls="pane"
            tabIndex={view === name ? 0 : -1}
            onClick={() => choose(name)}
            onKeyDown={onKeyDown}
          >
            {TITLES[name]}
          </button>
        ))}
      </div>
    </nav>
  )
}

/** Judges the transcripts whenever they or the options change, one request at a time. */
function useJudge(judge: JudgeClient, state: State, dispatch: (action: Action) => void): void {
  const { sources, sets, format, chosen, view } = state
  const [a, b] = sets
  const loaded = useRef<readonly unknown[]>([])
  const last = useRef(Promise.resolve())
  useEffect(() => {
    let isWanted = true
    const ask = async () => {
      // A slider may have made many requests in the meantime: only the latest counts.
      if (!isWanted) return
      if (loaded.current !== sources) {
        loaded.current = sources
        await judge.load(sources)
      }
      const sides: readonly Side[] = view === 'compare' ? [0, 1] : [0]
      for (const side of sides) {
        if (!isWanted) return
        const options = side === 0 ? a : b
        try {
          const report = await judge.report({ options, format, chosen, loophound: version })
          if (isWanted) dispatch({ type: 'judged', side, report })
        } catch (error) {
          if (isWanted) dispatch({ type: 'refused', side, error: (error as Error).message })
        }
      }
    }
    last.current = last.current.then(ask)
    return () => {
      isWanted = false
    }
  }, [judge, sources, a, b, format, chosen, view, dispatch])
}

/** Reads the link that the page was opened with, and keeps the options in the address. */
function useHash(state: State, dispatch: (action: Action) => void): void {
  const { view, sets, format, moves } = state
  const written = useRef<string | null>(null)
  useEffect(() => {
    const open = async () => {
      const hash = location.hash.slice(1)
      if (hash === '' || hash === written.current) return
      try {
        const shared = await readHash(hash)
        dispatch({ type: 'open', shared, notice: versionNotice(shared.engine) })
      } catch (error) {
        dispatch({ type: 'notice', notice: (error as Error).message })
      }
    }
    open()
    addEventListener('hashchange', open)
    return () => removeEventListener('hashchange', open)
  }, [dispatch])
  const shared = useMemo(
    () => ({ engine: version, view, sets, format, moves, source: null }),
    [view, sets, format, moves],
  )
  const first = useRef(shared)
  useEffect(() => {
    if (shared === first.current) return
    let isWanted = true
    const write = async () => {
      const before = location.hash
      const hash = await writeHash(shared)
      // A link that was opened meanwhile is still to be read.
      if (!isWanted || location.hash !== before) return
      written.current = hash
      history.replaceState(null, '', `#${hash}`)
    }
    write().catch(() => {})
    return () => {
      isWanted = false
    }
  }, [shared])
}

function versionNotice(engine: string): string | null {
  if (engine === version) return null
  return `This was made with loophound ${engine}; this page has ${version}, so verdicts may differ.`
}

/** Takes files that are dropped anywhere. Returns whether something is held over the page. */
function useDrop(read: (given: readonly Given[]) => void): boolean {
  const [isOver, setIsOver] = useState(false)
  useEffect(() => {
    const onDrag = (event: DragEvent) => {
      event.preventDefault()
      setIsOver(event.type === 'dragover')
    }
    const onDrop = async (event: DragEvent) => {
      event.preventDefault()
      setIsOver(false)
      if (event.dataTransfer) read(await filesOf(event.dataTransfer))
    }
    document.addEventListener('dragover', onDrag)
    document.addEventListener('dragleave', onDrag)
    document.addEventListener('drop', onDrop)
    return () => {
      document.removeEventListener('dragover', onDrag)
      document.removeEventListener('dragleave', onDrag)
      document.removeEventListener('drop', onDrop)
    }
  }, [read])
  return isOver
}
