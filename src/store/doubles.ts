// Which transcripts hold what another one holds as well. Forks and continuations copy records with their uuids, or under
// new uuids that name the old ones. Roughly: a record counts by its length, whatever was changed in the copy.

import type { ReadFile } from '../load/read.ts'
import type { TranscriptFile } from '../source/model.ts'

/** What a list says about where a session comes from. */
export interface Descent {
  readonly path: string
  readonly sessionId: string
  readonly forkOf: string | null
  readonly continues: string | null
}

export interface Double {
  readonly sessionId: string
  readonly path: string
  readonly sizeBytes: number
  /** `copy`: it shares records with another file, and nothing says why. */
  readonly kind: 'fork' | 'continuation' | 'copy'
  /** The session it comes from, else the one that shares the most. */
  readonly ofSessionId: string | null
  readonly ofPath: string | null
  readonly doubleBytes: number
}

/** The most double bytes first. One file is read at a time; what stays of it is who was first to have each uuid. */
export function findDoubles(
  files: readonly TranscriptFile[],
  descents: readonly Descent[],
  read: ReadFile,
  onProgress: (doneBytes: number, totalBytes: number) => void = () => undefined,
): readonly Double[] {
  const byPath = new Map(descents.map((descent) => [descent.path, descent]))
  const bySession = new Map(descents.map((descent) => [descent.sessionId, descent]))
  const ordered = originalsFirst(files, byPath, bySession)
  const totalBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0)
  const owners = new Map<string, number>()
  const found: Double[] = []
  let doneBytes = 0
  for (const [index, file] of ordered.entries()) {
    const bytesByOwner = sharedBytes(read(file).transcript.envelopes, owners, index)
    const descent = byPath.get(file.path)
    const origin = descent?.forkOf ?? descent?.continues ?? null
    const nearest = [...bytesByOwner].sort((one, other) => other[1] - one[1])[0]
    if (nearest !== undefined || origin !== null) {
      const owner = nearest === undefined ? undefined : ordered[nearest[0]]
      found.push({
        sessionId: file.sessionId ?? '',
        path: file.path,
        sizeBytes: file.sizeBytes,
        kind: descent?.forkOf != null ? 'fork' : descent?.continues != null ? 'continuation' : 'copy',
        ofSessionId: origin ?? owner?.sessionId ?? null,
        ofPath: (origin === null ? undefined : bySession.get(origin)?.path) ?? owner?.path ?? null,
        doubleBytes: [...bytesByOwner.values()].reduce((sum, bytes) => sum + bytes, 0),
      })
    }
    doneBytes += file.sizeBytes
    onProgress(doneBytes, totalBytes)
  }
  return found.sort((one, other) => other.doubleBytes - one.doubleBytes || (one.path < other.path ? -1 : 1))
}

type Envelopes = ReturnType<ReadFile>['transcript']['envelopes']

/** Bytes of records that an earlier file has, by that file. Repetitions inside of one file do not count. */
function sharedBytes(envelopes: Envelopes, owners: Map<string, number>, index: number): ReadonlyMap<number, number> {
  const bytes = new Map<number, number>()
  for (const { uuid, length, links } of envelopes) {
    // Uuids of the event-log dialect are made up from positions and tell nothing across files.
    if (uuid === null || uuid.startsWith('event-log:')) continue
    const original = links?.forkedFromUuid
    const owner = owners.get(uuid) ?? (original === undefined ? undefined : owners.get(original))
    if (owner === undefined) owners.set(uuid, index)
    else if (owner !== index) bytes.set(owner, (bytes.get(owner) ?? 0) + length)
  }
  return bytes
}

/** Which of two is the copy: the one that descends from the other, else the one that was written to later. */
function originalsFirst(
  files: readonly TranscriptFile[],
  byPath: ReadonlyMap<string, Descent>,
  bySession: ReadonlyMap<string, Descent>,
): readonly TranscriptFile[] {
  const depths = new Map(files.map(({ path }) => [path, depthOf(byPath.get(path), bySession)]))
  const depth = ({ path }: TranscriptFile): number => depths.get(path) ?? 0
  return [...files].sort(
    (one, other) => depth(one) - depth(other) || one.modifiedMs - other.modifiedMs || (one.path < other.path ? -1 : 1),
  )
}

/** Below this the order is a guess anyway, and a long chain must not take its square. */
const DEPTH_MAX = 100

function depthOf(descent: Descent | undefined, bySession: ReadonlyMap<string, Descent>): number {
  const seen = new Set<string>()
  for (let at = descent; at !== undefined && !seen.has(at.sessionId) && seen.size < DEPTH_MAX; ) {
    seen.add(at.sessionId)
    const origin: string | null = at.forkOf ?? at.continues
    at = origin === null ? undefined : bySession.get(origin)
    // The origin itself may be gone; the session still descends from it.
    if (origin !== null && at === undefined) return seen.size
  }
  return Math.max(0, seen.size - 1)
}
