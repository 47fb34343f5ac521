// What `clew check` and `clew doctor` say, and the raw bytes behind a position. A file is named by an id that only a file
// of the archive has; a path that somebody sends is never opened.

import { createHash } from 'node:crypto'
import { closeSync } from 'node:fs'
import type { Hono } from 'hono'
import { decodeUtf8 } from '../base/text.ts'
import type { FoundTranscripts } from '../load/found.ts'
import { readBytes } from '../source/lines.ts'
import type { TranscriptFile } from '../source/model.ts'
import { isProblem, openTranscript } from '../source/open.ts'
import type { Health } from './api/health.ts'
import { answered, numberAsked, orRefused, Refused, textAsked } from './asked.ts'
import { healthOf } from './health-view.ts'
import { remembered } from './remembered.ts'
import type { ServerWorld } from './server-world.ts'

const LINE_MAX = 1_000_000

export function healthRoutes(app: Hono, world: ServerWorld): void {
  const health = remembered(world, (archive) => healthOf(archive, world, fileId))

  app.get(
    '/api/health',
    answered((): Promise<Health> => health()),
  )

  app.get(
    '/api/health/line',
    orRefused((context) => {
      const file = fileNamed(world.archive(), textAsked(context, 'file') ?? '')
      if (file === undefined) throw new Refused('there is no such file', 404)
      const opened = openTranscript(file.path)
      if (isProblem(opened)) throw new Refused(opened.message, 404)
      try {
        const offset = numberAsked(context, 'offset', 0, opened.sizeBytes)
        const length = numberAsked(context, 'length', 1, Math.min(LINE_MAX, opened.sizeBytes - offset))
        const text = decodeUtf8(readBytes(opened.fd, offset, length))
        return context.body(text, 200, {
          'content-type': 'text/plain; charset=utf-8',
          'x-content-type-options': 'nosniff',
        })
      } finally {
        closeSync(opened.fd)
      }
    }),
  )
}

/** Tells one file of the archive from all others, and nothing else. */
function fileId(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 24)
}

const FILES = new WeakMap<FoundTranscripts, ReadonlyMap<string, TranscriptFile>>()

function fileNamed(archive: FoundTranscripts, id: string): TranscriptFile | undefined {
  const known =
    FILES.get(archive) ??
    new Map(archive.projects.flatMap((project) => project.files).map((file) => [fileId(file.path), file]))
  FILES.set(archive, known)
  return known.get(id)
}
