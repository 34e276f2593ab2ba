/**
 * Runs `loophound hook --serve`: one process that answers many events.
 *
 * @module
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { onTestFinished } from 'vitest'
import { inRoot } from '../docs/pages.js'
import type { Event } from './run.js'

export interface HookServer {
  readonly url: string
  readonly token: string
  readonly process: ChildProcess
  /** Sends events one after the other; the answers. */
  send(events: readonly Event[]): Promise<Event[]>
}

/** Starts a server, which is gone when the test is over. */
export async function serveHooks(...args: string[]): Promise<HookServer> {
  const child = spawn(
    process.execPath,
    [inRoot('pkg/dist/cli.js'), 'hook', '--serve', '0', ...args],
    { env: { PATH: process.env.PATH, HOME: tmpdir() }, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  // Not `afterAll`: within a test it is not called.
  onTestFinished(() => void child.kill())
  let said = ''
  const [, url, token] = await new Promise<RegExpExecArray>((resolve, reject) => {
    child.on('exit', () => reject(new Error(`It ended: ${said}`)))
    child.stderr.setEncoding('utf8').on('data', (text) => {
      said += text
    })
    child.stdout.setEncoding('utf8').on('data', (text) => {
      said += text
      const found = /"url":"([^"]+)".*Bearer (\w+)/.exec(said)
      if (found) resolve(found)
    })
  })
  const server = { url: url ?? '', token: token ?? '', process: child }
  const send = async (events: readonly Event[]) => {
    const answers: Event[] = []
    for (const event of events) {
      const response = await fetch(server.url, {
        method: 'POST',
        headers: { authorization: `Bearer ${server.token}` },
        body: JSON.stringify(event),
      })
      answers.push((await response.json()) as Event)
    }
    return answers
  }
  return { ...server, send }
}
