// `npm run test:long`: what takes minutes: the page with ten thousand of everything, and the same tests with more cases.
// Alone on the machine.
process.env['CLEW_LONG'] = '1'
await import('./test.mjs')
