import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const dist = fileURLToPath(new URL('pkg/dist/', import.meta.url))

export default defineConfig({
  resolve: {
    // Tests import what users import: the built package.
    alias: [
      { find: /^loophound$/, replacement: `${dist}index.js` },
      { find: /^loophound\/(.+)$/, replacement: `${dist}$1.js` },
    ],
  },
  test: {
    include: ['tests/**/*.test.ts', 'eval/**/*.test.mjs'],
    // Property tests on a busy two-core machine; a hang still ends.
    testTimeout: 240_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
  },
})
