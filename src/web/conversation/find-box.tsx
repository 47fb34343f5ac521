import type { JSX, RefObject } from 'react'
import type { Find } from './find.ts'

export function FindBox({
  find,
  words,
  at,
  box,
  onWords,
  onStep,
  onClose,
}: {
  readonly find: Find
  readonly words: string
  /** Which of the hits is shown; null before the first. */
  readonly at: number | null
  readonly box: RefObject<HTMLInputElement | null>
  readonly onWords: (words: string) => void
  readonly onStep: (step: 1 | -1) => void
  readonly onClose: () => void
}): JSX.Element {
  return (
    <search className="find">
      <input
        ref={box}
        type="search"
        value={words}
        aria-label="Find in this conversation"
        placeholder="Find in this conversation"
        onChange={(changed) => onWords(changed.target.value)}
        onKeyDown={(pressed) => {
          if (pressed.key === 'Enter') onStep(pressed.shiftKey ? -1 : 1)
          else if (pressed.key === 'Escape') onClose()
          else return
          pressed.preventDefault()
        }}
      />
      <output className="find-count" aria-live="polite">
        {countWords(find, words, at)}
      </output>
      <button type="button" aria-label="Previous hit" disabled={find.rows.length === 0} onClick={() => onStep(-1)}>
        ↑
      </button>
      <button type="button" aria-label="Next hit" disabled={find.rows.length === 0} onClick={() => onStep(1)}>
        ↓
      </button>
      <button type="button" aria-label="Close find" onClick={onClose}>
        ×
      </button>
    </search>
  )
}

export function countWords(find: Find, words: string, at: number | null): string {
  if (words.trim() === '') return ''
  if (find.isAsking) return '…'
  if (find.error !== null) return find.error.message
  if (find.rows.length === 0) return 'Not found'
  const total = `${find.rows.length.toLocaleString('en')}${find.isBounded ? '+' : ''}`
  return at === null ? `${total} found` : `${at + 1} of ${total}`
}
