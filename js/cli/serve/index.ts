/**
 * `loophound hook --serve`: answers hooks over HTTP on this machine, so that no process is started
 * for each event. Same input, same answers, same state as the command.
 *
 * @module
 */

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { makeFolder, requirePrivate, stateFolder } from '../folders.js'
import { UsageError } from '../options.js'
import { printable, write } from '../terminal.js'

const DEFAULT_PORT = 4517

/** After how many minutes without a request the server ends. */
const DEFAULT_IDLE = 240

/** Larger than the output of any tool that a host passes on. */
const MAX_BODY = 32 * 1024 * 1024

const TOKEN_FILE = 'serve-token'

/** By this path, `doctor` and `uninstall` recognise the hook in a host's settings. */
const PATH = '/loophound'

/**
 * Serves until there was no request for a while.
 *
 * @param answer Answers an input; never throws.
 * @throws UsageError for an invalid or occupied port.
 */
export async function serveCommand(
  answer: (text: string) => object,
  folder: string | undefined,
  given: { readonly port: string | undefined; readonly idle: string | undefined },
): Promise<number> {
  const port = readNumber(given.port, DEFAULT_PORT, 65_535, 'The port')
  const idle = readNumber(given.idle, DEFAULT_IDLE, 10_000, '--idle')
  const token = readToken(folder ?? stateFolder())
  const server = createServer((request, response) => {
    timer.refresh()
    void respond(request, response, token, answer)
  })
  // Open connections of hosts do not keep the server running.
  const end = () => {
    server.close()
    server.closeAllConnections()
  }
  const timer = setTimeout(end, idle * 60_000)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end)
  const closed = new Promise((resolve) => server.once('close', resolve))
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new UsageError(
          printable(`Port ${port} cannot be used: ${error.code ?? error.message}.`),
          'Name another one: loophound hook --serve 4518',
        ),
      ),
    )
    server.listen(port, '127.0.0.1', resolve)
  }).finally(() => {
    if (!server.listening) clearTimeout(timer)
  })
  write(instructions((server.address() as AddressInfo).port, token, idle))
  await closed
  clearTimeout(timer)
  return 0
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  token: string,
  answer: (text: string) => object,
): Promise<void> {
  const send = (status: number, body: object) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(`${printable(JSON.stringify(body))}\n`)
  }
  try {
    if (!isAllowed(request, token)) return send(403, { error: 'The token is missing or wrong.' })
    if (request.method !== 'POST') return send(405, { error: 'Send the hook as POST.' })
    const text = await readBody(request)
    if (text === null) return send(413, { error: 'The input is too large.' })
    send(200, answer(text))
  } catch {
    // The host went away.
    response.destroy()
  }
}

/**
 * Returns whether a request is allowed. A web page could send requests, too, but it does not know
 * the token and sends another host.
 */
function isAllowed({ headers }: IncomingMessage, token: string): boolean {
  if (!/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(headers.host ?? '')) return false
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${token}`))
}

/** Reads the body; `null` if it is too large. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > MAX_BODY) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/**
 * Reads the token from the state folder, or creates one, so that settings that contain it stay
 * valid.
 */
function readToken(folder: string): string {
  makeFolder(folder, 0o700)
  requirePrivate(folder)
  const file = join(folder, TOKEN_FILE)
  try {
    const token = readFileSync(file, 'utf8').trim()
    if (/^[0-9a-f]{32,}$/.test(token)) return token
  } catch {
    // There is none yet.
  }
  const token = randomBytes(24).toString('hex')
  const draft = `${file}.${randomBytes(8).toString('hex')}.tmp`
  writeFileSync(draft, `${token}\n`, { flag: 'wx', mode: 0o600 })
  renameSync(draft, file)
  return token
}

function readNumber(
  text: string | undefined,
  otherwise: number,
  max: number,
  what: string,
): number {
  if (text === undefined) return otherwise
  const value = Number(text)
  if (/^\d+$/.test(text) && value <= max) return value
  throw new UsageError(printable(`${what} must be a number up to ${max}; got "${text}".`))
}

function instructions(port: number, token: string, idle: number): string {
  const hook = {
    type: 'http',
    url: `http://127.0.0.1:${port}${PATH}`,
    headers: { Authorization: `Bearer ${token}` },
    timeout: 5,
  }
  return `Answering hooks on ${hook.url} until there was none for ${idle} minutes.

Claude Code and qwen-code can use it. In their settings, in place of the command's hook:

  ${JSON.stringify(hook)}
`
}
