// Keys that work anywhere on a page, but not while something is typed or a dialog is open. `g h` is two keys in a row.
// What was mounted last is asked first: a page may have its own meaning for a key of the frame.

import { useEffect, useRef } from 'react'

/** What a key does. It leaves the key to others by returning false. */
export type Shortcuts = Readonly<Record<string, () => unknown>>

const IN_A_ROW_MS = 1000
const layers: { readonly current: Shortcuts }[] = []
let before = { key: '', ms: 0 }

export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts)
  latest.current = shortcuts
  useEffect(() => {
    if (layers.length === 0) addEventListener('keydown', press)
    layers.push(latest)
    return () => {
      layers.splice(layers.indexOf(latest), 1)
      if (layers.length === 0) removeEventListener('keydown', press)
    }
  }, [])
}

function press(pressed: KeyboardEvent): void {
  const key = nameOf(pressed)
  if (key === '' || pressed.defaultPrevented || pressed.isComposing) return
  if (isElsewhere(pressed) && !key.startsWith('Mod+')) return
  const both = before.key === 'g' && pressed.timeStamp - before.ms < IN_A_ROW_MS ? `g ${key}` : null
  before = { key, ms: pressed.timeStamp }
  for (const { current } of layers.toReversed()) {
    const act = both === null ? current[key] : current[both]
    if (act === undefined || act() === false) continue
    pressed.preventDefault()
    return
  }
}

/** `j`, `?`, `enter`, `Mod+k`; other combinations belong to the browser and have no name here. */
function nameOf(pressed: KeyboardEvent): string {
  if (pressed.altKey) return ''
  if (pressed.ctrlKey || pressed.metaKey) return pressed.shiftKey ? '' : `Mod+${pressed.key.toLowerCase()}`
  return pressed.key.length === 1 ? pressed.key : pressed.key.toLowerCase()
}

function isElsewhere({ target }: KeyboardEvent): boolean {
  if (document.querySelector('dialog[open]') !== null) return true
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || target.closest('input, select, textarea, [popover]') !== null
}

/** `⌘K` where there is such a key. */
export const isApple = /Mac|iPhone|iPad/.test(navigator.platform)
