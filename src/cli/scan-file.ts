// One file → the Secrets in it, each with its line. Records are looked through as values, so that keys count; all else as
// text, in pieces of many lines, each with the end of the one before: a private key may lie over the cut.

import { closeSync } from 'node:fs'
import { decodeUtf8 } from '../base/text.ts'
import { object, text } from '../record/fields.ts'
import type { Found, Redactor } from '../redact/model.ts'
import { withoutImageBytes } from '../render/export/images.ts'
import type { FoundSecret } from '../render/scan.ts'
import { readLines } from '../source/lines.ts'
import type { Line } from '../source/model.ts'
import { isProblem, openTranscript } from '../source/open.ts'

export interface ScannedFile {
  readonly path: string
  readonly sizeBytes: number
  readonly isTranscript: boolean
}

export interface FileSecrets {
  readonly secrets: Iterable<FoundSecret>
  /** Why not all of it was looked through; asked for afterwards. */
  readonly problem: () => string | null
}

export function secretsIn(file: ScannedFile, redactor: Redactor, onProgress: (bytes: number) => void): FileSecrets {
  let problem: string | null = null
  const onProblem = (reason: string): void => {
    problem = reason
  }
  return { secrets: read(file, redactor, onProgress, onProblem), problem: () => problem }
}

function* read(
  { path, isTranscript }: ScannedFile,
  redactor: Redactor,
  onProgress: (bytes: number) => void,
  onProblem: (reason: string) => void,
): Generator<FoundSecret, void, void> {
  const opened = openTranscript(path)
  if (isProblem(opened)) {
    onProblem(opened.message)
    return
  }
  try {
    const lines = readLines(opened.fd)
    const found = isTranscript ? inRecords(lines, redactor, onProblem) : inText(lines, redactor, onProblem)
    for (const { secrets, offset } of found) {
      onProgress(offset)
      for (const secret of secrets) yield { path, ...secret }
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    onProblem(`cannot read the file: ${String(error.code)}`)
  } finally {
    closeSync(opened.fd)
  }
}

interface Progressed {
  readonly offset: number
  readonly secrets: readonly Omit<FoundSecret, 'path'>[]
}

function* inRecords(
  lines: Iterable<Line>,
  redactor: Redactor,
  onProblem: (reason: string) => void,
): Generator<Progressed, void, void> {
  for (const { number, offset, bytes } of lines) {
    if (bytes === null) {
      onProblem(`line ${number} is too long to be looked through`)
      continue
    }
    const written = decodeUtf8(bytes)
    const value = parse(written)
    // A line that is no JSON is looked through as it is written.
    const found = redactor.find(
      value === undefined ? written : written.includes('base64') ? withoutImageBytes(value) : value,
    )
    const uuid = text(object(value)?.['uuid'])
    yield { offset, secrets: grouped(found).map((one) => ({ ...one, line: number, uuid })) }
  }
}

function* inText(
  lines: Iterable<Line>,
  redactor: Redactor,
  onProblem: (reason: string) => void,
): Generator<Progressed, void, void> {
  let piece: string[] = []
  let pieceLength = 0
  let firstLine = 1
  /** How many of the lines were looked at before. */
  let seenLines = 0
  let lastOffset = 0
  const flush = (): Progressed => {
    const found = findLines(piece, seenLines, firstLine, redactor)
    const kept = piece.slice(-LINES_AGAIN)
    firstLine += piece.length - kept.length
    seenLines = kept.length
    piece = kept
    pieceLength = kept.reduce((sum, line) => sum + line.length, 0)
    return { offset: lastOffset, secrets: found }
  }
  for (const { number, offset, bytes } of lines) {
    if (bytes === null) {
      onProblem(`line ${number} is too long to be looked through`)
      piece.push('')
      continue
    }
    if (number === 1 && bytes.subarray(0, 8192).includes(0)) return
    const line = decodeUtf8(bytes)
    piece.push(line)
    pieceLength += line.length
    lastOffset = offset
    if (pieceLength > PIECE_LENGTH) yield flush()
  }
  if (piece.length > seenLines) yield flush()
}

const PIECE_LENGTH = 1 << 20
const LINES_AGAIN = 40

function findLines(
  lines: readonly string[],
  seenLines: number,
  firstLine: number,
  redactor: Redactor,
): readonly Omit<FoundSecret, 'path'>[] {
  const { findings } = redactor.text(lines.join('\n'))
  const byLine = new Map<number, Found[]>()
  let index = 0
  let lineEnd = lines[0]?.length ?? 0
  for (const finding of findings) {
    while (finding.start > lineEnd) lineEnd += 1 + (lines[++index]?.length ?? 0)
    if (index >= seenLines) byLine.set(index, [...(byLine.get(index) ?? []), finding])
  }
  return [...byLine].flatMap(([at, found]) =>
    grouped(found).map((one) => ({ ...one, line: firstLine + at, uuid: null })),
  )
}

/** The same Secret several times in one place is told once. */
function grouped(found: readonly Found[]): readonly Pick<FoundSecret, 'rule' | 'placeholder' | 'count'>[] {
  const counts = new Map<string, { rule: string; placeholder: string; count: number }>()
  for (const { rule, placeholder } of found) {
    const known = counts.get(placeholder)
    if (known === undefined) counts.set(placeholder, { rule, placeholder, count: 1 })
    else known.count++
  }
  return [...counts.values()]
}

function parse(written: string): unknown {
  try {
    return JSON.parse(written) as unknown
  } catch {
    return undefined
  }
}
