// What stands in a conversation, Row by Row.

/** GET /api/conversations/:id/rows?from=N&count=N. May hold fewer than asked for when they are long. */
export interface RowWindow {
  readonly version: string
  readonly total: number
  readonly from: number
  readonly rows: readonly RowView[]
}

interface RowPlace {
  readonly row: number
  readonly turn: number
  /** The first Row of its Turn. */
  readonly opensTurn: boolean
  /** Leads to the record: /record, /text, /call, /image and /markdown take it. */
  readonly ref: string
  readonly uuid: string | null
  readonly line: number
  readonly ms: number | null
}

export type RowView = RowPlace &
  (
    | { readonly kind: 'prompt'; readonly text: Text; readonly images: number; readonly isQueued: boolean }
    | {
        readonly kind: 'reply'
        readonly messageId: string
        readonly model: string | null
        /** The first record of its Reply: the only one that needs to say who speaks. */
        readonly opensReply: boolean
        readonly blocks: readonly BlockView[]
        readonly usage: TokenCount | null
      }
    | { readonly kind: 'result'; readonly text: Text }
    /** What the client wrote: muted, labelled System. */
    | { readonly kind: 'system'; readonly label: string; readonly text: Text }
    | { readonly kind: 'recap'; readonly text: Text }
    | {
        readonly kind: 'boundary'
        readonly isMicro: boolean
        readonly trigger: string | null
        readonly preTokens: number | null
        readonly postTokens: number | null
        readonly tokensSaved: number | null
        /** Where the record of the compaction holds it. */
        readonly recap: Text | null
      }
    /** Records nobody reads (progress, attachments), as one Row. */
    | { readonly kind: 'quiet'; readonly records: readonly QuietRecord[] }
    | { readonly kind: 'unknown'; readonly type: string }
    /** Too large to be sent along; /row?row=N brings it alone. */
    | { readonly kind: 'heavy'; readonly what: string; readonly bytes: number }
  )

export interface QuietRecord {
  readonly ref: string
  readonly label: string
}

/** A text, or how it begins: /text?ref=REF&block=N brings the whole of it, /text?ref=RESULT&call=ID that of an output. */
export interface Text {
  readonly text: string
  /** How long the whole of it is, in UTF-16 units. */
  readonly length: number
  readonly isCut: boolean
}

export type BlockView =
  | { readonly kind: 'text'; readonly block: number; readonly text: Text }
  | { readonly kind: 'thinking'; readonly block: number; readonly text: Text; readonly isStored: boolean }
  | { readonly kind: 'call'; readonly block: number; readonly call: CallLine }
  | { readonly kind: 'other'; readonly block: number; readonly type: string }

export type CallStatus = 'pending' | 'ok' | 'error' | 'denied' | 'interrupted'

export interface CallLine {
  readonly id: string
  readonly name: string
  readonly title: string
  readonly status: CallStatus
  readonly agentId: string | null
  readonly resultRef: string | null
  readonly resultBytes: number
  readonly durationMs: number | null
  readonly changed: { readonly path: string; readonly added: number; readonly removed: number } | null
  readonly hasSpill: boolean
}

export interface TokenCount {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadTokens: number
  readonly cacheWriteTokens: number
}
