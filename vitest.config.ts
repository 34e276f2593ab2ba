import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: {
    // Tests import what users import: the built package.
    alias: { loophound: fileURLToPath(new URL('pkg/dist/index.js', import.meta.url)) },
  },
  test: {
    include: ['tests/**/*.test.ts'],
    // Property tests on a busy two-core machine; a hang still ends.
    testTimeout: 60_000,
  },
})
