// The timeline: what took how long, and what ran beside what. Wheel, buttons or keys zoom, a drag moves, a click jumps.

import { useQuery } from '@tanstack/react-query'
import type { JSX, KeyboardEvent, PointerEvent } from 'react'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Timeline as TimelineAnswer } from '../../server/api/timeline.ts'
import { ask } from '../ask.ts'
import { Empty, Failed, Loading } from '../parts/states.tsx'
import type { Choice } from './address.ts'
import { apiOf } from './address.ts'
import { axisOf } from './timeline-axis.ts'
import type { Camera, Found, Scene } from './timeline-draw.ts'
import { drawScene, foundAt, sceneHeight } from './timeline-draw.ts'
import { lanesOf } from './timeline-lanes.ts'
import { durationOf, secondsOf } from './words.ts'
import './timeline.css'

interface TimelineProps {
  readonly id: string
  readonly choice: Choice
  readonly version: string
  readonly row: number
  readonly onJump: (row: number) => void
}

export function Timeline({ id, choice, version, row, onJump }: TimelineProps): JSX.Element {
  const path = apiOf(id, 'timeline', choice)
  const timeline = useQuery({
    queryKey: ['timeline', path, version],
    queryFn: ({ signal }) => ask<TimelineAnswer>(path, signal),
  })
  const scene = useMemo(() => (timeline.data === undefined ? null : sceneOf(timeline.data)), [timeline.data])
  return (
    <section className="timeline" aria-label="Timeline">
      {scene === null && timeline.error !== null ? (
        <Failed error={timeline.error} onRetry={() => void timeline.refetch()} />
      ) : scene === null ? (
        <Loading what="Laying out time" />
      ) : scene.timeline.turns.length === 0 && scene.timeline.calls.length === 0 ? (
        <Empty title="Nothing here has a time" />
      ) : (
        <Drawing scene={scene} row={row} onJump={onJump} />
      )}
    </section>
  )
}

function sceneOf(timeline: TimelineAnswer): Scene {
  return { timeline, axis: axisOf(timeline.turns, timeline.calls), lanes: lanesOf(timeline.calls) }
}

const LISTED_MAX = 300

function Drawing({
  scene,
  row,
  onJump,
}: {
  readonly scene: Scene
  readonly row: number
  readonly onJump: (row: number) => void
}): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null)
  const whole: Camera = useMemo(() => ({ from: -scene.axis.length * 0.01, length: scene.axis.length * 1.02 }), [scene])
  const [chosen, setCamera] = useState<Camera | null>(null)
  const camera = chosen ?? whole
  const [hovered, setHovered] = useState<(Found & { readonly left: number; readonly top: number }) | null>(null)
  const drag = useRef<{ readonly left: number; readonly from: number; hasMoved: boolean } | null>(null)
  const width = useWidth(canvas)

  useEffect(() => {
    void width
    const frame = requestAnimationFrame(() => {
      if (canvas.current !== null) drawScene(canvas.current, scene, camera, row)
    })
    return () => cancelAnimationFrame(frame)
  }, [scene, camera, row, width])

  const zoom = (factor: number, at = 0.5): void => {
    const length = Math.min(whole.length, Math.max(2_000, camera.length * factor))
    setCamera(within({ from: camera.from + (camera.length - length) * at, length }, whole))
  }
  const pan = (share: number): void =>
    setCamera(within({ ...camera, from: camera.from + camera.length * share }, whole))

  // React listens to wheels passively, and the page would scroll with it.
  const wheel = useRef(zoom)
  wheel.current = zoom
  useEffect(() => {
    const element = canvas.current
    const turn = (turned: WheelEvent): void => {
      turned.preventDefault()
      wheel.current(turned.deltaY > 0 ? 1.25 : 0.8, turned.offsetX / (element?.clientWidth ?? 1))
    }
    element?.addEventListener('wheel', turn, { passive: false })
    return () => element?.removeEventListener('wheel', turn)
  }, [])

  const press = (pressed: KeyboardEvent): void => {
    const run = new Map([
      ['+', () => zoom(0.7)],
      ['=', () => zoom(0.7)],
      ['-', () => zoom(1.4)],
      ['0', () => setCamera(null)],
      ['ArrowLeft', () => pan(-0.2)],
      ['ArrowRight', () => pan(0.2)],
    ]).get(pressed.key)
    if (run === undefined) return
    pressed.preventDefault()
    run()
  }
  const placeOf = (moved: PointerEvent): readonly [number, number] => {
    const box = moved.currentTarget.getBoundingClientRect()
    return [moved.clientX - box.left, moved.clientY - box.top]
  }
  return (
    <>
      <div className="timeline-tools">
        <span>
          {scene.timeline.startedMs !== null && scene.timeline.endedMs !== null
            ? `${durationOf(scene.timeline.endedMs - scene.timeline.startedMs)} from first to last`
            : 'Timeline'}
        </span>
        <button type="button" aria-label="Zoom in" onClick={() => zoom(0.7)}>
          +
        </button>
        <button type="button" aria-label="Zoom out" onClick={() => zoom(1.4)}>
          −
        </button>
        <button type="button" onClick={() => setCamera(null)}>
          All
        </button>
      </div>
      <div className="timeline-canvas">
        <canvas
          ref={canvas}
          style={{ height: sceneHeight(scene) }}
          tabIndex={0}
          role="img"
          aria-label="Turns and tool calls over time; the list of turns below says the same. Plus and minus zoom, arrows move."
          onKeyDown={press}
          onPointerDown={(pressed) => {
            pressed.currentTarget.setPointerCapture(pressed.pointerId)
            drag.current = { left: placeOf(pressed)[0], from: camera.from, hasMoved: false }
          }}
          onPointerMove={(moved) => {
            const [left, top] = placeOf(moved)
            const held = drag.current
            if (held !== null && Math.abs(left - held.left) > 3) {
              held.hasMoved = true
              setCamera(within({ ...camera, from: held.from - ((left - held.left) / width) * camera.length }, whole))
            }
            const found = foundAt(scene, camera, width, left, top)
            setHovered(found === null ? null : { ...found, left, top })
          }}
          onPointerUp={(left) => {
            const hasMoved = drag.current?.hasMoved ?? false
            drag.current = null
            const found = hasMoved ? null : foundAt(scene, camera, width, ...placeOf(left))
            if (found !== null && found.row !== null) onJump(found.row)
          }}
          onPointerLeave={() => setHovered(null)}
        />
        {hovered === null ? null : (
          <p className="timeline-hover" style={{ left: Math.min(hovered.left, width - 260), top: hovered.top + 16 }}>
            {hovered.text}
          </p>
        )}
      </div>
      <table className="unseen">
        <caption>Turns by time</caption>
        <tbody>
          {scene.timeline.turns.slice(0, LISTED_MAX).map((turn) => (
            <tr key={turn.row}>
              <th scope="row">Turn {turn.number}</th>
              <td>{secondsOf(turn.startedMs)}</td>
              <td>{durationOf(turn.endedMs - turn.startedMs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

function within(camera: Camera, whole: Camera): Camera {
  const from = Math.max(whole.from, Math.min(camera.from, whole.from + whole.length - camera.length))
  return { from, length: camera.length }
}

function useWidth(canvas: { readonly current: HTMLCanvasElement | null }): number {
  const [width, setWidth] = useState(1)
  useEffect(() => {
    const element = canvas.current
    if (element === null) return
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [canvas])
  return width
}
