// The previews that have been read, and the one that is wanted. They are kept as text and wrapped for the screen of the
// moment.

import type { ListedConversation } from '../load/list.ts'
import type { PreviewArea } from '../render/picker-geometry.ts'
import type { PreviewLine } from '../render/picker-preview.ts'
import { lineOfHit, previewLines } from '../render/picker-preview.ts'
import type { PickerHit, PickerPreview } from '../render/picker-view.ts'
import type { Answer } from './latest.ts'
import { openLatest } from './latest.ts'
import type { Reach } from './picker-press.ts'

export interface Previews {
  /** What to show of a conversation or a hit now; what is not there yet is asked for. */
  readonly look: (
    row: ListedConversation | null,
    hit: PickerHit | null,
    area: PreviewArea | null,
    scroll: number,
  ) => Looked
  readonly close: () => void
}

export interface Looked {
  readonly shown: PickerPreview
  readonly reach: Omit<Reach, 'page'>
}

interface Wrapped {
  readonly text: string
  readonly columns: number
  readonly hit: PickerHit | null
  readonly lines: readonly PreviewLine[]
  /** Where the preview begins before anybody moves it. */
  readonly start: number
}

const KEPT_MAX = 50

export function openPreviews(
  source: {
    readonly rows: readonly ListedConversation[]
    readonly preview: (row: ListedConversation) => Promise<string>
  },
  restMs: number,
  arrived: () => void,
): Previews {
  const kept = new Map<string, Answer<string>>()
  let wrapped: Wrapped | null = null

  const latest = openLatest(
    async (path: string) => {
      const row = source.rows.find((one) => one.path === path)
      return row === undefined ? '' : source.preview(row)
    },
    restMs,
    (path, answer) => {
      kept.set(path, answer)
      for (const oldest of [...kept.keys()].slice(0, -KEPT_MAX)) kept.delete(oldest)
      arrived()
    },
  )

  const wrap = (text: string, columns: number, hit: PickerHit | null): Wrapped => {
    if (wrapped?.text === text && wrapped.columns === columns && wrapped.hit === hit) return wrapped
    const lines = previewLines(text, columns)
    // One line before it, for the sake of what it belongs to.
    const start = hit === null ? 0 : Math.max(0, lineOfHit(lines, hit) - 1)
    wrapped = { text, columns, hit, lines, start }
    return wrapped
  }

  return {
    look: (row, hit, area, scroll) => {
      const answer = row === null ? { value: hit?.snippet ?? '' } : kept.get(row.path)
      const isWanted = row !== null && answer === undefined && area !== null
      latest.want(isWanted ? row.path : null)
      if (area === null || answer === undefined) return looked('reading', [], '', NO_REACH, 0)
      if ('failed' in answer) return looked('failed', [], answer.failed, NO_REACH, 0)
      const { lines, start } = wrap(answer.value, area.columns, hit)
      const last = Math.max(0, lines.length - area.textRows)
      const first = Math.min(start, last)
      const reach = { previewRows: area.textRows, scrollMin: 0 - first, scrollMax: last - first }
      return looked('ready', lines, '', reach, Math.max(0, Math.min(last, first + scroll)))
    },
    close: latest.close,
  }
}

const NO_REACH: Looked['reach'] = { previewRows: 0, scrollMin: 0, scrollMax: 0 }

function looked(
  state: PickerPreview['state'],
  lines: readonly PreviewLine[],
  message: string,
  reach: Looked['reach'],
  top: number,
): Looked {
  return { shown: { state, lines, top, message }, reach }
}
