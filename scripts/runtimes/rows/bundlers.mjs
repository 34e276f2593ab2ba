// Bundlers, as they come: no plugin for WebAssembly, no loader, no setting.
import { readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Failure } from '../../support/cli.mjs'
import { app } from '../apps.mjs'
import { verdictsOf } from '../page.mjs'
import { serve } from '../server.mjs'
import { printed, serving } from '../start.mjs'
import { script } from '../tools.mjs'

const vite = (...args) => script('vite/bin/vite.js', ...args)

const BUNDLERS = {
  webpack: () => script('webpack-cli/bin/cli.js'),
  rollup: () => script('rollup/dist/bin/rollup', '--config', '--silent'),
  esbuild: () => [process.execPath, ['esbuild.mjs']],
}

export const bundlerRows = [
  {
    runtime: 'Vite',
    how: 'dev, in Chromium',
    browser: true,
    run: async () =>
      verdictsOf(await serving(...vite('--port', '0'), { cwd: await app('bundled') })),
  },
  {
    runtime: 'Vite',
    how: 'build, in Chromium',
    browser: true,
    async run() {
      const cwd = await app('bundled')
      await printed(...vite('build', '--outDir', 'out/vite'), { cwd })
      const folder = withoutWasm(path.join(cwd, 'out/vite'))
      return verdictsOf(await serve(folder))
    },
  },
  ...Object.entries(BUNDLERS).flatMap(([runtime, command]) => {
    const bundled = bundleOnce(command)
    return [
      {
        runtime,
        how: 'for the browser, in Chromium',
        browser: true,
        async run() {
          const folder = withoutWasm(path.join(await bundled(), `out/${runtime}-page`))
          writeFileSync(path.join(folder, 'index.html'), PAGE)
          return verdictsOf(await serve(folder))
        },
      },
      {
        runtime,
        how: 'for Node',
        async run() {
          const program = path.join(await bundled(), `out/${runtime}-program/bundle.js`)
          // From elsewhere: the bundle must not need node_modules.
          return printed(process.execPath, [program], { cwd: path.parse(program).root })
        },
      },
    ]
  }),
]

/** The engine is inside the bundle: a file beside it could get lost, or be there twice. */
function withoutWasm(folder) {
  const found = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.wasm'))
  if (found.length > 0) throw new Failure(`The bundler wrote ${found.join(', ')}.`)
  return folder
}

/** One run of a bundler makes both bundles. */
function bundleOnce(command) {
  let made
  return () => {
    made ??= app('bundled').then(async (cwd) => {
      await printed(...command(), { cwd })
      return cwd
    })
    return made
  }
}

const PAGE = `<!doctype html>
<meta charset="utf-8">
<title>A bundle</title>
<body><script type="module" src="./bundle.js"></script></body>
`
