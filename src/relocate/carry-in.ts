// A carried session into a Claude directory, below the folder of the path it shall have there. All of it is unpacked and
// checked beside before anything gets its place, and nothing that is there is ever replaced.

import { createHash, randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'
import { systemCode } from '../base/system-code.ts'
import type { Disk } from '../disk/disk.ts'
import { demandFree, makeFolders, writeAll } from '../disk/durable.ts'
import { filesBelow } from '../disk/folder-files.ts'
import { processRuns } from '../source/process-runs.ts'
import { projectKeyOf } from '../store/project-key.ts'
import type { CarriedFile, CarryManifest } from './carry-format.ts'
import { TRANSCRIPT } from './carry-format.ts'
import { CarryError, readCarried } from './carry-read.ts'
import type { Alteration } from './file-pieces.ts'
import { alteredPieces, extentOf, lineChange, UNCHANGED } from './file-pieces.ts'
import { removeEmptyFolders, removeFile, writeFile } from './move-steps.ts'
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
  /** Of what it will be; null where that is not known, because none is there to be compared with. */
  readonly sha256: string | null
}

/** Reads and checks all of it, and writes nothing. */
export async function planImport(disk: Disk, root: string, path: string, choice: ImportChoice): Promise<ImportPlan> {
  const nothing = { manifest: () => undefined, bytes: () => undefined, end: () => undefined }
  const manifest = await readCarried(disk, path, nothing)
  const cwd = choice.project ?? manifest.cwd
  if (cwd === null) throw new CarryError('it does not say where the session took place. Name a path with --project')
  const known = existing(disk, root, manifest.sessionId)
  const first = placed(root, manifest, cwd, manifest.sessionId, choice)
  const files = await compared(disk, path, first.files)
  if (known.length === 0) return { ...first, files }
  const transcript = files[0]
  const isSame = known.some((one) => one === transcript?.to && hashOf(disk, one) === transcript.sha256)
  return isSame ? { ...first, files, isThere: true } : placed(root, manifest, cwd, randomUUID(), choice)
}

/** To know what files that are there would be, their bytes have to be changed as they would be. */
async function compared(disk: Disk, path: string, files: readonly PlacedFile[]): Promise<readonly PlacedFile[]> {
  const there = files.filter(({ to, sha256 }) => sha256 === null && disk.stat(to) !== null)
  if (there.length === 0) return files
  const hashes = await alteredHashes(
    disk,
    path,
    new Map(there.map(({ carried, alteration }) => [carried.name, alteration])),
  )
  return files.map((file) => ({ ...file, sha256: file.sha256 ?? hashes.get(file.carried.name) ?? null }))
}

function existing(disk: Disk, root: string, sessionId: string): readonly string[] {
  const projects = join(root, 'projects')
  const places = disk.names(projects).map((key) => join(projects, key, `${sessionId}.jsonl`))
  return places.filter((path) => disk.stat(path) !== null)
}

/** Null for what is no file: a link, or a folder. */
function hashOf(disk: Disk, path: string): string | null {
  try {
    return extentOf(alteredPieces(disk, path, UNCHANGED)).sha256
  } catch (error) {
    if (systemCode(error) === null) throw error
    return null
  }
}

