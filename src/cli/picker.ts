// `clew` alone on a terminal: a list to choose from. Keys change the state, the state is drawn, and what takes longer
// (the preview, the search) is asked for beside and drawn when it is there.

import type { ReadStream, WriteStream } from 'node:tty'
import type { ListedConversation } from '../load/list.ts'
import { pickerFrame } from '../render/picker.ts'
import { geometryOf } from '../render/picker-geometry.ts'
import { widestCells } from '../render/picker-list.ts'
import type { PickerHit } from '../render/picker-view.ts'
import type { Style } from '../render/style.ts'
import type { Key } from './keys.ts'
import { openKeys } from './keys.ts'
import { openLatest } from './latest.ts'
import { isLoneResume, press } from './picker-press.ts'
import { openPreviews } from './picker-previews.ts'
import type { Picked, PickerState } from './picker-state.ts'
import { openState, searched, selectedHit, selectedRow, viewOf } from './picker-state.ts'
import { openScreen } from './screen.ts'

export interface PickerSource {
  /** Newest first. */
  readonly rows: readonly ListedConversation[]
  /** The conversation as plain text. */
  readonly preview: (row: ListedConversation) => Promise<string>
  readonly search: (query: string) => Promise<readonly PickerHit[]>
}

export interface PickerTerminal {
  readonly input: ReadStream
  readonly output: WriteStream
  readonly style: Style
  readonly nowMs: number
  readonly home: string
}

const PREVIEW_REST_MS = 60
const SEARCH_REST_MS = 180
/** Nobody who types a word rests this long behind its first letter. */
const LONE_REST_MS = 500

/** What the person at the terminal chose; null when they left. */
export function pick(source: PickerSource, terminal: PickerTerminal): Promise<Picked> {
  return new Promise((resolve, reject) => {
    const { style, nowMs, home } = terminal
    const keys = openKeys()
    const widest = widestCells(source.rows, home)
    let state = openState(source.rows, home)
    let isSettled = false
    let timer: NodeJS.Timeout | undefined
    let loneTimer: NodeJS.Timeout | undefined
    let reads = 0

    const previews = openPreviews(source, PREVIEW_REST_MS, () => guarded(draw))
    const search = openLatest(source.search, SEARCH_REST_MS, (query, answer) =>
      guarded(() => {
        state = searched(state, query, 'failed' in answer ? answer : answer.value)
        draw()
      }),
    )

    const settle = (finish: () => void): void => {
      isSettled = true
      clearTimeout(timer)
      clearTimeout(loneTimer)
      previews.close()
      search.close()
      screen.close()
      finish()
    }
    /** An error of ours must find the screen as it was, and whoever called. */
    const guarded = (act: () => void): void => {
      try {
        if (!isSettled) act()
      } catch (error) {
        settle(() => reject(error))
      }
    }

    const geometry = () => geometryOf(screen.size(), state.mode, source.rows.length)
    const preview = () =>
      previews.look(selectedRow(state), selectedHit(state), geometry()?.preview ?? null, state.scroll)
    const draw = (): void => {
      search.want(state.mode === 'search' && state.search.state === 'running' ? state.query : null)
      const view = viewOf(state, preview().shown)
      screen.draw(pickerFrame(view, { size: screen.size(), style, nowMs, home, widest }))
    }

    const pressAll = (pressed: readonly Key[]): void => {
      clearTimeout(loneTimer)
      let before: PickerState | null = null
      for (const key of pressed) {
        const { reach } = preview()
        before = isLoneResume(state, key) ? state : null
        const { state: next, wish } = press(state, key, { ...reach, page: geometry()?.page ?? 0 })
        state = next
        if (wish === 'suspend') screen.suspend()
        else if (wish === 'redraw') screen.forget()
        else if (wish !== null) {
          settle(() => resolve(wish.picked))
          return
        }
      }
      draw()
      if (before !== null) waitAlone(before)
    }
    /** `r` and nothing after it is the command; with letters after it, it was the beginning of a word. */
    const waitAlone = (before: PickerState): void => {
      const act = (): void => {
        state = before
        pressAll([{ name: 'ctrl-r' }])
      }
      loneTimer = setTimeout(() => guarded(act), LONE_REST_MS)
    }

    const read = (bytes: Uint8Array): void => {
      clearTimeout(timer)
      const number = ++reads
      pressAll(keys.push(bytes))
      const giveUp = (): void => guarded(() => (number === reads ? pressAll(keys.flush()) : undefined))
      const patienceMs = isSettled ? null : keys.patienceMs()
      // What came while something else took long is read before `setImmediate`, and only then is a key given up.
      if (patienceMs !== null) timer = setTimeout(() => setImmediate(giveUp), patienceMs)
    }

    const screen = openScreen(terminal.input, terminal.output, style.bold('x') !== 'x', {
      read: (bytes) => guarded(() => read(bytes)),
      changed: () => guarded(draw),
      gone: () => guarded(() => settle(() => resolve(null))),
    })
    guarded(draw)
  })
}
