// What the records tell about files, and what comes of it. A Deed is one thing that happened to a file; a Version is what
// the file was at that moment, as far as anybody saw. What nobody saw is said to be unknown and never filled in.

/** Where a Deed stands in the records. */
export interface DeedPlace {
  readonly sessionId: string
  /** The subagent that did it; null for the conversation itself. */
  readonly agentId: string | null
  readonly transcriptPath: string
  /** Of the record that tells it. */
  readonly offset: number
  readonly uuid: string | null
  /** Of the call; copies of a record in other files keep it. */
  readonly callId: string | null
  readonly timeMs: number | null
  readonly tool: string
}

export interface TextEdit {
  readonly oldText: string
  readonly newText: string
  readonly isEverywhere: boolean
}

/** A hunk of the patch that the client keeps. It turns leading tabs into spaces, so it checks texts and is no source. */
export interface Hunk {
  readonly oldStart: number
  readonly oldLines: number
  readonly newStart: number
  readonly newLines: number
  readonly lines: readonly string[]
}

/** Lines of a file that were seen; null where one was cut. */
export interface SeenLines {
  /** From 1. */
  readonly start: number
  readonly lines: readonly (string | null)[]
  /** How many lines the file has, a last empty one counted; null when that was not said. */
  readonly total: number | null
}

export type Deed =
  | {
      readonly kind: 'write'
      readonly path: string
      readonly before: string | null
      readonly text: string
      readonly isNew: boolean
    }
  | {
      readonly kind: 'edit'
      readonly path: string
      readonly before: string | null
      readonly edits: readonly TextEdit[]
      readonly patch: readonly Hunk[]
      /** The client says that somebody else had changed the file since it was read. */
      readonly isStale: boolean
    }
  | { readonly kind: 'read'; readonly path: string; readonly seen: SeenLines }
  | { readonly kind: 'append'; readonly path: string; readonly text: string }
  /** The bytes the file had; null when it was not there. */
  | { readonly kind: 'backup'; readonly path: string; readonly bytes: Uint8Array | null }
  | { readonly kind: 'remove'; readonly path: string }
  | {
      readonly kind: 'move'
      readonly from: string
      readonly to: string
      readonly isCopy: boolean
      /** Behind the name stands a slash, so it is a folder. */
      readonly isInto: boolean
    }
  /** It has changed, and nothing tells into what. */
  | { readonly kind: 'change'; readonly path: string }
  /** A shell command that may have changed files with these names or, where it is sweeping, any below the folder. */
  | {
      readonly kind: 'unclear'
      readonly folder: string
      readonly names: readonly string[]
      readonly isSweeping: boolean
    }

export interface PlacedDeed {
  readonly deed: Deed
  readonly place: DeedPlace
}

export type Content =
  | {
      readonly kind: 'text'
      readonly text: string
      /** The client shows all line ends as \n and no byte order mark: what was only shown that way is assumed. */
      readonly lineEnds: 'seen' | 'assumed'
      /** Why it may be wrong all the same. */
      readonly doubt: string | null
    }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | {
      readonly kind: 'parts'
      /** By line; null for what nobody saw. */
      readonly lines: readonly (string | null)[]
      /** There may be more lines behind the last. */
      readonly isOpen: boolean
      /** In how many looks the lines were seen. In between, others may have changed. */
      readonly moments: number
    }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'absent' }

/**
 * `exact`: every byte. `text`: every line; line ends are assumed. `doubtful`: every line, but something may have changed
 * in between. `partial`: some lines. `unknown`: nothing. `absent`: there was no file.
 */
export type Certainty = 'exact' | 'text' | 'doubtful' | 'partial' | 'unknown' | 'absent'

export type VersionCause =
  | 'created'
  | 'written'
  | 'edited'
  | 'appended'
  | 'read'
  | 'before'
  | 'outside'
  | 'backup'
  | 'deleted'
  | 'moved'
  | 'copied'
  | 'changed'

export interface Version {
  readonly path: string
  /** From 1, within the file. */
  readonly number: number
  readonly cause: VersionCause
  readonly content: Content
  readonly place: DeedPlace
  /** The path it had before, for what was moved or copied; the folder, for what was deleted with one. */
  readonly from: string | null
  /** Lines that the call itself put there, known even where the rest of the file is not. */
  readonly wrote: readonly string[]
}

export interface FileHistory {
  readonly path: string
  readonly versions: readonly Version[]
  /** A shell command after the last Version with content that may have changed the file. */
  readonly later: DeedPlace | null
}
