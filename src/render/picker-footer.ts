// The last line tells the keys that do something now.

import type { PickerView } from './picker-view.ts'
import type { Style } from './style.ts'
import { safeLine } from './terminal.ts'
import { cutTo, widthOf } from './width.ts'

type Hint = readonly [key: string, what: string]

/** As many keys as fit: those that come first, and always the way out, which stands last. */
export function footerText(view: PickerView, columns: number, style: Style): string {
  if (view.note !== null) return style.note(cutTo(safeLine(view.note), columns))
  const way = wayOut(view)
  let used = widthOf(way.join(' '))
  const shown: Hint[] = []
  for (const hint of hintsFor(view)) {
    used += widthOf(hint.join(' ')) + GAP.length
    if (used > columns) break
    shown.push(hint)
  }
  return [...shown, way].map(([key, what]) => `${style.bold(key)} ${style.dim(what)}`).join(GAP)
}

const GAP = '   '

function hintsFor(view: PickerView): readonly Hint[] {
  const isList = view.focus === 'list'
  const focus: Hint = isList ? ['Tab', 'type'] : ['Tab', 'list keys']
  const scroll: Hint = isList ? ['Space b', 'preview'] : ['Shift-↑↓', 'preview']
  const move: Hint = isList ? ['j k', 'move'] : ['↑↓', 'move']
  const resume: Hint = [isList || (view.mode === 'list' && view.typed === '') ? 'r' : 'Ctrl-R', 'resume']
  if (view.mode === 'search') {
    return view.search.hits.length === 0 ? [] : [['Enter', 'show'], resume, focus, move, scroll]
  }
  const search: Hint = [isList || view.typed === '' ? '/' : 'Ctrl-F', 'full text']
  if (view.matches.length === 0) return view.typed === '' ? [search] : [['Enter', 'full text']]
  return [['Enter', 'show'], resume, search, focus, move, scroll]
}

function wayOut(view: PickerView): Hint {
  if (view.mode === 'search') return ['Esc', 'back']
  if (view.typed !== '') return ['Esc', 'clear']
  return view.focus === 'list' ? ['q', 'leave'] : ['Esc', 'leave']
}
