// The files of the page, read once at the start. What is asked for is looked up among them by name; an address is never
// made into a path.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { gzipSync } from 'node:zlib'

export interface PageFile {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly type: string
  readonly etag: string
  /** Its name has a hash of its content in it. */
  readonly isLasting: boolean
  readonly gzipped: () => Uint8Array<ArrayBuffer>
}

/** By address: `/index.html`, `/assets/main-3f9a.js`. */
export type PageFiles = ReadonlyMap<string, PageFile>

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** Empty where the page was not built. */
export function readPageFiles(folder: string): PageFiles {
  const files = new Map<string, PageFile>()
  for (const path of filesBelow(folder)) {
    const type = TYPES[extname(path)]
    const name = `/${relative(folder, path).split(sep).join('/')}`
    if (type !== undefined) files.set(name, pageFile(new Uint8Array(readFileSync(path)), type, name))
  }
  return files
}

function pageFile(bytes: Uint8Array<ArrayBuffer>, type: string, name: string): PageFile {
  let small: Uint8Array<ArrayBuffer> | null = null
  return {
    bytes,
    type,
    etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
    isLasting: name.startsWith('/assets/'),
    // Most of them are never asked for.
    gzipped: () => {
      small ??= new Uint8Array(gzipSync(bytes))
      return small
    },
  }
}

function filesBelow(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((found) => found.isFile())
      .map((found) => join(found.parentPath, found.name))
  } catch {
    return []
  }
}
