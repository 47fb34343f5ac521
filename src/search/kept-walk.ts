// A walk over a root, kept beside the index: columns of numbers, and texts with a NUL between them, which no path holds.
// It is kept only where the times of folders can be relied on.

import { statfsSync } from 'node:fs'
import type { FoundTranscripts, RootWalk } from '../load/found.ts'
import type { Discovery } from '../source/discover.ts'
import { discoverMarked, startOf } from '../source/discover.ts'
import type { KeptWalk } from '../source/look-again.ts'
import { FILE_MARKS, FOLDER_MARKS, lookAgain, SIDECAR_MARKS } from '../source/look-again.ts'
import type { TranscriptFile } from '../source/model.ts'
import type { FilePlace } from '../source/transcript-file.ts'
import { nameFor, readBeside, writeBeside } from './beside-index.ts'

/** What lies below a root: looked at again where a walk was kept and holds, walked otherwise. */
export function discoverAgain(indexPath: string, root: string): Discovery {
  const kept = readWalk(indexPath, root)
  // A link named “projects” may have led nowhere then, and lead somewhere now.
  return (kept === null || kept.folders[0] !== startOf(root) ? null : lookAgain(kept)) ?? discoverMarked(root)
}

/** To be raised with every change of what is kept. */
const SHAPE = 2
const HEAD = 7

function readWalk(indexPath: string, root: string): KeptWalk | null {
  const bytes = readBeside(indexPath, nameFor([root], 'walk'))
  try {
    return bytes === null || bytes.length < HEAD * 8 ? null : walkIn(bytes, root)
  } catch {
    // Numbers that nobody wrote so.
    return null
  }
}

function walkIn(bytes: Buffer, root: string): KeptWalk | null {
  // Node reads small files into a room it shares; numbers stand at steps of eight.
  const whole = bytes.byteOffset % 8 === 0 ? bytes : Buffer.from(new Uint8Array(bytes))
  const head = new Float64Array(whole.buffer, whole.byteOffset, HEAD)
  const [shape = 0, startedMs = 0, folderCount = 0, fileCount = 0, sidecarCount = 0, textBytes = 0, restBytes = 0] =
    head
  const counts = [folderCount * FOLDER_MARKS, fileCount * FILE_MARKS, sidecarCount * SIDECAR_MARKS]
  const textAt = (HEAD + counts.reduce((sum, count) => sum + count, 0)) * 8
  if (shape !== SHAPE || textAt + textBytes + restBytes !== whole.length) return null
  let at = whole.byteOffset + HEAD * 8
  const [folderMarks, fileMarks, sidecarMarks] = counts.map((count) => {
    const numbers = new Float64Array(whole.buffer, at, count)
    at += count * 8
    return numbers
  }) as [Float64Array, Float64Array, Float64Array]
  const texts = whole.toString('utf8', textAt, textAt + textBytes).split('\0')
  if (texts.length !== 2 + folderCount + fileCount + sidecarCount || texts[0] !== root) return null
  const folders = texts.slice(2, 2 + folderCount)
  const paths = texts.slice(2 + folderCount, 2 + folderCount + fileCount)
  const sidecars = texts.slice(2 + folderCount + fileCount)
  const places = (): readonly FilePlace[] => placesIn(whole.toString('utf8', textAt + textBytes), fileCount)
  return { name: texts[1] ?? '', startedMs, folders, folderMarks, sidecars, sidecarMarks, paths, fileMarks, places }
}

/** A line for each file. Neighbours mostly have the same, and then the very same object. */
function placesIn(text: string, count: number): readonly FilePlace[] {
  let before = ''
  let place: FilePlace = { projectKey: '', sessionId: null, workflowId: null }
  const lines = text.split('\0')
  return Array.from({ length: count }, (_, index) => {
    const line = lines[index] ?? before
    if (line === before) return place
    const [projectKey = '', sessionId = '', workflowId = ''] = line.split('/')
    before = line
    place = { projectKey, sessionId: sessionId || null, workflowId: workflowId || null }
    return place
  })
}

/** A main transcript says by its own name which session it is. No name holds a slash. */
function placeText({ projectKey, sessionId, workflowId, role }: TranscriptFile): string {
  return `${projectKey}/${role === 'main' ? '' : (sessionId ?? '')}/${workflowId ?? ''}`
}

/** Under a name that tells it from all that were kept before. */
export function keepWalk(indexPath: string, { root, discovery, walked }: RootWalk, name: string): void {
  const { files, sidecars } = discovery
  const { folders, folderMarks, sidecarMarks, startedMs } = walked
  const fileMarks = files.flatMap(({ sizeBytes, modifiedMs, changedMs, identity, sessionFolder }) => {
    const [, inode, birthMs] = identity.split(':')
    return [sizeBytes, modifiedMs, changedMs, Number(inode), Number(birthMs), sessionFolder === null ? 0 : 1]
  })
  const text = Buffer.from([root, name, ...folders, ...files.map(({ path }) => path), ...sidecars].join('\0'))
  const rest = Buffer.from(files.map(placeText).join('\0'))
  const head = [SHAPE, startedMs, folders.length, files.length, sidecars.length, text.length, rest.length]
  const numbers = Float64Array.from([...head, ...Array.from(folderMarks), ...fileMarks, ...Array.from(sidecarMarks)])
  writeBeside(indexPath, nameFor([root], 'walk'), Buffer.concat([Buffer.from(numbers.buffer), text, rest]))
}

/** The names under which the walks over its roots are kept; null when something has changed since. */
export function keptNames({ walks }: FoundTranscripts): string | null {
  if (walks === undefined || walks.length === 0 || walks.some(({ walked }) => walked.keptAs === null)) return null
  return walks.map(({ walked }) => walked.keptAs).join(' ')
}

/** A folder that has changed as lately as this may change again without its time becoming another. */
const RACY_MS = 2000

/** By the number that Linux gives them: ext2 to ext4, xfs, btrfs, tmpfs, overlay, zfs, f2fs, bcachefs. */
const RELIABLE: ReadonlySet<number> = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0x2fc12fc1, 0xf2f52010, 0xca451a4e,
])

/**
 * Whether the times of the folders tell all that happens in them: on a file system of this machine that keeps them, all
 * on one, and none of them as young as the walk.
 */
export function canBeKept({ discovery, walked }: RootWalk): boolean {
  const { folderMarks, startedMs } = walked
  const device = folderMarks[0]
  for (let at = 0; at < folderMarks.length; at += FOLDER_MARKS) {
    const changedMs = Math.max(folderMarks[at + 2] ?? 0, folderMarks[at + 3] ?? 0)
    if (folderMarks[at] !== device || !(changedMs < startedMs - RACY_MS)) return false
  }
  if (!discovery.files.every(({ identity }) => identity.startsWith(`${device}:`))) return false
  try {
    return process.platform === 'linux' && RELIABLE.has(statfsSync(walked.folders[0] as string).type >>> 0)
  } catch {
    return false
  }
}
