// The page: its files by name, and the same index.html for every address that the page itself knows.

import type { Context, Hono } from 'hono'
import type { PageFile, PageFiles } from './page-files.ts'

/** Addresses that the browser makes something of. */
const OWN = /^\/(?:$|(?:c|usage|journal|health|search)(?:\/|$))/

export function pageRoutes(app: Hono, files: PageFiles): void {
  app.get('*', (context) => {
    const { path } = context.req
    const file = files.get(path) ?? (OWN.test(path) ? files.get('/index.html') : undefined)
    if (file === undefined) return context.json({ error: 'there is nothing at this address' }, 404)
    return fileAnswer(context, file)
  })
}

function fileAnswer(context: Context, file: PageFile): Response {
  const { bytes, type, etag, isLasting, gzipped } = file
  context.header('content-type', type)
  context.header('etag', etag)
  context.header('vary', 'accept-encoding')
  context.header('cache-control', isLasting ? 'private, max-age=31536000, immutable' : 'private, no-cache')
  if (context.req.header('if-none-match') === etag) return context.body(null, 304)
  if (!/\bgzip\b/.test(context.req.header('accept-encoding') ?? '')) return context.body(bytes)
  context.header('content-encoding', 'gzip')
  return context.body(gzipped())
}
