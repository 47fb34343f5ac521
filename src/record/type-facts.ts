import type { Author, Boundary, InjectionKind, Links, RecordKind, ToolResultRef, ToolUseRef, Usage } from './model.ts'

/** What the file of a record type adds to the fields that every record has. */
export interface TypeFacts {
  readonly kind: RecordKind
  readonly subtype: string | null
  readonly injection: InjectionKind | null
  readonly author: Author | null
  /** Only for dialects that have no uuids of their own. */
  readonly uuid: string | null
  readonly parentUuid: string | null
  /** Where the mark stands inside the attachment. */
  readonly isMeta: boolean
  readonly messageId: string | null
  readonly model: string | null
  readonly stopReason: string | null
  readonly blocks: readonly string[]
  readonly toolUses: readonly ToolUseRef[]
  readonly toolResults: readonly ToolResultRef[]
  readonly usage: Usage | null
  readonly boundary: Boundary | null
  readonly links: Links | null
}

export const NONE: readonly never[] = Object.freeze([])

/** An unknown type: kept whole, and in the graph if it has a uuid. */
export const NO_FACTS: TypeFacts = {
  kind: 'unknown',
  subtype: null,
  injection: null,
  author: null,
  uuid: null,
  parentUuid: null,
  isMeta: false,
  messageId: null,
  model: null,
  stopReason: null,
  blocks: NONE,
  toolUses: NONE,
  toolResults: NONE,
  usage: null,
  boundary: null,
  links: null,
}
