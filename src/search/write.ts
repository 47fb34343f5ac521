// Batches → rows. The only code that writes to the index, one call a Batch, inside whatever transaction is open.

import { packUsage, unpackUsage } from '../load/usage-pack.ts'
import type { Envelope } from '../record/model.ts'
import type { TranscriptFile } from '../source/model.ts'
import type { Batch, FileTail } from './batch.ts'
import type { Database } from './database.ts'
import { NUMBERS_PER_DOC, PLACES_PER_DOC } from './docs.ts'
import { PAGE_RECORDS, packEnvelopes, unpackEnvelopes } from './envelope-page.ts'
import { ManyRows } from './many-rows.ts'
import type { WorkFile } from './plan.ts'
import { USAGE_PAGE_RECORDS } from './usage-page.ts'
import type { WordWriter } from './word-rows.ts'

type Statement = ReturnType<Database['prepare']>

/** What the place of a file says, or else its records. */
const SESSION_ID = "coalesce(?, tail ->> 'sessionId', state ->> 'sessionId')"

const DOC_COLUMNS = ['id', 'file', 'record', 'kind', 'copy_key', 'ms', 'offset', 'length']

export class IndexWriter {
  readonly #database: Database
  readonly #words: WordWriter
  readonly #addFile: Statement
  readonly #updateFile: Statement
  readonly #readPage: Statement
  readonly #putPage: Statement
  readonly #readUsagePage: Statement
  readonly #putUsagePage: Statement
  readonly #docs: ManyRows
  readonly #addCall: Statement
  #nextDoc: number

