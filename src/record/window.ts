// Many lines at once, by the scanner: what it is sure of becomes an Envelope from its sketch, all else is read the exact way.

import { isValidUtf8 } from '../base/text.ts'
import type { Line, LineWindow } from '../source/model.ts'
import type { Envelope } from './model.ts'
import * as layout from './scan-layout.ts'
import type { Scanner } from './scanner.ts'
import { Sketch } from './sketch.ts'
import { envelopeOfSketch } from './sketch-envelope.ts'
import type { Reader } from './transcript.ts'
import { addLine } from './transcript.ts'

/** Called for each record that the scanner read, instead of `visit`: there is no Body. The sketch is valid until it returns. */
export type VisitSketch = (envelope: Envelope, sketch: Sketch) => void

/** The lines are in the scanner's input. Who wants to see Bodies and no sketches sees those of the kinds below. */
export function addWindow(reader: Reader, scanner: Scanner, window: LineWindow, visitSketch?: VisitSketch): void {
  const { account, envelopes, state } = reader
  const wantsBodies = reader.visit !== undefined && visitSketch === undefined
  const onSketch: OnSketch = (sketch, line, offset, length) => {
    if (wantsBodies && BODIED.has(sketch.number(layout.SKETCH_KIND))) {
      const start = sketch.number(layout.SKETCH_START)
      addLine(reader, {
        number: line,
        offset,
        length,
        bytes: scanner.input.subarray(start, start + length - 1),
        ended: true,
      })
      return
    }
    const envelope = envelopeOfSketch(sketch, line, offset, length, state)
    account.sizeBytes += length
    account.records += length
    envelopes.push(envelope)
    visitSketch?.(envelope, sketch)
  }
  scanWindow(scanner, window, onSketch, (line) => addLine(reader, line))
}

const BODIED: ReadonlySet<number> = new Set([layout.PROMPT, layout.METADATA, layout.SNAPSHOT, layout.ATTACHMENT])

/** With the number of its line, where that begins in the file, and its length. */
export type OnSketch = (sketch: Sketch, line: number, offset: number, length: number) => void

/** Each line in order: as a sketch, or as it is when the scanner is not sure of it. */
export function scanWindow(
  scanner: Scanner,
  window: LineWindow,
  onSketch: OnSketch,
  onLine: (line: Line) => void,
): void {
  const sketch = sketchOf(scanner)
  let { number } = window
  for (let at = window.start; at < window.end; at = scanner.scanned()) {
    const count = scanner.scan(at, window.end)
    sketch.refresh()
    for (let index = 0; index < count; index++) {
      sketch.move(index)
      const start = sketch.number(layout.SKETCH_START)
      const end = sketch.number(layout.SKETCH_END)
      const offset = window.offset + start - window.start
      const length = end + 1 - start
      if (sketch.number(layout.SKETCH_KIND) !== layout.NOT_SURE && !isDamaged(sketch, scanner.input, start, end))
        onSketch(sketch, number, offset, length)
      else onLine({ number, offset, length, bytes: scanner.input.subarray(start, end), ended: true })
      number++
    }
  }
  window.lineCount = number - window.number
}

const SKETCHES = new WeakMap<Scanner, Sketch>()

function sketchOf(scanner: Scanner): Sketch {
  const known = SKETCHES.get(scanner)
  if (known !== undefined) return known
  const sketch = new Sketch(scanner)
  SKETCHES.set(scanner, sketch)
  return sketch
}

/** Bytes that are not UTF-8 are for the exact way to report. */
function isDamaged(sketch: Sketch, input: Uint8Array, start: number, end: number): boolean {
  return sketch.hasFlag(layout.FLAG_OTHER_THAN_ASCII) && !isValidUtf8(input.subarray(start, end))
}
