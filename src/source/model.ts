// Where Claude Code keeps its files, as values. Types only: the pure core reads them too.

/** One physical line, split on 0x0A only. `bytes` leaves out the line end and is valid only until the next line is read. */
export interface Line {
  /** From 1. */
  readonly number: number
  readonly offset: number
  /** With the line end. */
  readonly length: number
  /** Null when the line is longer than a string can be: it was measured, not kept. */
  readonly bytes: Uint8Array | null
  /** False for the last line of a file that does not end in a line end. */
  readonly ended: boolean
}

export type TranscriptRole = 'main' | 'subagent'

/** One `.jsonl` file as it was found; nothing of its content has been read. */
export interface TranscriptFile {
  readonly path: string
  readonly role: TranscriptRole
  /** Named by the file or by the folder it lies in. For a flat 2.0.x agent file only its records know: then null. */
  readonly sessionId: string | null
  readonly agentId: string | null
  /** The `wf_…` folder of a workflow agent. */
  readonly workflowId: string | null
  /** The folder under `projects/`; a lossy encoding of a path, never to be decoded. */
  readonly projectKey: string
  /** `<session>/` beside the transcript: subagents, spilled tool output, titles. Null when there is none. */
  readonly sessionFolder: string | null
  readonly sizeBytes: number
  readonly modifiedMs: number
  /** When anything about it was last changed, its time included: nobody can set this one back. */
  readonly changedMs: number
  /** Device, inode and birth time: what tells this file from the next one with the same name. */
  readonly identity: string
}

/** `agent-<id>.meta.json`, as far as we know its keys. */
export interface AgentMeta {
  readonly agentType: string | null
  readonly description: string | null
  readonly toolUseId: string | null
  readonly parentAgentId: string | null
  readonly spawnDepth: number | null
}

/** Many lines at once, in a room that somebody gave. */
export interface LineWindow {
  /** From where to where the room holds whole lines. */
  readonly start: number
  readonly end: number
  /** Of the first one: where it begins in the file, and its number. */
  readonly offset: number
  readonly number: number
  /** Set by whoever reads them. */
  lineCount: number
}