  constructor(database: Database, words: WordWriter) {
    this.#database = database
    this.#words = words
    this.#addFile = database.prepare(
      `INSERT INTO file(path, project_key, role, session_id, agent_id, identity, size, modified_ms, records, state)
       VALUES(?, ?, ?, ?, ?, ?, -1, 0, 0, '')`,
    )
    this.#updateFile = database.prepare(
      `UPDATE file SET identity = ?, size = ?, modified_ms = ?, changed_ms = ?, gone_ms = NULL, records = ?, state = ?, tail = ?,
       project_key = ?, session_id = ? WHERE id = ?`,
    )
    this.#readPage = database.prepare('SELECT envelopes FROM page WHERE file = ? AND number = ?')
    this.#putPage = database.prepare('INSERT OR REPLACE INTO page(file, number, envelopes) VALUES(?, ?, ?)')
    this.#readUsagePage = database.prepare('SELECT records FROM usage_page WHERE file = ? AND number = ?')
    this.#putUsagePage = database.prepare('INSERT OR REPLACE INTO usage_page(file, number, records) VALUES(?, ?, ?)')
    this.#docs = new ManyRows(database, 'doc', DOC_COLUMNS, words.rowsAtOnce)
    this.#addCall = database.prepare(
      'INSERT INTO tool_call(file, record, number, call_id, name, command, files) VALUES(?, ?, ?, ?, ?, ?, ?)',
    )
    const { last } = database.prepare('SELECT coalesce(max(id), 0) AS last FROM doc').get() as { last: number }
    this.#nextDoc = last + 1
  }

  /** The row of a file; made when it has none. Of a file that is read again, everything read before is dropped. */
  openFile({ file, id, from, hasTail }: WorkFile): number {
    if (id !== null) {
      if (hasTail || from.records === 0) this.#dropFrom(id, from.records)
      return id
    }
    const { path, projectKey, role, sessionId, agentId, identity } = file
    return Number(this.#addFile.run(path, projectKey, role, sessionId, agentId, identity).lastInsertRowid)
  }

  writeBatch(id: number, file: TranscriptFile, batch: Batch): void {
    this.#writePages(id, batch)
    this.#writeUsage(id, batch)
    this.#writeDocs(id, batch)
    for (const { record, number, id: callId, name, command, files } of batch.calls) {
      this.#addCall.run(id, record, number, callId, name, command, files.length === 0 ? null : JSON.stringify(files))
    }
    const { state, tail, end } = batch
    // Packed, because JSON has no 1e400 and no -0.
    const tailText = tail === null ? null : JSON.stringify(packTail(tail))
    this.#updateFile.run(
      file.identity,
      end?.sizeBytes ?? -1,
      end?.modifiedMs ?? 0,
      end?.changedMs ?? 0,
      state.records,
      JSON.stringify(state),
      tailText,
      file.projectKey,
      file.sessionId ?? tail?.sessionId ?? state.sessionId,
      id,
    )
  }

  move(id: number, { path, projectKey, sessionId, agentId, identity }: TranscriptFile): void {
    this.#database
      .prepare(
        `UPDATE file SET path = ?, project_key = ?, agent_id = ?, identity = ?, session_id = ${SESSION_ID} WHERE id = ?`,
      )
      .run(path, projectKey, agentId, identity, sessionId, id)
  }

  see(id: number, { identity, modifiedMs, changedMs, projectKey, sessionId }: TranscriptFile): void {
    this.#database
      .prepare(
        `UPDATE file SET identity = ?, modified_ms = ?, changed_ms = ?, gone_ms = NULL, project_key = ?,
         session_id = ${SESSION_ID} WHERE id = ?`,
      )
      .run(identity, modifiedMs, changedMs, projectKey, sessionId, id)
  }

  miss(id: number, nowMs: number): void {
    this.#database.prepare('UPDATE file SET gone_ms = ? WHERE id = ?').run(Math.floor(nowMs), id)
  }

  #writePages(id: number, { pages, firstRecord }: Batch): void {
    let number = Math.floor(firstRecord / PAGE_RECORDS)
    const filled = firstRecord % PAGE_RECORDS
    for (const [index, page] of pages.entries()) {
      const isPartial = index === 0 && filled > 0
      const whole = isPartial ? packEnvelopes([...this.#page(id, number), ...unpackEnvelopes(page)]) : page
      this.#putPage.run(id, number, whole)
      number++
    }
  }

  #writeUsage(id: number, { usagePages, firstUsage }: Batch): void {
    let number = Math.floor(firstUsage / USAGE_PAGE_RECORDS)
    const isFilled = firstUsage % USAGE_PAGE_RECORDS > 0
    for (const [index, page] of usagePages.entries()) {
      const before = index === 0 && isFilled ? this.#usagePage(id, number) : null
      const whole = before === null ? page : packUsage([...unpackUsage(before), ...unpackUsage(page)])
      this.#putUsagePage.run(id, number, whole)
      number++
    }
  }

  #usagePage(id: number, number: number): Uint8Array | null {
    const row = this.#readUsagePage.get(id, number) as { readonly records: Uint8Array } | undefined
    return row?.records ?? null
  }

  #page(id: number, number: number): readonly Envelope[] {
    const row = this.#readPage.get(id, number) as { readonly envelopes: Uint8Array } | undefined
    return row === undefined ? [] : unpackEnvelopes(row.envelopes)
  }

  #writeDocs(id: number, { docs }: Batch): void {
    const { numbers, places } = docs
    const firstDoc = this.#nextDoc
    for (let doc = 0; doc * NUMBERS_PER_DOC < numbers.length; doc++) {
      const numberAt = (place: number): number => numbers[doc * NUMBERS_PER_DOC + place] as number
      const placeAt = (place: number): number => places[doc * PLACES_PER_DOC + place] as number
      const ms = placeAt(1)
      const time = Number.isNaN(ms) ? null : Math.floor(ms)
      this.#docs.add(this.#nextDoc++, id, numberAt(0), numberAt(1), placeAt(0), time, placeAt(2), placeAt(3))
    }
    this.#docs.end()
    this.#words.add(docs, firstDoc)
  }

  #dropFrom(id: number, records: number): void {
    const docs = this.#database.prepare('SELECT id FROM doc WHERE file = ? AND record >= ?').all(id, records)
    if (docs.length > 0) {
      // FTS5 deletes only what it finds in its tables.
      this.#words.write()
      const fromSaid = this.#database.prepare('DELETE FROM said WHERE rowid = ?')
      const fromDone = this.#database.prepare('DELETE FROM done WHERE rowid = ?')
      for (const doc of docs as unknown as readonly { readonly id: number }[]) {
        fromSaid.run(doc.id)
        fromDone.run(doc.id)
      }
      this.#database.prepare('DELETE FROM doc WHERE file = ? AND record >= ?').run(id, records)
    }
    this.#database.prepare('DELETE FROM tool_call WHERE file = ? AND record >= ?').run(id, records)
    if (records > 0) return
    this.#database.prepare('DELETE FROM page WHERE file = ?').run(id)
    this.#database.prepare('DELETE FROM usage_page WHERE file = ?').run(id)
  }
}

function packTail({ envelopes, usages, ...rest }: FileTail): object {
  const packed = Buffer.from(packUsage(usages)).toString('base64')
  return { ...rest, envelopes: packEnvelopes(envelopes).toString('base64'), usages: packed }
}
