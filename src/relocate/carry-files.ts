// The files of a session, wherever the client keeps them, under names that say nothing about this machine. What is not
// listed here is not carried: settings and credentials have no way in.

import { basename, dirname, join } from 'node:path'
import type { Disk } from '../disk/disk.ts'
import { filesBelow } from '../disk/folder-files.ts'
import { isSoundName, TRANSCRIPT } from './carry-format.ts'
import { diskLines } from './file-pieces.ts'

export interface SessionFile {
  readonly name: string
  readonly path: string
}

export interface SessionFiles {
  /** The transcript first. */
  readonly files: readonly SessionFile[]
  /** Files whose names cannot be carried: links, or names another system does not allow. And folders not all of which may be listed. */
  readonly leftOut: readonly string[]
}

export function sessionFiles(disk: Disk, root: string, transcript: string): SessionFiles {
  const sessionId = basename(transcript, '.jsonl')
  const folder = dirname(transcript)
  const unread: string[] = []
  const below = (place: string, from: string): readonly SessionFile[] => {
    const found = filesBelow(disk, from)
    if (!found.isWhole) unread.push(from)
    return found.files.map(({ path }) => ({
      name: `${place}/${path.slice(from.length + 1).replaceAll('\\', '/')}`,
      path,
    }))
  }
  const named = (place: string, from: string, isOwn: (name: string) => boolean): readonly SessionFile[] =>
    disk.names(from).flatMap((name) => (isOwn(name) ? [{ name: `${place}/${name}`, path: join(from, name) }] : []))
  const all = [
    ...below('session', join(folder, sessionId)),
    ...named('agents', folder, (name) => isAgentOf(disk, join(folder, name), sessionId)),
    ...below('file-history', join(root, 'file-history', sessionId)),
    ...named('todos', join(root, 'todos'), (name) => name.startsWith(`${sessionId}-`) && name.endsWith('.json')),
    ...below('tasks', join(root, 'tasks', sessionId)),
  ]
  const canGo = ({ name, path }: SessionFile): boolean => isSoundName(name, sessionId) && isPlainFile(disk, path)
  const files = [{ name: TRANSCRIPT, path: transcript }, ...all.filter(canGo)]
  return { files, leftOut: [...unread, ...all.filter((file) => !canGo(file)).map(({ path }) => path)] }
}

/** Where they lie, the transcript first: each folder once. The conversation is what a reader of the transcript looks into. */
export function placesOf(
  files: readonly SessionFile[],
): readonly { readonly path: string; readonly isOfConversation: boolean }[] {
  const places = new Map<string, boolean>()
  for (const { name, path } of files) {
    const [place = ''] = name.split('/')
    const folder = FOLDERS.has(place) ? path.slice(0, place.length - name.length) : path
    places.set(folder, name === TRANSCRIPT || place === 'session' || place === 'agents')
  }
  return [...places].map(([path, isOfConversation]) => ({ path, isOfConversation }))
}

const FOLDERS: ReadonlySet<string> = new Set(['session', 'file-history', 'tasks'])

/** Old clients kept the subagents of all sessions side by side; their records say whose they are. */
function isAgentOf(disk: Disk, path: string, sessionId: string): boolean {
  if (!/^agent-[\w-]+\.jsonl$/.test(basename(path)) || !isPlainFile(disk, path)) return false
  for (const line of diskLines(disk, path)) return line.includes(`"${sessionId}"`)
  return false
}

function isPlainFile(disk: Disk, path: string): boolean {
  try {
    disk.close(disk.openToRead(path))
    return disk.stat(path)?.isFolder === false
  } catch {
    return false
  }
}
