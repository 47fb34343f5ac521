// The Scanner as it is shipped, in a browser: the library's own modules and the same file, over loopback.

import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { randomOf } from '../random.ts'
import { formed } from '../record/scanner-forms.ts'
import { scannerRecord } from '../record/scanner-lines.ts'
import { browserPath, needsBrowser, openBrowser } from './chromium.ts'

const dist = join(import.meta.dirname, '../../dist')

test.skipIf(browserPath === null)(`${needsBrowser}reads in a browser what the exact way reads there`, async () => {
  const random = randomOf(8)
  const made = Array.from({ length: 300 }, () => scannerRecord(random))
  const written = [...made.map((record) => JSON.stringify(record)), ...made.map((record) => formed(record, random))]
  const lines = Buffer.concat(written.flatMap((line) => [Buffer.from(line as Uint8Array), Buffer.from('\n')]))
  const server = createServer(({ url = '/' }, answer) => {
    if (url === '/') answer.setHeader('content-type', 'text/html').end('<!doctype html><title>clew</title>')
    else if (url === '/lines') answer.end(lines)
    else if (!/\.(js|wasm)$/.test(url)) answer.writeHead(404).end()
    else {
      answer.setHeader('content-type', url.endsWith('.wasm') ? 'application/wasm' : 'text/javascript')
      answer.end(readFileSync(join(dist, url)))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const browser = await openBrowser()
  try {
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    const found = await page.evaluate(`(async () => {
      const { openScanner, readTranscriptBytes } = await import('/index.js')
      const compiled = await WebAssembly.compileStreaming(fetch('/record/scan.wasm'))
      const bytes = new Uint8Array(await (await fetch('/lines')).arrayBuffer())
      let sure = 0
      const quick = readTranscriptBytes('x', bytes, { scanner: openScanner(compiled), visitSketch: () => sure++ })
      const exact = readTranscriptBytes('x', bytes)
      return { sure, isSame: JSON.stringify(quick) === JSON.stringify(exact), records: exact.envelopes.length }
    })()`)
    expect(found).toMatchObject({ isSame: true })
    expect((found as { readonly records: number }).records).toBeGreaterThan(400)
    expect((found as { readonly sure: number }).sure).toBeGreaterThan(150)
  } finally {
    await browser.close()
    server.close()
  }
})
