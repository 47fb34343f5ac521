// A Turn that matched → what is shown of it. Only here are transcripts themselves read: one record a hit.

import { closeSync } from 'node:fs'
import { decodeUtf8, textKey } from '../base/text.ts'
import { envelopeOf, newReadState } from '../record/envelope.ts'
import type { Body, Envelope } from '../record/model.ts'
import { readBytes } from '../source/lines.ts'
import { isProblem, openTranscript } from '../source/open.ts'
import type { Candidate } from './candidates.ts'
import type { Conversations } from './conversations.ts'
import { DOC_KINDS, KIND_MASK } from './docs.ts'
import type { Matched } from './matched.ts'
import { matchIn } from './matched.ts'
import type { SearchField, SearchHit, SearchOptions, Snippet } from './model.ts'
import type { Query } from './query.ts'
import { referenceOf } from './reference.ts'
import { shortened } from './shortened.ts'
import { snippetOf } from './snippet.ts'
import type { RecordTexts } from './texts.ts'
import { textsOf } from './texts.ts'
import type { TurnHit } from './turn-hits.ts'

export interface ReadHit {
  readonly hit: SearchHit
  /** It holds what was typed as it was typed. */
  readonly isLiteral: boolean
}

/** In the order in which they are preferred. */
const FIELD_TEXTS: readonly (readonly [SearchField, keyof RecordTexts])[] = [
  ['prompts', 'prompt'],
  ['replies', 'reply'],
  ['commands', 'commands'],
  ['files', 'files'],
  ['thinking', 'thinking'],
  ['tools', 'output'],
  ['tools', 'tools'],
]

const DOCS_MAX = 3
/** Where none of these holds a symbol or a path as it was typed, a later record of the Turn may: so many more, for all hits. */
const MORE_DOCS = 400
const END_BYTES = 2048
/** Of a longer record only the ends of its texts are looked at, where they tell enough. */
const LONG_BYTES = 32 << 10

type Wanted = Pick<SearchOptions, 'fields' | 'allRecords'>

export class HitReader {
  readonly #conversations: Conversations
  readonly #query: Query
  readonly #fields: ReadonlySet<SearchField>
  readonly #allRecords: boolean
  readonly #descriptors = new Map<string, number | null>()
  #moreDocs = MORE_DOCS

  constructor(conversations: Conversations, query: Query, { fields, allRecords = true }: Wanted) {
    this.#conversations = conversations
    this.#query = query
    this.#fields = fields
    this.#allRecords = allRecords
  }

