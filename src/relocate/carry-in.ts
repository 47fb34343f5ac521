// A carried session into a Claude directory, below the folder of the path it shall have there. All of it is unpacked and
// checked beside before anything gets its place, and nothing that is there is ever replaced.

import { createHash, randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'
import type { Disk } from '../disk/disk.ts'
import { demandFree, makeFolders, writeAll } from '../disk/durable.ts'
import { filesBelow } from '../disk/folder-files.ts'
import { projectKeyOf } from '../store/project-key.ts'
import type { CarriedFile, CarryManifest } from './carry-format.ts'
import { TRANSCRIPT } from './carry-format.ts'
import { CarryError, readCarried } from './carry-read.ts'
import type { Alteration } from './file-pieces.ts'
import { alteredPieces, extentOf, lineChange, UNCHANGED } from './file-pieces.ts'
import { moveFile, removeEmptyFolders, removeFile, writeFile } from './move-steps.ts'
import type { PathMove } from './paths.ts'

export interface ImportChoice {
  /** The path it shall have; null for the one it had. */
  readonly project: string | null
  /** Leave the folder in the records as it was, and add one that says where it is now. */
  readonly keepsCwd: boolean
  /** What was not written to since then the client's clean-up would soon delete: it gets the time of now. */
  readonly expiringMs: number
  readonly nowMs: number
}

export interface ImportPlan {
  readonly manifest: CarryManifest
  readonly cwd: string
  /** Another one when this id is there already with other bytes. */
  readonly sessionId: string
  readonly isRenamed: boolean
  /** Null when the paths are the same. */
  readonly move: PathMove | null
  readonly alteration: Alteration
  readonly files: readonly PlacedFile[]
  /** It is there already, as it would be. */
  readonly isThere: boolean
}

export interface PlacedFile {
  readonly carried: CarriedFile
  readonly to: string
  readonly modifiedMs: number
  readonly alteration: Alteration
}

/** Reads and checks all of it, and writes nothing. */
export async function planImport(disk: Disk, root: string, path: string, choice: ImportChoice): Promise<ImportPlan> {
  const nothing = { manifest: () => undefined, bytes: () => undefined, end: () => undefined }
  const manifest = await readCarried(disk, path, nothing)
  const cwd = choice.project ?? manifest.cwd
  if (cwd === null) throw new CarryError('it does not say where the session took place. Name a path with --project')
  const known = existing(disk, root, manifest.sessionId)
  const first = placed(root, manifest, cwd, manifest.sessionId, choice)
  if (known.length === 0) return first
  // To know what it would be, its bytes have to be changed as they would be.
  const wanted = await transcriptHash(disk, path, first.alteration)
  const isSame = known.some((one) => one === first.files[0]?.to && hashOf(disk, one) === wanted)
  return isSame ? { ...first, isThere: true } : placed(root, manifest, cwd, randomUUID(), choice)
}

function existing(disk: Disk, root: string, sessionId: string): readonly string[] {
  const projects = join(root, 'projects')
  const places = disk.names(projects).map((key) => join(projects, key, `${sessionId}.jsonl`))
  return places.filter((path) => disk.stat(path) !== null)
}

function hashOf(disk: Disk, path: string): string {
  return extentOf(alteredPieces(disk, path, UNCHANGED)).sha256
}

async function transcriptHash(disk: Disk, path: string, alteration: Alteration): Promise<string> {
  const hash = createHash('sha256')
  const change = alteration.kind === 'records' ? lineChange(alteration) : null
  let begun: Buffer = Buffer.alloc(0)
  const take = (part: Buffer): void => {
    const bytes = begun.length === 0 ? part : Buffer.concat([begun, part])
    let start = 0
    for (let end = bytes.indexOf(0x0a); end !== -1; end = bytes.indexOf(0x0a, start)) {
      hash.update(change?.line(bytes.subarray(start, end + 1)) ?? bytes.subarray(start, end + 1))
      start = end + 1
    }
    begun = Buffer.from(bytes.subarray(start))
  }
  await readCarried(disk, path, {
    manifest: () => undefined,
    bytes: ({ name }, part) => {
      if (name === TRANSCRIPT) take(part)
    },
    end: ({ name }) => {
      if (name !== TRANSCRIPT) return
      if (begun.length > 0) hash.update(change?.line(begun) ?? begun)
      if (change !== null) hash.update(change.end())
    },
  })
  return hash.digest('hex')
}

function placed(
  root: string,
  manifest: CarryManifest,
  cwd: string,
  sessionId: string,
  { keepsCwd, expiringMs, nowMs }: ImportChoice,
): ImportPlan {
  const isRenamed = sessionId !== manifest.sessionId
  const move = manifest.cwd === null || manifest.cwd === cwd ? null : { from: manifest.cwd, to: cwd }
  const alteration = alterationOf(manifest, cwd, sessionId, keepsCwd, move)
  const project = join(root, 'projects', projectKeyOf(cwd))
  const files = manifest.files.map((carried): PlacedFile => {
    const to = placeOf(root, project, carried.name, manifest.sessionId, sessionId)
    const isTranscript = carried.name === TRANSCRIPT
    const isAgent = /^(?:session\/subagents|agents)\/.*agent-[^/]*\.jsonl$/.test(carried.name)
    // Only the main transcript is added to.
    const ofAgent: Alteration = alteration.kind === 'records' ? { ...alteration, added: '' } : UNCHANGED
    const modifiedMs = carried.modifiedMs <= expiringMs ? nowMs : carried.modifiedMs
    return { carried, to, modifiedMs, alteration: isTranscript ? alteration : isAgent ? ofAgent : UNCHANGED }
  })
  refuseSamePlace(files)
  return { manifest, cwd, sessionId, isRenamed, move, alteration, files, isThere: false }
}

/** Some systems take names for the same that differ in case, or in how an accent is written. */
function refuseSamePlace(files: readonly PlacedFile[]): void {
  const taken = new Map<string, string>()
  for (const { carried, to } of files) {
    const place = to.normalize('NFC').toLowerCase()
    const other = taken.get(place)
    if (other !== undefined) throw new CarryError(`two files in it have the same place: ${other} and ${carried.name}`)
    taken.set(place, carried.name)
  }
}

function alterationOf(
  { sessionId: before }: CarryManifest,
  cwd: string,
  sessionId: string,
  keepsCwd: boolean,
  move: PathMove | null,
): Alteration {
  const isRenamed = sessionId !== before
  if (!isRenamed && move === null) return UNCHANGED
  const record = `${JSON.stringify({ type: 'relocated', sessionId, relocatedCwd: cwd })}\n`
  return {
    kind: 'records',
    moves: move === null || keepsCwd ? [] : [move],
    ...(isRenamed ? { renamed: { from: before, to: sessionId } } : {}),
    ...(keepsCwd && move !== null ? { added: record } : {}),
  }
}

/** Names were checked: each part is one name of a file or folder. */
function placeOf(root: string, project: string, name: string, before: string, sessionId: string): string {
  const [place = '', ...parts] = name.split('/')
  switch (place) {
    case 'session':
      return join(project, sessionId, ...parts)
    case 'agents':
      return join(project, ...parts)
    case 'file-history':
    case 'tasks':
      return join(root, place, sessionId, ...parts)
    case 'todos':
      return join(root, 'todos', ...parts.map((part) => part.replaceAll(before, sessionId)))
    default:
      return join(project, `${sessionId}.jsonl`)
  }
}

/** Files that are there already, and are not what would come. */
export function importConflicts(disk: Disk, plan: ImportPlan): readonly string[] {
  return plan.files.flatMap(({ carried, to, alteration }) => {
    if (disk.stat(to) === null) return []
    // A part of an import that was interrupted is taken as it is.
    return alteration.kind === 'none' && hashOf(disk, to) === carried.sha256 ? [] : [to]
  })
}

export async function applyImport(disk: Disk, root: string, path: string, plan: ImportPlan): Promise<number> {
  const staging = join(root, 'clew-carry', `${plan.sessionId}-${process.pid}`)
  const stagedPath = (place: number): string => join(staging, String(place))
  try {
    await unpack(disk, path, plan, staging)
    // To unpack it may have taken minutes.
    const [inTheWay] = importConflicts(disk, plan)
    if (inTheWay !== undefined) throw new CarryError(`${inTheWay} was made meanwhile, and is another file`)
    let written = 0
    // The transcript last: the session is there when all of it is.
    for (const [place, { to, modifiedMs, alteration }] of [...plan.files.entries()].reverse()) {
      if (disk.stat(to) !== null) continue
      const demandLast = (): void => demandFree(disk, to)
      if (alteration.kind === 'none') {
        disk.setModified(stagedPath(place), modifiedMs)
        await moveFile(disk, stagedPath(place), to, demandLast)
      } else
        await writeFile(
          disk,
          to,
          alteredPieces(disk, stagedPath(place), alteration),
          { modifiedMs, mode: 0o600 },
          null,
          demandLast,
        )
      written++
    }
    return written
  } finally {
    for (const { path: left } of filesBelow(disk, staging).files) await removeFile(disk, left)
    await removeEmptyFolders(disk, [dirname(staging), staging])
  }
}

async function unpack(disk: Disk, path: string, { manifest }: ImportPlan, staging: string): Promise<void> {
  await makeFolders(disk, staging)
  const places = new Map(manifest.files.map(({ name }, place) => [name, place]))
  let fd: number | null = null
  const opened = ({ name }: CarriedFile): number => {
    fd ??= disk.openToAppend(join(staging, String(places.get(name))), true)
    return fd
  }
  const syncing: Promise<void>[] = []
  const found = await readCarried(disk, path, {
    manifest: () => undefined,
    bytes: (file, part) => writeAll(disk, opened(file), part),
    end: (file) => {
      const done = opened(file)
      fd = null
      syncing.push(disk.sync(done).finally(() => disk.close(done)))
    },
  })
  await Promise.all(syncing)
  // Somebody may have put another file in its place since it was looked at.
  if (JSON.stringify(found) !== JSON.stringify(manifest)) throw new CarryError(`${path} was changed meanwhile`)
}
