// Serves a folder on localhost, to browsers that load modules only over HTTP.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import path from 'node:path'
import { closeLater } from './closing.mjs'

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.wasm': 'application/wasm',
}

/** Starts a server; gives back its address, with the slash behind it. */
export async function serve(folder) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost')
    const file = path.join(folder, pathname === '/' ? 'index.html' : decodeURIComponent(pathname))
    if (!file.startsWith(folder) || !existsSync(file) || statSync(file).isDirectory()) {
      response.writeHead(404).end()
      return
    }
    const type = TYPES[path.extname(file)] ?? 'application/octet-stream'
    response.writeHead(200, { 'content-type': type }).end(readFileSync(file))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  closeLater(() => server.close())
  server.unref()
  return `http://localhost:${server.address().port}/`
}
