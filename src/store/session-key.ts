// Keys of the official SDK's SessionStore, as places below one root. A key comes from whoever calls, so it is taken for
// hostile: it may name no folder above, no absolute path, and nothing that two keys could mean.

import { join } from 'node:path'
import type { Disk } from '../disk/disk.ts'
import { StoreError } from './store-error.ts'

export interface SessionKey {
  readonly projectKey: string
  readonly sessionId: string
  /** 'subagents/agent-x'. Absent for the session's own transcript. */
  readonly subpath?: string | undefined
}

export interface SessionPlace {
  readonly project: string
  /** What the session's own transcript is called, also when the key names another. */
  readonly main: string
  /** Everything else of the session. */
  readonly folder: string
  /** The transcript that the key names. */
  readonly file: string
  /** Where a deleted session waits for its end. No key leads here. */
  readonly removedMain: string
  readonly removedFolder: string
}

/** A system takes 255 bytes for a name, and the lock of a file has a longer name than the file. */
const NAME_BYTES_MAX = 220
const SUBPATH_BYTES_MAX = 1000
const EXTENSION = '.jsonl'

export function placeOf(root: string, { projectKey, sessionId, subpath }: SessionKey): SessionPlace {
  const project = projectFolder(root, projectKey)
  checkName('session id', sessionId)
  const folder = join(project, sessionId)
  const main = `${folder}${EXTENSION}`
  const removedFolder = join(root, 'clew-removed', projectKey, sessionId)
  const removed = { removedMain: `${removedFolder}${EXTENSION}`, removedFolder }
  if (subpath === undefined) return { project, main, folder, file: main, ...removed }
  if (typeof subpath !== 'string' || Buffer.byteLength(subpath) > SUBPATH_BYTES_MAX)
    throw refusal('subpath', String(subpath))
  const names = subpath.split('/')
  for (const name of names) checkName('subpath', name)
  return { project, main, folder, file: `${join(folder, ...names)}${EXTENSION}`, ...removed }
}

export function projectFolder(root: string, projectKey: string): string {
  checkName('project key', projectKey)
  return join(root, 'projects', projectKey)
}

/** Null for a file that is no transcript of this store. */
export function nameOfTranscript(file: string): string | null {
  const name = file.endsWith(EXTENSION) ? file.slice(0, -EXTENSION.length) : ''
  return isName(name) ? name : null
}

/** A link among the folders would lead out of the root, though every name in the key is a plain one. */
export function checkFolders(disk: Disk, root: string, folder: string): void {
  let at = root
  for (const name of folder.slice(root.length).split(/[\\/]/)) {
    if (name === '') continue
    at = join(at, name)
    const stat = disk.stat(at)
    if (stat === null) return
    if (!stat.isFolder) throw new StoreError('not-a-record', `${at}: is no folder, so no session can lie in it`)
  }
}

function checkName(what: string, name: unknown): void {
  if (!isName(name)) throw refusal(what, String(name))
}

function isName(name: unknown): boolean {
  return (
    typeof name === 'string' &&
    name !== '' &&
    name !== '.' &&
    name !== '..' &&
    !/[/\\\u0000-\u001f]/.test(name) &&
    // A folder of that name would stand where another session has its transcript, or the lock of it.
    !/\.jsonl/i.test(name) &&
    Buffer.byteLength(name) <= NAME_BYTES_MAX &&
    // Half a surrogate pair is written as another character: two keys would be one file.
    Buffer.from(name).toString() === name
  )
}

function refusal(what: string, value: string): StoreError {
  const shown = value.length > 60 ? `${value.slice(0, 60)}…` : value
  return new StoreError('not-a-record', `${JSON.stringify(shown)} cannot be a ${what}`)
}
