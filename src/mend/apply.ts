// A repair, done. The repaired bytes are written beside the transcript first and proven there; only then they take its
// place, or become a session of their own. The receipt is older than the change, so there is always a way back.

import { dirname, join, relative } from 'node:path'
import type { Disk } from '../disk/disk.ts'
import { makeFolders } from '../disk/durable.ts'
import { filesBelow } from '../disk/folder-files.ts'
import type { WrittenFacts } from './copy-file.ts'
import { copyFile, factsOf, writeNew } from './copy-file.ts'
import type { Repair, RepairOptions } from './plan.ts'
import { planRepair } from './plan.ts'
import { proveRepair } from './prove.ts'
import { demandQuiet } from './quiet.ts'
import type { FileFacts, RepairReceipt } from './repair-receipt.ts'
import { backupPath, newReceipt, receiptFolder, writeReceipt } from './repair-receipt.ts'
import { RepairRefused } from './repair-refused.ts'
import type { TranscriptBytes } from './transcript-bytes.ts'
import type { RepairTarget } from './write-out.ts'

export interface RepairPlace {
  /** The Claude directory. */
  readonly root: string
  readonly path: string
  readonly sessionId: string
  /** `<session>/` beside the transcript; null when there is none. */
  readonly folder: string | null
  /** Where receipts and backups lie. */
  readonly receipts: string
}

export interface RepairWorld {
  readonly disk: Disk
  readonly nowMs: number
  readonly receiptId: string
  /** For a repair that becomes a session of its own. */
  readonly newSessionId: string
  readonly open: (path: string) => OpenBytes
  readonly isRunning?: (pid: number) => boolean
  readonly holders?: (path: string) => readonly number[]
}

export interface OpenBytes {
  readonly bytes: TranscriptBytes
  readonly close: () => void
}

export type RepairKind = RepairReceipt['kind']

/** Throws a RepairRefused, with the transcript as it was, or answers with the receipt. */
export async function applyRepair(
  world: RepairWorld,
  place: RepairPlace,
  kind: RepairKind,
  options: RepairOptions,
): Promise<RepairReceipt> {
  const { disk } = world
  if (kind === 'in-place') demandQuiet(disk, { ...world, ...place })
  const before = factsOf(disk, place.path)
  const source = world.open(place.path)
  try {
    const repair = planRepair(source.bytes, options)
    demandReason(repair)
    if (repair.plan.sourceSha256 !== before.sha256) throw changed(place.path)
    const newPath = kind === 'new' ? join(dirname(place.path), `${world.newSessionId}.jsonl`) : place.path
    if (kind === 'new' && disk.stat(newPath) !== null) throw new RepairRefused('exists', `${newPath} is there already`)
    // Of this repair alone: two of one file must not write into each other's.
    const next = `${newPath}.${world.receiptId}.clew-next`
    if (disk.stat(next) !== null) disk.remove(next)
    const after = await writeNew(disk, next, repair.bytes(targetOf(world, place, kind)))
    try {
      prove(world, source.bytes, next, options)
      const receipt = receiptOf(world, place, kind, repair, { before, after, newPath })
      return await putInPlace(world, place, receipt, next)
    } finally {
      if (disk.stat(next) !== null) disk.remove(next)
    }
  } finally {
    source.close()
  }
}

function demandReason({ plan }: Repair): void {
  const [refusal] = plan.refusals
  if (refusal !== undefined) throw new RepairRefused('not-allowed', refusal.message)
  if (plan.steps.length === 0) throw new RepairRefused('nothing-to-do', 'nothing needs to be repaired')
}

function changed(path: string): RepairRefused {
  return new RepairRefused('changed', `${path} has changed meanwhile; nothing was done. Try again when it is quiet`)
}

function targetOf({ newSessionId }: RepairWorld, { sessionId }: RepairPlace, kind: RepairKind): RepairTarget {
  if (kind === 'in-place') return { kind }
  return { kind: 'new-session', sessionId: newSessionId, fromSessionId: sessionId }
}

