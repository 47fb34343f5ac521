// `npm run test:long`: what takes minutes and measures the page with ten thousand of everything. Alone on the machine.
process.env['CLEW_LONG'] = '1'
await import('./test.mjs')
