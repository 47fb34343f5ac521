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
import type { SearchField, SearchHit, Snippet } from './model.ts'
import type { Query } from './query.ts'
import { referenceOf } from './reference.ts'
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

export class HitReader {
  readonly #conversations: Conversations
  readonly #query: Query
  readonly #fields: ReadonlySet<SearchField>
  readonly #descriptors = new Map<string, number | null>()

  constructor(conversations: Conversations, query: Query, fields: ReadonlySet<SearchField>) {
    this.#conversations = conversations
    this.#query = query
    this.#fields = fields
  }

  read(turn: TurnHit): ReadHit {
    const looks: Look[] = []
    for (const doc of turn.docs.slice(0, DOCS_MAX)) {
      looks.push(this.#look(doc))
      if (looks.at(-1)?.isLiteral) break
    }
    const best = looks.find((look) => look.isLiteral) ?? (looks[0] as Look)
    const known = new Map(looks.map(({ doc, uuid }) => [doc, uuid]))
    const others = turn.docs.filter((doc) => doc !== best.doc)
    const uuids = others.map((doc, index) => known.get(doc) ?? this.#uuidOf(doc, index))
    return { hit: this.#hitOf(turn, best, uuids), isLiteral: best.isLiteral }
  }

  /** Of a few records it is read sooner than a page of Envelopes is unpacked. */
  #uuidOf(doc: Candidate, index: number): string | null {
    const path = this.#conversations.file(doc.file)?.path ?? ''
    const bytes = index < DOCS_MAX ? this.#bytes(path, doc) : null
    const uuid = bytes === null ? null : uuidWithKey(bytes, doc.copyKey)
    return uuid ?? this.#conversations.uuid(doc.file, doc.record)
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
    const read = this.#read(path, doc)
    const field: SearchField = doc.table === 'said' ? 'replies' : 'tools'
    if (read === null) return { doc, uuid: null, field, snippet: null, isLiteral: true }
    const { envelope, body } = read
    const texts = textsOf(envelope, body, () => undefined)
    const best = texts === null ? null : this.#bestField(texts)
    const { uuid } = envelope
    if (best === null) return { doc, uuid, field, snippet: null, isLiteral: true }
    const { matched, text } = best
    return { doc, uuid, field: best.field, snippet: snippetOf(text, matched), isLiteral: matched.isLiteral }
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

  #bytes(path: string, { offset, length }: Candidate): Buffer | null {
    const fd = this.#descriptor(path)
    if (fd === null) return null
    try {
      return readBytes(fd, offset, length)
    } catch {
      return null
    }
  }

  #read(path: string, doc: Candidate): { readonly envelope: Envelope; readonly body: Body } | null {
    const { offset, length } = doc
    const bytes = this.#bytes(path, doc)
    if (bytes === null) return null
    try {
      const text = decodeUtf8(bytes)
      const body = JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text) as Body
      return { envelope: envelopeOf(body, { line: 0, offset, length }, newReadState(false)), body }
    } catch {
      // The file was rewritten since it was read: the hit stands, its words cannot be shown.
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
  readonly isLiteral: boolean
}

interface FieldMatch {
  readonly field: SearchField
  readonly text: string
  readonly matched: Matched
}
