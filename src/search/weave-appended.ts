// A project in which files have only grown: the conversations that what is new belongs to, each with the files it is
// made of, where no other conversation can have become another. Null where one may have: then all are woven.
//
// The rule: what is new names no record outside of its own file, says nothing of other sessions, and nobody else in the
// project holds or names a uuid of it or the last one before it. docs/adr/0007-index.md tells why that is enough.

import { relate } from '../graph/relate.ts'
import type { Project } from '../load/found.ts'
import type { WovenRow } from '../load/list.ts'
import { isConversation, wovenRow } from '../load/list.ts'
import { textFinder } from '../load/packed-bytes.ts'
import { loadProject } from '../load/project.ts'
import type { ReadFile } from '../load/read.ts'
import type { Envelope } from '../record/model.ts'
import type { TranscriptFile } from '../source/model.ts'
import type { Database } from './database.ts'
import type { KnownFile, WorkFile } from './plan.ts'
import type { StaleProject } from './stale.ts'
import { storedRelation } from './stored-kin.ts'

export interface Grown {
  readonly database: Database
  readonly known: ReadonlyMap<string, KnownFile>
  readonly read: ReadFile
  /** What was read of which files just now. */
  readonly work: ReadonlyMap<string, WorkFile>
}

export function appendedRows(grown: Grown, { project, changed }: StaleProject): readonly WovenRow[] | null {
  if (changed === null) return null
  const read = readOnce(grown.read)
  const sessions = new Set<string>()
  for (const file of changed) {
    const work = grown.work.get(file.path)
    if (work === undefined || work.hasTail || work.from.records === 0) return null
    const sessionId = file.sessionId ?? work.from.sessionId
    if (sessionId === null || isOfAnother(grown, work)) return null
    sessions.add(sessionId)
    if (file.role !== 'main') continue
    const names = ownNames(read(file).transcript.envelopes, work.from.records)
    if (names === null || isMetElsewhere(grown, project, file, names)) return null
  }
  const rows: WovenRow[] = []
  for (const file of project.files) {
    if (file.role !== 'main' || file.sessionId === null || !sessions.has(file.sessionId)) continue
    const row = rowAlone(grown, project, file, read)
    if (row === null) return null
    if (row !== 'none') rows.push(row)
  }
  return rows
}

/** A flat agent file may have come to be of another session: the one that it was of has one less then. */
export function isOfAnother({ known }: Pick<Grown, 'known'>, { file, from }: WorkFile): boolean {
  return file.sessionId === null && known.get(file.path)?.sessionId !== from.sessionId
}

/** It is asked for what is new in it and then woven. */
function readOnce(read: ReadFile): ReadFile {
  const known = new Map<string, ReturnType<ReadFile>>()
  return (file) => {
    const loaded = known.get(file.path) ?? read(file)
    known.set(file.path, loaded)
    return loaded
  }
}

/** The uuids by which others may know what is new; null where what is new itself points elsewhere. */
function ownNames(envelopes: readonly Envelope[], before: number): ReadonlySet<string> | null {
  const last = lastUuid(envelopes, before)
  // Whoever resumes this session goes on from its last record, and it has had none.
  if (last === null) return null
  const names = new Set([last])
  const parents = new Set<string>()
  for (const { uuid, parentUuid, links } of envelopes.slice(before)) {
    if (links?.forkedFromSessionId !== undefined || links?.parentSessionId !== undefined) return null
    if (uuid !== null) names.add(uuid)
    for (const named of [parentUuid, links?.logicalParentUuid]) if (named != null) parents.add(named)
  }
  // What is new hangs below what was written last.
  for (let at = envelopes.length - 1; at >= 0 && parents.size > 0; at--) {
    const { uuid } = envelopes[at] as Envelope
    if (uuid !== null) parents.delete(uuid)
  }
  return parents.size === 0 ? names : null
}

function lastUuid(envelopes: readonly Envelope[], before: number): string | null {
  for (let at = before - 1; at >= 0; at--) {
    const uuid = envelopes[at]?.uuid ?? null
    if (uuid !== null) return uuid
  }
  return null
}

/** Another main transcript holds or names one of these, or its conversation is made of this file too. */
function isMetElsewhere(
  { database, known }: Grown,
  { files }: Project,
  file: TranscriptFile,
  names: ReadonlySet<string>,
): boolean {
  const others = files.filter(({ role, path }) => role === 'main' && path !== file.path)
  const rows = others.flatMap(({ path }) => known.get(path) ?? [])
  const ids = JSON.stringify(rows.map(({ id }) => id))
  if (rows.length < others.length || isPartOfAnother(database, known.get(file.path)?.id ?? 0, ids)) return true
  const find = textFinder(names)
  const isIn = (packed: Uint8Array): boolean => {
    try {
      return find(packed)
    } catch {
      // A page that was damaged without SQLite noticing: whoever reads it whole finds out.
      return true
    }
  }
  const pages = database.prepare('SELECT envelopes FROM page WHERE file IN (SELECT value FROM json_each(?))')
  for (const { envelopes } of pages.iterate(ids) as Iterable<{ readonly envelopes: Uint8Array }>) {
    if (isIn(envelopes)) return true
  }
  return rows.some(({ id, hasTail }) => hasTail === 1 && isIn(packedTail(database, id)))
}

/** Layouts say which files a conversation is made of; nearly all are made of one. */
function isPartOfAnother(database: Database, file: number, others: string): boolean {
  const found = database
    .prepare(
      `SELECT 1 FROM layout, json_each(head, '$.files') AS part WHERE file IN (SELECT value FROM json_each(?))
       AND head NOT LIKE '{"files":[' || file || '],%' AND part.value = ? LIMIT 1`,
    )
    .get(others, file)
  return found !== undefined
}

function packedTail(database: Database, file: number): Uint8Array {
  const { packed } = database.prepare("SELECT tail ->> '$.envelopes' AS packed FROM file WHERE id = ?").get(file) as {
    readonly packed: string
  }
  return Buffer.from(packed, 'base64')
}

/** A conversation out of its own files, related to others as it was before. */
function rowAlone(grown: Grown, project: Project, file: TranscriptFile, read: ReadFile): WovenRow | 'none' | null {
  const { database, known } = grown
  const before = storedRelation(database, project, known.get(file.path)?.id ?? 0)
  if (before === null) return isConversation(read(file)) ? null : 'none'
  const parts = new Set(before.files)
  const files = project.files.filter(({ path, role, sessionId }) => {
    const row = known.get(path)
    if (role === 'main') return row !== undefined && parts.delete(row.id)
    return (sessionId ?? row?.sessionId) === file.sessionId
  })
  // One of its files is in another project by now.
  if (parts.size > 0) return null
  const { continues, forkOf } = before
  const isRelated = continues !== null || forkOf !== null
  const loaded = loadProject(
    { ...project, files },
    {
      readsAgents: false,
      read,
      // What was found by the beginning of its own file alone may be found now.
      relations: (mains) => mains.map(({ transcript }) => (isRelated ? before : (relate([transcript])[0] ?? before))),
    },
  )
  return wovenRow(
    loaded,
    loaded.mains.findIndex((main) => main.file.path === file.path),
  )
}
