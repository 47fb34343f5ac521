// Light, dark, or as the system has it. Kept in this browser and set on the page before anything is drawn.

import { useSyncExternalStore } from 'react'

export type Theme = 'system' | 'light' | 'dark'

const PLACE = 'clew-theme'
const listeners = new Set<() => void>()

export function useTheme(): Theme {
  return useSyncExternalStore(listen, keptTheme)
}

export function chooseTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(PLACE)
  else localStorage.setItem(PLACE, theme)
  applyTheme()
  for (const tell of listeners) tell()
}

export function applyTheme(): void {
  const theme = keptTheme()
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

/** Runs when what the page looks like has changed, by the reader or by the system: for what draws its own colours. */
export function onColours(redraw: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)')
  system.addEventListener('change', redraw)
  listeners.add(redraw)
  return () => {
    system.removeEventListener('change', redraw)
    listeners.delete(redraw)
  }
}

function keptTheme(): Theme {
  const kept = localStorage.getItem(PLACE)
  return kept === 'light' || kept === 'dark' ? kept : 'system'
}

function listen(tell: () => void): () => void {
  // Another tab may have chosen.
  const hear = (): void => {
    applyTheme()
    tell()
  }
  listeners.add(tell)
  addEventListener('storage', hear)
  return () => {
    listeners.delete(tell)
    removeEventListener('storage', hear)
  }
}
