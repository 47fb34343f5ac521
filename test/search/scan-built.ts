// The built scan: its workers are files of their own, and Node runs no TypeScript. `npm test` builds first.

const built = new URL('../../dist/search/scan.js', import.meta.url).href

export const { scanFiles } = (await import(built)) as typeof import('../../src/search/scan.ts')
