// The one table of everything that can be wrong with what we read. Reading never throws because a transcript is odd;
// it returns a value and its Problems. Every loss has a name and a severity here, so that it can be counted and shown.

export type Severity = 'info' | 'error' | 'data-loss'

/** Where in a file: the path, the line number (from 1), the byte offset and the byte length. */
export interface Position {
  readonly path: string
  readonly line: number
  readonly offset: number
  readonly length: number
}

export interface Problem {
  readonly code: ProblemCode
  readonly severity: Severity
  readonly message: string
  readonly position: Position | null
  /** How often it was met, when one Problem stands for many (CRLF line ends). */
  readonly count: number
}

export const PROBLEMS = {
  'file-unreadable': ['error', 'the operating system refuses to open or read the file'],
  'file-not-regular': ['error', 'a FIFO, device, socket, link or directory where a transcript is expected'],
  'file-changed': ['info', 'the file was truncated or replaced while it was read'],
  'folder-unreadable': ['error', 'the operating system refuses to list a folder'],
  'sidecar-unreadable': ['info', 'a small JSON file beside a transcript cannot be read or is not JSON'],
  'line-too-long': ['data-loss', 'the line is longer than a string can be, so it cannot be parsed'],
  'line-not-json': ['data-loss', 'the line is not JSON and no record could be recovered from it'],
  'line-not-record': ['error', 'the line is JSON but not an object'],
  'torn-record': ['data-loss', 'a record was cut off; the part that is left cannot be read'],
  'torn-tail': ['data-loss', 'the last line was cut off and the file no longer grows'],
  'glued-records': ['info', 'several records stand on one line; all of them were read'],
  'stray-bytes': ['error', 'bytes that belong to no record stand on the same line as a record'],
  'nul-run': ['error', 'a run of NUL bytes, as left behind by a crash of the machine'],
  'byte-order-mark': ['info', 'the file starts with a byte order mark'],
  'utf-16': ['data-loss', 'the file is UTF-16, which no client writes'],
  crlf: ['info', 'lines end in CR LF'],
  'no-final-newline': ['info', 'the last record has no line end'],
  'invalid-utf8': ['error', 'bytes that are not UTF-8 stand inside a record'],
  'lone-surrogate': ['info', 'a text holds half of a surrogate pair, which the API refuses'],
  'salvage-limit': ['data-loss', 'the line is damaged in so many places that the search for records was given up'],
  'bad-timestamp': ['info', 'the timestamp of a record is not a time'],
  'missing-parent': ['error', 'a record names a parent that was never written'],
  'parent-cycle': ['error', 'the parents of a record lead back to itself'],
  'copy-differs': ['info', 'a record was written again with the same uuid but other content'],
  'boundary-without-parent': ['info', 'a compaction names a record that is not there; the one before it was taken'],
  'preserved-missing': ['info', 'a compaction names a kept message that is not in the file'],
  'unlinked-subagent': ['info', 'a subagent transcript that no tool call refers to'],
  'pattern-too-slow': ['error', 'a search pattern takes too long on a record, which was left out'],
} as const satisfies Record<string, readonly [Severity, string]>

export type ProblemCode = keyof typeof PROBLEMS

export function problem(code: ProblemCode, position: Position | null, message?: string, count = 1): Problem {
  const [severity, meaning] = PROBLEMS[code]
  return { code, severity, message: message ?? meaning, position, count }
}

/** Whether it leaves bytes of a line without a record. */
export function isUnread({ code, severity }: Pick<Problem, 'code' | 'severity'>): boolean {
  return severity === 'data-loss' || code === 'line-not-record' || code === 'nul-run' || code === 'stray-bytes'
}
