import { defineConfig } from 'vitest/config'

// What takes minutes has a script of its own: npm run test:long.
const isLong = process.env['CLEW_LONG'] === '1'
// These run in both, and go further there.
const further = [
  'test/search/laws.test.ts',
  'test/search/together.test.ts',
  'test/search/word-loader.test.ts',
  'test/cli/brief.test.ts',
  'test/bad-input/deep.test.ts',
  'test/bad-input/wide.test.ts',
]

export default defineConfig({
  test: {
    include: isLong ? ['test/**/*.long.test.ts', ...further] : ['test/**/*.test.ts'],
    exclude: isLong ? [] : ['test/**/*.long.test.ts'],
    testTimeout: isLong ? 600_000 : 120_000,
    // Machines that test are busy: what is waited for comes, but not always within a second.
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    maxWorkers: isLong ? 1 : 2,
    reporters: ['default'],
  },
})
