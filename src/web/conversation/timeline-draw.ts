// Draws the timeline onto a canvas, and says what is at a place of it. Colours come from the style sheet.

import type { Span, Timeline } from '../../server/api/timeline.ts'
import type { Axis } from './timeline-axis.ts'
import type { Lane } from './timeline-lanes.ts'
import { dayOf, durationOf, secondsOf, timeOf } from './words.ts'

export interface Scene {
  readonly timeline: Timeline
  readonly axis: Axis
  readonly lanes: readonly Lane[]
}

/** What part of the line is seen. */
export interface Camera {
  readonly from: number
  readonly length: number
}

export const TOP = 22
const BAND = 18
const LANE = 14
const LANE_GAP = 3

export interface Found {
  /** Null where there is nothing to go to. */
  readonly row: number | null
  readonly text: string
}

export function sceneHeight({ lanes }: Scene): number {
  return TOP + BAND + 6 + Math.max(1, lanes.length) * (LANE + LANE_GAP) + 8
}

export function drawScene(canvas: HTMLCanvasElement, scene: Scene, camera: Camera, currentRow: number): void {
  const pen = canvas.getContext('2d')
  if (pen === null) return
  const ratio = window.devicePixelRatio || 1
  const { clientWidth: width, clientHeight: height } = canvas
  canvas.width = Math.round(width * ratio)
  canvas.height = Math.round(height * ratio)
  pen.scale(ratio, ratio)
  const style = getComputedStyle(canvas)
  const colour = (name: string): string => style.getPropertyValue(name).trim()
  const x = (ms: number): number => ((scene.axis.placeOf(ms) - camera.from) / camera.length) * width
  pen.clearRect(0, 0, width, height)
  pen.font = `11px ${style.fontFamily}`
  pen.textBaseline = 'middle'

  drawGaps(pen, scene, x, height, colour)
  drawTicks(pen, scene, camera, width, height, colour)
  const { turns, boundaries } = scene.timeline
  turns.forEach((turn, place) => {
    const [left, right] = [x(turn.startedMs), x(turn.endedMs)]
    if (right < 0 || left > width) return
    const next = turns[place + 1]?.row ?? Number.POSITIVE_INFINITY
    const isCurrent = turn.row <= currentRow && currentRow < next
    const wide = Math.max(1.5, right - left - 1)
    pen.fillStyle = colour(isCurrent ? '--thread' : place % 2 === 0 ? '--strong-line' : '--line')
    pen.fillRect(left, TOP, wide, BAND)
    if (wide > 24) {
      pen.fillStyle = colour(isCurrent ? '--raised' : '--ink')
      pen.fillText(String(turn.number), Math.max(left, 0) + 5, TOP + BAND / 2 + 0.5)
    }
  })
  scene.lanes.forEach(({ spans, owner }, lane) => {
    const top = laneTop(lane)
    for (const span of spans) {
      const [left, right] = [x(span.startedMs), x(span.endedMs)]
      if (right < -1 || left > width) continue
      const wide = Math.max(2, right - left)
      pen.fillStyle = colour(spanColour(span, owner))
      pen.fillRect(left, top, wide, LANE)
      // On paper the fills are pale: the lower edge says the kind as well.
      pen.fillStyle = colour(span.agentId !== null ? '--warn' : owner === null ? '--good' : '--thread')
      pen.fillRect(left, top + LANE - 2, wide, 2)
      if (span.status === 'error' || span.status === 'denied') {
        pen.fillStyle = colour('--bad')
        pen.fillRect(left, top, Math.min(3, wide), LANE)
      }
      if (wide > 40) {
        pen.save()
        pen.beginPath()
        pen.rect(left, top, wide, LANE)
        pen.clip()
        pen.fillStyle = colour('--ink')
        pen.fillText(`${span.name} ${span.title}`, Math.max(left, 0) + 5, top + LANE / 2 + 0.5)
        pen.restore()
      }
    }
  })
  pen.fillStyle = colour('--thread')
  for (const { ms } of boundaries) pen.fillRect(x(ms) - 1, TOP - 4, 2, height - TOP)
}

