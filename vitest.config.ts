import { defineConfig } from 'vitest/config'

// What takes minutes has a script of its own: npm run test:long.
const isLong = process.env['CLEW_LONG'] === '1'

export default defineConfig({
  test: {
    include: isLong ? ['test/**/*.long.test.ts'] : ['test/**/*.test.ts'],
    exclude: isLong ? [] : ['test/**/*.long.test.ts'],
    testTimeout: isLong ? 600_000 : 120_000,
    maxWorkers: isLong ? 1 : 2,
    reporters: ['default'],
  },
})
