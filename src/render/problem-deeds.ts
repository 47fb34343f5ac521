// What Clew does about each kind of Problem, in the words of docs/problems.md; a test compares the two.

import type { ProblemCode } from '../base/problem.ts'

export const PROBLEM_DEEDS: Readonly<Record<ProblemCode, string>> = {
  'file-unreadable': 'keeps what was read before the refusal',
  'file-not-regular': 'does not open it',
  'file-changed': 'a Follower starts over at the first line',
  'folder-unreadable': 'reads the other folders',
  'sidecar-unreadable': 'goes on without it; reported with the transcript it stands beside',
  'line-too-long': 'measures it and goes on with the next line',
  'line-not-json': 'counts its bytes as a problem',
  'line-not-record': 'counts its bytes as a problem',
  'torn-record': 'reads the whole records on the same line',
  'torn-tail': 'reported by clew check when the file is older than a minute',
  'glued-records': 'reads them all',
  'stray-bytes': 'reads the record',
  'nul-run': 'reads what stands before and behind it',
  'byte-order-mark': 'reads what stands behind it',
  'utf-16': 'finds no records in it',
  crlf: 'reads them; one Problem with a count',
  'no-final-newline': 'reads it',
  'invalid-utf8': 'reads it, with U+FFFD in their place',
  'lone-surrogate': 'reads it; reported by clew check',
  'salvage-limit': 'keeps the records found so far',
  'bad-timestamp': 'reads it without a time',
  'missing-parent': 'joins it with the record before it',
  'parent-cycle': 'cuts the circle at its first record',
  'copy-differs': 'keeps both; the first one is shown',
  'boundary-without-parent': 'joins it with the record before it',
  'preserved-missing': 'leaves the kept messages where they stand',
  'unlinked-subagent': 'lists it with the conversation all the same',
  'pattern-too-slow': 'leaves the record out and goes on behind it',
}
