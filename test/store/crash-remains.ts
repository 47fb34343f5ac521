// What is found after a power cut. Of all that no sync had covered, any part may be there: whole, in pieces of a
// sector, or not at all, in any order.

import type { Random } from '../random.ts'
import type { DiskNode, FileNode, FolderNode, NameChange, Unsynced } from './crash-nodes.ts'

const SECTOR_BYTES = 512

/** Some cuts are the worst there can be and some harm nothing; most are in between. */
type Cut = 'nothing' | 'everything' | 'in-order' | 'any'

export function afterPowerCut(root: FolderNode, random: Random): FolderNode {
  const cut = random.pick<Cut>(['nothing', 'everything', 'in-order', 'any', 'any'])
  const lasting = new Map<FolderNode, Map<string, DiskNode>>()
  const kept = keptChanges(root, random, cut)
  const namesOf = (folder: FolderNode): Map<string, DiskNode> => {
    let names = lasting.get(folder)
    if (names === undefined) {
      names = new Map()
      for (const [name, { node }] of folder.lasting) if (node !== null) names.set(name, node)
      lasting.set(folder, names)
    }
    return names
  }
  for (const { order, names } of kept) {
    for (const { folder, name, node } of names) {
      if ((folder.lasting.get(name)?.order ?? 0) > order) continue
      if (node === null) namesOf(folder).delete(name)
      else namesOf(folder).set(name, node)
    }
  }
  const copied = new Map<DiskNode, DiskNode>()
  const copyOf = (node: DiskNode): DiskNode => {
    const known = copied.get(node)
    if (known !== undefined) return known
    if (node.kind === 'file') {
      const file = fileAfter(node, random, cut)
      copied.set(node, file)
      return file
    }
    const folder: FolderNode = { kind: 'folder', names: new Map(), lasting: new Map(), changes: [] }
    copied.set(node, folder)
    for (const [name, one] of namesOf(node)) {
      const copy = copyOf(one)
      folder.names.set(name, copy)
      folder.lasting.set(name, { node: copy, order: 0 })
    }
    return folder
  }
  return copyOf(root) as FolderNode
}

/** In their order. A journal keeps the first few of them; other systems keep any. */
function keptChanges(root: FolderNode, random: Random, cut: Cut): readonly NameChange[] {
  if (cut === 'nothing') return []
  const all = changesBelow(root).sort((one, other) => one.order - other.order)
  if (cut === 'everything') return all
  if (cut === 'in-order') return all.slice(0, random.below(all.length + 1))
  const waiting = new Set(all)
  const kept = new Set<NameChange>()
  for (const change of all) {
    const isFree = change.after === null || kept.has(change.after) || !waiting.has(change.after)
    if (isFree && random.chance(0.5)) kept.add(change)
  }
  return [...kept]
}

function changesBelow(folder: FolderNode): NameChange[] {
  const seen = new Set<DiskNode>()
  const changes: NameChange[] = []
  const visit = (node: DiskNode | null): void => {
    if (node === null || node.kind === 'file' || seen.has(node)) return
    seen.add(node)
    changes.push(...node.changes)
    for (const one of node.names.values()) visit(one)
    for (const one of node.lasting.values()) visit(one.node)
  }
  visit(folder)
  return changes
}

function fileAfter(file: FileNode, random: Random, cut: Cut): FileNode {
  const bytes = Buffer.from(file.bytes.subarray(0, file.size))
  // Only the end of the bytes that were covered is sure; what lies between lost ones and it is full of zeros.
  let end = lastingEnd(file)
  let isOver = false
  for (const range of file.unsynced) {
    const fate = isOver ? 'dropped' : fateOf(range, random, cut)
    if (cut === 'in-order' && fate !== 'kept') isOver = true
    end = Math.max(end, leaveOf(bytes, range, fate, random))
  }
  // The new length may have reached the disk without the bytes it speaks of.
  const size = cut !== 'everything' && random.chance(0.3) ? end + random.below(file.size - end + 1) : end
  return { kind: 'file', bytes: bytes.subarray(0, size), size, unsynced: [], modifiedMs: file.modifiedMs }
}

type Fate = 'kept' | 'dropped' | 'torn' | 'sectors'

function fateOf({ isLost }: Unsynced, random: Random, cut: Cut): Fate {
  if (isLost) return random.chance(0.8) ? 'dropped' : 'kept'
  if (cut === 'everything') return 'kept'
  if (cut === 'nothing') return 'dropped'
  return random.pick<Fate>(['kept', 'dropped', 'torn', 'sectors'])
}

/** Fills with zeros what is gone; returns where the last byte that is left ends. */
function leaveOf(bytes: Buffer, { from, to }: Unsynced, fate: Fate, random: Random): number {
  if (fate === 'kept') return to
  if (fate === 'dropped') {
    bytes.fill(0, from, to)
    return 0
  }
  if (fate === 'torn') {
    const end = from + random.below(to - from)
    bytes.fill(0, end, to)
    return end === from ? 0 : end
  }
  let end = 0
  for (let at = from; at < to; ) {
    const next = Math.min(to, (Math.floor(at / SECTOR_BYTES) + 1) * SECTOR_BYTES)
    if (random.chance(0.5)) bytes.fill(0, at, next)
    else end = next
    at = next
  }
  return end
}

function lastingEnd({ size, unsynced }: FileNode): number {
  let end = size
  for (let index = unsynced.length - 1; index >= 0 && unsynced[index]?.to === end; index--) {
    end = unsynced[index]?.from ?? 0
  }
  return end
}