async function alteredHashes(
  disk: Disk,
  path: string,
  alterations: ReadonlyMap<string, Alteration>,
): Promise<ReadonlyMap<string, string>> {
  const hashes = new Map<string, string>()
  let hash = createHash('sha256')
  let change: ReturnType<typeof lineChange> | null = null
  let begun: Buffer = Buffer.alloc(0)
  const take = (part: Buffer, own: ReturnType<typeof lineChange>): void => {
    const bytes = begun.length === 0 ? part : Buffer.concat([begun, part])
    let start = 0
    for (let end = bytes.indexOf(0x0a); end !== -1; end = bytes.indexOf(0x0a, start)) {
      hash.update(own.line(bytes.subarray(start, end + 1)))
      start = end + 1
    }
    begun = Buffer.from(bytes.subarray(start))
  }
  const changeOf = (name: string): typeof change => {
    const alteration = alterations.get(name)
    return change ?? (alteration?.kind === 'records' ? lineChange(alteration) : null)
  }
  await readCarried(disk, path, {
    manifest: () => undefined,
    bytes: ({ name }, part) => {
      change = changeOf(name)
      if (change !== null) take(part, change)
    },
    end: ({ name }) => {
      const own = changeOf(name)
      if (own === null) return
      if (begun.length > 0) hash.update(own.line(begun))
      hashes.set(name, hash.update(own.end()).digest('hex'))
      hash = createHash('sha256')
      change = null
      begun = Buffer.alloc(0)
    },
  })
  return hashes
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
    const own = isTranscript ? alteration : isAgent ? ofAgent : UNCHANGED
    return { carried, to, modifiedMs, alteration: own, sha256: own.kind === 'none' ? carried.sha256 : null }
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
export function importConflicts(disk: Disk, { files }: Pick<ImportPlan, 'files'>): readonly string[] {
  // A part of an import that was interrupted is taken as it is.
  return files.flatMap(({ to, sha256 }) => (disk.stat(to) === null || hashOf(disk, to) === (sha256 ?? '') ? [] : [to]))
}

export async function applyImport(disk: Disk, root: string, path: string, plan: ImportPlan): Promise<number> {
  const staging = join(root, STAGING, `${plan.sessionId}-${process.pid}`)
  try {
    await unpack(disk, path, plan, staging)
    // To unpack it may have taken minutes.
    refuseMadeMeanwhile(disk, plan.files)
    let written = 0
    // The transcript last: the session is there when all of it is.
    for (const [place, file] of [...plan.files.entries()].reverse()) {
      const { carried, to, modifiedMs, alteration } = file
      refuseMadeMeanwhile(disk, [file])
      if (disk.stat(to) !== null) continue
      // Written, and not moved: people keep `projects` on another disk.
      const staged = join(staging, String(place))
      const planned = alteration.kind === 'none' ? carried : null
      const pieces = alteredPieces(disk, staged, alteration)
      await writeFile(disk, to, pieces, { modifiedMs, mode: 0o600 }, planned, () => demandFree(disk, to))
      disk.remove(staged)
      written++
    }
    return written
  } finally {
    await removeStaging(disk, staging)
  }
}

const STAGING = 'clew-carry'

/** A whole session, unpacked, is left behind by an import that was killed. */
export async function removeLeftImports(disk: Disk, root: string, isRunning = processRuns): Promise<void> {
  const folder = join(root, STAGING)
  if (disk.stat(folder)?.isFolder !== true) return
  for (const name of disk.names(folder)) {
    const pid = /^[0-9a-f-]{36}-(\d+)$/.exec(name)?.[1]
    if (pid !== undefined && !isRunning(Number(pid))) await removeStaging(disk, join(folder, name))
  }
}

async function removeStaging(disk: Disk, staging: string): Promise<void> {
  for (const { path } of filesBelow(disk, staging).files) await removeFile(disk, path)
  await removeEmptyFolders(disk, [dirname(staging), staging])
}

function refuseMadeMeanwhile(disk: Disk, files: readonly PlacedFile[]): void {
  const [inTheWay] = importConflicts(disk, { files })
  if (inTheWay !== undefined) throw new CarryError(`${inTheWay} was made meanwhile, and is another file`)
}

/** Not to last: what is unpacked here is written once more. */
async function unpack(disk: Disk, path: string, { manifest }: ImportPlan, staging: string): Promise<void> {
  await makeFolders(disk, staging)
  const places = new Map(manifest.files.map(({ name }, place) => [name, place]))
  let fd: number | null = null
  const opened = ({ name }: CarriedFile): number => {
    fd ??= disk.openToAppend(join(staging, String(places.get(name))), true)
    return fd
  }
  const close = (): void => {
    if (fd !== null) disk.close(fd)
    fd = null
  }
  try {
    const found = await readCarried(disk, path, {
      manifest: () => undefined,
      bytes: (file, part) => writeAll(disk, opened(file), part),
      end: (file) => {
        opened(file)
        close()
      },
    })
    // Somebody may have put another file in its place since it was looked at.
    if (JSON.stringify(found) !== JSON.stringify(manifest)) throw new CarryError(`${path} was changed meanwhile`)
  } finally {
    close()
  }
}
