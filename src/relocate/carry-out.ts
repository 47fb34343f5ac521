// A session out into one file. A transcript may still be written to: what was there when it was measured is taken.

import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { createGzip } from 'node:zlib'
import type { Disk } from '../disk/disk.ts'
import { demandFree, replaceBy } from '../disk/durable.ts'
import { sha256Of } from '../store/receipt.ts'
import type { SessionFile } from './carry-files.ts'
import type { CarriedFile, CarryManifest } from './carry-format.ts'
import { CARRY_VERSION } from './carry-format.ts'
import { changedMeanwhile } from './move-steps.ts'
import { passThrough } from './pass-through.ts'

export interface CarryHead {
  readonly sessionId: string
  readonly title: string
  readonly cwd: string | null
  readonly nowMs: number
}

export interface CarriedOut {
  readonly manifest: CarryManifest
  readonly packedBytes: number
}

export async function carryOut(
  disk: Disk,
  files: readonly SessionFile[],
  { sessionId, title, cwd, nowMs }: CarryHead,
  path: string,
): Promise<CarriedOut> {
  const carried = files.map((file) => carriedFile(disk, file))
  const carriedAt = new Date(nowMs).toISOString()
  const manifest: CarryManifest = {
    clew: 'carry',
    version: CARRY_VERSION,
    sessionId,
    title,
    cwd,
    carriedAt,
    files: carried,
  }
  const packedBytes = await replaceBy(
    disk,
    path,
    (add) => passThrough(plain(disk, manifest, files), createGzip({ level: 6 }), add),
    () => demandFree(disk, path),
  )
  return { manifest, packedBytes }
}

function carriedFile(disk: Disk, { name, path }: SessionFile): CarriedFile {
  const { sizeBytes = 0, modifiedMs = 0 } = disk.stat(path) ?? {}
  const sha256 = sha256Of(disk, path, sizeBytes)
  if (sha256 === null) throw changedMeanwhile(path)
  return { name, sizeBytes, modifiedMs, sha256 }
}

const READ_BYTES = 1 << 20

function* plain(disk: Disk, manifest: CarryManifest, files: readonly SessionFile[]): Generator<Buffer, void, void> {
  yield Buffer.from(`${JSON.stringify(manifest)}\n`)
  for (const [place, { path }] of files.entries()) {
    const { sizeBytes = 0, sha256 } = manifest.files[place] ?? {}
    const hash = createHash('sha256')
    const fd = disk.openToRead(path)
    try {
      for (let at = 0; at < sizeBytes; ) {
        const part = disk.read(fd, at, Math.min(sizeBytes - at, READ_BYTES))
        if (part.length === 0) throw changedMeanwhile(path)
        hash.update(part)
        yield Buffer.from(part)
        at += part.length
      }
      // Else nobody could import it.
      if (hash.digest('hex') !== sha256) throw changedMeanwhile(path)
    } finally {
      disk.close(fd)
    }
  }
}