  read(turn: TurnHit): ReadHit {
    const looks: Look[] = []
    for (const doc of turn.docs) {
      if (looks.length >= DOCS_MAX && this.#moreDocs-- <= 0) break
      looks.push(this.#look(doc))
      if (looks.at(-1)?.isLiteral) break
    }
    const best = looks.find((look) => look.isLiteral) ?? (looks[0] as Look)
    const known = new Map(looks.map(({ doc, uuid }) => [doc, uuid]))
    const others = this.#allRecords ? turn.docs.filter((doc) => doc !== best.doc) : []
    const uuids = others.map((doc, index) => known.get(doc) ?? this.#uuidOf(doc, index))
    return { hit: this.#hitOf(turn, best, uuids), isLiteral: best.isLiteral }
  }

  /** Of a few records it is read sooner than a page of Envelopes is unpacked. It stands near one end of a record. */
  #uuidOf(doc: Candidate, index: number): string | null {
    if (index >= DOCS_MAX) return this.#conversations.uuid(doc.file, doc.record)
    const path = this.#conversations.file(doc.file)?.path ?? ''
    const { offset, length } = doc
    const part = Math.min(length, END_BYTES)
    for (const from of length > part ? [offset + length - part, offset] : [offset]) {
      const bytes = this.#bytes(path, { offset: from, length: part })
      const uuid = bytes === null ? null : uuidWithKey(bytes, doc.copyKey)
      if (uuid !== null) return uuid
    }
    return this.#conversations.uuid(doc.file, doc.record)
  }

  close(): void {
    for (const fd of this.#descriptors.values()) if (fd !== null) closeSync(fd)
    this.#descriptors.clear()
  }

  #hitOf(turn: TurnHit, best: Look, others: readonly (string | null)[]): SearchHit {
    const { doc, uuid, field, snippet } = best
    const file = this.#conversations.file(doc.file)
    const row = this.#conversations.row(doc.file)
    const sessionId = file?.sessionId ?? ''
    const agentId = file?.agentId ?? null
    const { branch, turn: number } = turn.place
    return {
      ref: referenceOf(sessionId, agentId, uuid, doc.offset),
      sessionId,
      agentId,
      uuid,
      kind: DOC_KINDS[doc.kind & KIND_MASK] ?? 'harness',
      field,
      title: row?.title ?? '',
      project: row?.project ?? file?.projectKey ?? '',
      gitBranch: row?.gitBranch ?? null,
      model: row?.model ?? null,
      branch: agentId !== null || branch < 0 ? null : branch,
      turn: agentId === null && branch === 0 ? number : null,
      timestampMs: doc.ms,
      snippet,
      path: file?.path ?? '',
      offset: doc.offset,
      length: doc.length,
      isGone: file?.goneMs !== null,
      records: [uuid, ...others],
      more: 0,
      score: turn.score,
    }
  }

  #look(doc: Candidate): Look {
    const path = this.#conversations.file(doc.file)?.path ?? ''
    const bytes = this.#bytes(path, doc)
    const short = bytes === null || bytes.length < LONG_BYTES ? null : shortened(bytes)
    const look = short === null ? null : this.#lookAt(doc, short)
    return look !== null && this.#isEnough(look) ? look : this.#lookAt(doc, bytes)
  }

  /** What tools printed is indexed by its ends alone; of what was said the words may stand in between. */
  #isEnough({ doc, terms, isLiteral }: Look): boolean {
    const { groups, paths, commands } = this.#query
    return isLiteral && terms >= (doc.table === 'done' ? 1 : groups.length + paths.length + commands.length)
  }

  #lookAt(doc: Candidate, bytes: Buffer | null): Look {
    const read = bytes === null ? null : parsed(bytes, doc)
    const field: SearchField = doc.table === 'said' ? 'replies' : 'tools'
    if (read === null) return { doc, uuid: null, field, snippet: null, terms: 0, isLiteral: true }
    const { envelope, body } = read
    const texts = textsOf(envelope, body, () => undefined)
    const best = texts === null ? null : this.#bestField(texts)
    const { uuid } = envelope
    if (best === null) return { doc, uuid, field, snippet: null, terms: 0, isLiteral: true }
    const { text, matched } = best
    const { terms, isLiteral } = matched
    return { doc, uuid, field: best.field, snippet: snippetOf(text, matched), terms, isLiteral }
  }

  #bestField(texts: RecordTexts): FieldMatch | null {
    let best: FieldMatch | null = null
    for (const [field, name] of FIELD_TEXTS) {
      if (texts[name] === '' || (this.#fields.size > 0 && !this.#fields.has(field))) continue
      const matched = matchIn(texts[name], this.#query)
      const isBetter =
        best === null ||
        matched.terms > best.matched.terms ||
        (matched.terms === best.matched.terms && matched.isLiteral && !best.matched.isLiteral)
      if (isBetter) best = { field, text: texts[name], matched }
    }
    return best
  }

  #bytes(path: string, { offset, length }: Pick<Candidate, 'offset' | 'length'>): Buffer | null {
    const fd = this.#descriptor(path)
    if (fd === null) return null
    try {
      return readBytes(fd, offset, length)
    } catch {
      return null
    }
  }

  #descriptor(path: string): number | null {
    const known = this.#descriptors.get(path)
    if (known !== undefined) return known
    const opened = openTranscript(path)
    const fd = isProblem(opened) ? null : opened.fd
    this.#descriptors.set(path, fd)
    return fd
  }
}

function parsed(
  bytes: Buffer,
  { offset, length }: Candidate,
): { readonly envelope: Envelope; readonly body: Body } | null {
  try {
    const text = decodeUtf8(bytes)
    const body = JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text) as Body
    return { envelope: envelopeOf(body, { line: 0, offset, length }, newReadState(false)), body }
  } catch {
    // The file was rewritten since it was read: the hit stands, its words cannot be shown.
    return null
  }
}

const UUID_KEY = '"uuid":"'

/** The key tells which of the ids in a record is its own, without parsing it. */
function uuidWithKey(bytes: Buffer, copyKey: number): string | null {
  for (let at = bytes.indexOf(UUID_KEY); at >= 0; at = bytes.indexOf(UUID_KEY, at + 1)) {
    const start = at + UUID_KEY.length
    const uuid = bytes.toString('latin1', start, bytes.indexOf('"', start))
    if (textKey(uuid) === copyKey) return uuid
  }
  return null
}

interface Look {
  readonly doc: Candidate
  readonly uuid: string | null
  readonly field: SearchField
  readonly snippet: Snippet | null
  /** How many of those that were asked for are in it. */
  readonly terms: number
  readonly isLiteral: boolean
}

interface FieldMatch {
  readonly field: SearchField
  readonly text: string
  readonly matched: Matched
}