/** What was written is read again: not what was meant to be. */
function prove(world: RepairWorld, before: TranscriptBytes, next: string, options: RepairOptions): void {
  const after = world.open(next)
  try {
    const [broken] = proveRepair(before, after.bytes, options)
    if (broken === undefined) return
    const report = 'please report this, with clew check --json of the file'
    throw new RepairRefused('unproven', `the result broke a promise (${broken.code}: ${broken.message}); ${report}`)
  } finally {
    after.close()
  }
}

interface Outcome {
  readonly before: FileFacts
  readonly after: WrittenFacts
  readonly newPath: string
}

function receiptOf(
  { receiptId, newSessionId, nowMs }: RepairWorld,
  { root, path, sessionId }: RepairPlace,
  kind: RepairKind,
  { plan }: Repair,
  outcome: Outcome,
): RepairReceipt {
  const counts = new Map<RepairReceipt['steps'][number]['code'], number>()
  for (const { code } of plan.steps) counts.set(code, (counts.get(code) ?? 0) + 1)
  return newReceipt({
    id: receiptId,
    when: new Date(nowMs).toISOString(),
    root,
    kind,
    sessionId,
    path,
    newSessionId: kind === 'new' ? newSessionId : sessionId,
    ...outcome,
    copied: [],
    fixes: plan.fixes,
    steps: [...counts].map(([code, count]) => ({ code, count })),
    quarantine: plan.quarantine,
  })
}

async function putInPlace(
  world: RepairWorld,
  place: RepairPlace,
  receipt: RepairReceipt,
  next: string,
): Promise<RepairReceipt> {
  const { disk, nowMs } = world
  const { newPath, before, kind } = receipt
  await writeReceipt(disk, place.receipts, receipt)
  if (kind === 'in-place') {
    await backUp(disk, place, receipt)
    // All of it may have taken minutes.
    demandQuiet(disk, { ...world, ...place })
    const now = disk.stat(place.path)
    if (now?.sizeBytes !== before.sizeBytes || now.modifiedMs !== before.modifiedMs) throw changed(place.path)
    disk.setMode(next, before.mode)
    disk.setModified(next, before.modifiedMs)
  }
  // The transcript last: the session is there when all of it is.
  const copied = kind === 'new' ? await copyFolder(disk, place, newPath) : []
  disk.rename(next, newPath)
  await disk.syncFolder(dirname(newPath))
  const finished = { ...receipt, copied, finishedAt: new Date(nowMs).toISOString() }
  await writeReceipt(disk, place.receipts, finished)
  return finished
}

async function backUp(disk: Disk, { path, receipts }: RepairPlace, { id, before }: RepairReceipt): Promise<void> {
  const to = backupPath(receipts, id)
  if ((await copyFile(disk, path, to)) !== before.sha256) throw changed(path)
  disk.setModified(to, before.modifiedMs)
  await disk.syncFolder(receiptFolder(receipts, id))
}

/** Subagents and Spills belong to a session by the folder they lie in, so a new session has its own. */
async function copyFolder(disk: Disk, { folder }: RepairPlace, newPath: string): Promise<RepairReceipt['copied']> {
  if (folder === null) return []
  const to = newPath.slice(0, -'.jsonl'.length)
  const { files, folders } = filesBelow(disk, folder)
  for (const one of folders) await makeFolders(disk, join(to, relative(folder, one)))
  const copied: RepairReceipt['copied'][number][] = []
  for (const { path, sizeBytes, modifiedMs } of files) {
    const copy = join(to, relative(folder, path))
    copied.push({ path: copy, sizeBytes, sha256: await copyFile(disk, path, copy) })
    disk.setModified(copy, modifiedMs)
  }
  for (const one of folders) await disk.syncFolder(join(to, relative(folder, one)))
  return copied
}
