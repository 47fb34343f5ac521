// One file → its hits, in the order of its lines. Whatever is wrong with the file is a Problem, and the rest is searched.

import { closeSync } from 'node:fs'
import type { Problem } from '../base/problem.ts'
import { problem } from '../base/problem.ts'
import { refusal } from '../source/discover.ts'
import type { LineStart } from '../source/lines.ts'
import { newWindow } from '../source/lines.ts'
import type { Line } from '../source/model.ts'
import type { OpenFile } from '../source/open.ts'
import { isProblem, openTranscript } from '../source/open.ts'
import { matchLine, matchLongLine } from './scan-line.ts'
import { candidateLines, WINDOW_BYTES } from './scan-lines.ts'
import type { ScanHit, ScanPattern, ScanTarget } from './scan-model.ts'
import type { Matcher } from './scan-pattern.ts'
import { compilePattern } from './scan-pattern.ts'
import type { Prefilter } from './scan-prefilter.ts'
import { prefilterOf } from './scan-prefilter.ts'
import { matchSpill } from './scan-spill.ts'

/** A pattern made ready, once for each thread. */
export interface Search {
  readonly matcher: Matcher
  readonly prefilter: Prefilter
  readonly window: Buffer
}

export function openSearch(pattern: ScanPattern): Search {
  return { matcher: compilePattern(pattern), prefilter: prefilterOf(pattern), window: newWindow(WINDOW_BYTES) }
}

/** Told before and after each line that is matched. `begin` may say no: then the line is left out. */
export interface Watch {
  readonly begin: (place: Pick<Line, 'number' | 'offset' | 'length'>) => boolean
  readonly end: () => void
}

const UNWATCHED: Watch = { begin: () => true, end: () => undefined }

export type Finding = { readonly hit: ScanHit } | { readonly problem: Problem }

export function* scanFile(
  target: ScanTarget,
  search: Search,
  watch: Watch = UNWATCHED,
  from: LineStart = { offset: 0, number: 1 },
): Generator<Finding, void, void> {
  const opened = openTranscript(target.path)
  if (isProblem(opened)) {
    yield { problem: opened }
    return
  }
  try {
    yield* target.isSpill
      ? scanSpill(target, opened, search, watch, from)
      : scanLines(target, opened, search, watch, from)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    const position = { path: target.path, line: 0, offset: 0, length: 0 }
    yield { problem: problem('file-unreadable', position, refusal('cannot read the file', error)) }
  } finally {
    closeSync(opened.fd)
  }
}

function* scanLines(
  { path }: ScanTarget,
  { fd }: OpenFile,
  { matcher, prefilter, window }: Search,
  watch: Watch,
  from: LineStart,
): Generator<Finding, void, void> {
  for (const line of candidateLines(fd, prefilter, window, from)) {
    if (!watch.begin(line)) continue
    const hits =
      line.bytes === null ? matchLongLine(path, fd, line, matcher) : matchLine(path, line, line.bytes, matcher)
    watch.end()
    for (const hit of hits) yield { hit }
    if (line.bytes !== null) continue
    const { number, offset, length } = line
    const message = 'the line is longer than a string can be; it was searched as bytes'
    yield { problem: problem('line-too-long', { path, line: number, offset, length }, message) }
  }
}

/** A match may begin on one line and end on another, so a Spill is one text. */
function* scanSpill(
  { path }: ScanTarget,
  { fd, sizeBytes }: OpenFile,
  { matcher, prefilter, window }: Search,
  watch: Watch,
  from: LineStart,
): Generator<Finding, void, void> {
  const [candidate] = candidateLines(fd, prefilter, window, from)
  if (candidate === undefined || !watch.begin({ number: 1, offset: 0, length: sizeBytes })) return
  try {
    for (const hit of matchSpill(path, fd, sizeBytes, matcher)) yield { hit }
  } finally {
    watch.end()
  }
}
