// What the picker shows at one moment, as plain values.

import type { Range } from '../base/fold.ts'
import type { ListRow } from './list.ts'
import type { PreviewLine } from './picker-preview.ts'
import type { ScreenSize } from './piece.ts'
import type { Style } from './style.ts'

/** Where the full text of a conversation holds what was searched for. */
export interface PickerHit {
  readonly reference: string
  readonly sessionId: string
  readonly title: string
  readonly project: string
  readonly ageMs: number | null
  readonly snippet: string
  /** What to highlight in the snippet. */
  readonly marks: readonly Range[]
  readonly path: string
}

export interface PickerSearch {
  /** `idle` while there is nothing to search for. */
  readonly state: 'idle' | 'running' | 'done' | 'failed'
  /** Of the last search that has ended; while another one runs they are still there to look at. */
  readonly hits: readonly PickerHit[]
  readonly message: string
}

export interface PickerPreview {
  readonly state: 'reading' | 'ready' | 'failed'
  readonly lines: readonly PreviewLine[]
  /** The first line that is shown. */
  readonly top: number
  readonly message: string
}

export interface PickerView {
  readonly mode: 'list' | 'search'
  /** Whether letters are typed into the line on top or are commands. */
  readonly focus: 'filter' | 'list'
  readonly typed: string
  readonly matches: readonly { readonly row: ListRow }[]
  readonly total: number
  /** Which match, or in search which hit. */
  readonly selected: number
  readonly search: PickerSearch
  /** The conversation that is selected; of a hit it may be unknown. */
  readonly row: ListRow | null
  readonly preview: PickerPreview
  /** One sentence that takes the place of the keys until the next key. */
  readonly note: string | null
}

export interface PickerLayout {
  readonly size: ScreenSize
  readonly style: Style
  readonly nowMs: number
  readonly home: string
  readonly widest: WidestCells
}

/** Of all conversations, not only the visible ones: columns that jump while one types are hard to read. */
export interface WidestCells {
  readonly project: number
  readonly branch: number
}