function laneTop(lane: number): number {
  return TOP + BAND + 6 + lane * (LANE + LANE_GAP)
}

function spanColour(span: Span, owner: string | null): string {
  if (span.status === 'error' || span.status === 'denied') return '--removed'
  if (span.agentId !== null) return '--mark'
  return owner === null ? '--added' : '--thread-soft'
}

function drawGaps(
  pen: CanvasRenderingContext2D,
  { axis }: Scene,
  x: (ms: number) => number,
  height: number,
  colour: (name: string) => string,
): void {
  for (const { fromMs, toMs } of axis.gaps) {
    const [left, right] = [x(fromMs), x(toMs)]
    pen.fillStyle = colour('--sunken')
    pen.fillRect(left, TOP - 4, right - left, height)
    pen.strokeStyle = colour('--strong-line')
    pen.setLineDash([3, 3])
    pen.strokeRect(left, TOP - 4, right - left, height)
    pen.setLineDash([])
    const words = durationOf(toMs - fromMs)
    if (right - left > pen.measureText(words).width + 6) {
      pen.fillStyle = colour('--soft')
      pen.fillText(words, (left + right - pen.measureText(words).width) / 2, height - 10)
    }
  }
}

function drawTicks(
  pen: CanvasRenderingContext2D,
  { axis }: Scene,
  camera: Camera,
  width: number,
  height: number,
  colour: (name: string) => string,
): void {
  const count = Math.max(2, Math.floor(width / 120))
  let day = ''
  for (let tick = 0; tick <= count; tick++) {
    const ms = axis.msOf(camera.from + (camera.length * tick) / count)
    const left = (width * tick) / count
    pen.fillStyle = colour('--line')
    pen.fillRect(left, 14, 1, height)
    const today = dayOf(ms)
    const time = camera.length / count < 60_000 ? secondsOf(ms) : timeOf(ms)
    pen.fillStyle = colour('--soft')
    if (tick < count) pen.fillText(today === day ? time : `${today.replace(/ \d{4}$/, '')} ${time}`, left + 3, 8)
    day = today
  }
}

/** The call or the Turn at a place of the canvas. */
export function foundAt(scene: Scene, camera: Camera, width: number, left: number, top: number): Found | null {
  const perPixel = camera.length / width
  const place = camera.from + left * perPixel
  const hits = (startedMs: number, endedMs: number): boolean =>
    scene.axis.placeOf(startedMs) - 2 * perPixel <= place && place <= scene.axis.placeOf(endedMs) + 2 * perPixel
  if (top >= TOP && top < TOP + BAND) {
    const turn = scene.timeline.turns.find(({ startedMs, endedMs }) => hits(startedMs, endedMs))
    if (turn === undefined) return null
    const text = `Turn ${turn.number} · ${secondsOf(turn.startedMs)} · ${durationOf(turn.endedMs - turn.startedMs)}`
    return { row: turn.row, text }
  }
  const gap = scene.axis.gaps.find(({ fromMs, toMs }) => hits(fromMs, toMs))
  const lane = Math.floor((top - laneTop(0)) / (LANE + LANE_GAP))
  const span = scene.lanes[lane]?.spans.findLast(({ startedMs, endedMs }) => hits(startedMs, endedMs))
  if (span === undefined) {
    return gap === undefined ? null : { row: null, text: `Nothing happened for ${durationOf(gap.toMs - gap.fromMs)}` }
  }
  const status = span.status === 'ok' ? '' : ` · ${span.status}`
  const text = `${span.name} ${span.title} · ${secondsOf(span.startedMs)} · ${durationOf(span.endedMs - span.startedMs)}${status}`
  return { row: span.row, text }
}
