// A tool call opened: its input in the form that suits it, its output, its images. Reads the record of the call and that
// of its result, and nothing else.

import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Row, RowCall } from '../conversation/layout.ts'
import type { ToolPart } from '../conversation/parts.ts'
import { contentOf, resultText } from '../conversation/parts.ts'
import { readSpill } from '../load/spill.ts'
import { list, object } from '../record/fields.ts'
import type { Body } from '../record/model.ts'
import { faceOf } from '../render/export/face.ts'
import { imageBytes, imagesIn, shownKind } from '../render/export/images.ts'
import { diffLines } from '../render/export/line-diff.ts'
import type { Face, ImageContent } from '../render/export/view.ts'
import type { CallFace, CallView, ImageView } from './api/call.ts'
import { withoutFolder } from './call-change.ts'
import type { OpenReading } from './open-reading.ts'
import type { RecordBytes } from './record-bytes.ts'
import { refOf } from './record-ref.ts'
import { callLine, cut, envelopeAt, replyBlocks } from './row-views.ts'

const OUTPUT_MAX = 200_000
const INPUT_MAX = 500_000
export const SPILL_MAX = 1 << 25

export interface CallPlace {
  readonly row: Row
  readonly call: RowCall | undefined
  readonly part: ToolPart
  /** The record with the result, if there is one. */
  readonly result: Body | null
  readonly folder: string | null
  readonly spillPath: string | null
}

/** Null when the Row has no such call. */
export function findCall(reading: OpenReading, bytes: RecordBytes, row: Row, id: string): CallPlace | null {
  const body = bytes.body(reading.paths[row.record.transcript] ?? '', row.record)
  const envelope = envelopeAt(body, row.record, reading.isSubagent)
  if (body === null || envelope === null) return null
  const block = replyBlocks(row, body, envelope).find((one) => one.kind === 'tool' && one.call.id === id)
  if (block?.kind !== 'tool') return null
  const call = row.calls[envelope.toolUses.findIndex((use) => use.id === id)]
  const spot = call?.result ?? null
  const result = spot === null ? null : bytes.body(reading.paths[spot.transcript] ?? '', spot)
  const spillPath = spot === null ? null : (envelopeAt(result, spot, reading.isSubagent)?.links?.spillPath ?? null)
  return { row, call, part: block.call, result, folder: envelope.cwd, spillPath }
}

export function openedCall(place: CallPlace, sessionFolder: string | null): CallView {
  const { row, call, part, result, folder, spillPath } = place
  const outcome = result?.['toolUseResult']
  const resultRef = call?.result == null ? '' : refOf(call.result)
  return {
    line: callLine(part, call, row.ms, folder),
    face: callFace(faceOf(part.name, part.input, outcome), folder),
    output: cut(resultText(result, part.id), OUTPUT_MAX),
    images: resultImages(result, part.id).map((image, index) => imageView(image, resultRef, index)),
    spill: spillPath === null ? null : { path: spillPath, bytes: spillBytes(sessionFolder, spillPath) },
  }
}

function callFace(face: Face, folder: string | null): CallFace {
  if (face.kind === 'change') {
    const hunks = face.hunks.map(({ oldStart, newStart, before, after }) => ({
      oldStart,
      newStart,
      lines: diffLines(before, after),
    }))
    return { kind: 'change', path: withoutFolder(face.path, folder), hunks }
  }
  if (face.kind !== 'input') return face
  const json = face.value === undefined ? null : JSON.stringify(face.value, null, 2)
  return { kind: 'input', json: json === null || json.length <= INPUT_MAX ? json : `${json.slice(0, INPUT_MAX)}…` }
}

/** The images of a record, those of a result where a call is named: what /image counts. */
export function recordImages(body: Body | null): readonly ImageContent[] {
  const content = contentOf(body)
  const results = (list(content) ?? []).flatMap((value) => {
    const block = object(value)
    return block?.['type'] === 'tool_result' ? imagesIn(block['content']) : []
  })
  return [...imagesIn(content), ...results]
}

function resultImages(body: Body | null, id: string): readonly ImageContent[] {
  const isMine = (value: unknown): boolean => object(value)?.['tool_use_id'] === id
  return (list(contentOf(body)) ?? []).some(isMine) ? recordImages(body) : []
}

function imageView(image: ImageContent, ref: string, number: number): ImageView {
  return { ref, number, kind: shownKind(image), bytes: imageBytes(image) }
}

function spillBytes(sessionFolder: string | null, path: string): number | null {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
  if (sessionFolder === null || readSpill(sessionFolder, path, 1) === null) return null
  return statSync(join(sessionFolder, 'tool-results', name), { throwIfNoEntry: false })?.size ?? null
}
