// What is open and what is closed. Kept outside of the rows, which come and go as the list is scrolled.

import { createContext, useCallback, useContext, useSyncExternalStore } from 'react'

export interface Folds {
  readonly isOpen: (name: string) => boolean
  readonly set: (name: string, isOpen: boolean) => void
  readonly subscribe: (hear: () => void) => () => void
}

export function newFolds(): Folds {
  const open = new Set<string>()
  const listeners = new Set<() => void>()
  return {
    isOpen: (name) => open.has(name),
    set: (name, isOpen) => {
      if (open.has(name) === isOpen) return
      if (isOpen) open.add(name)
      else open.delete(name)
      for (const hear of listeners) hear()
    },
    subscribe: (hear) => {
      listeners.add(hear)
      return () => void listeners.delete(hear)
    },
  }
}

export const FoldsContext = createContext<Folds>(newFolds())

export function useFold(name: string): readonly [boolean, () => void] {
  const folds = useContext(FoldsContext)
  const isOpen = useSyncExternalStore(folds.subscribe, () => folds.isOpen(name))
  const toggle = useCallback(() => folds.set(name, !folds.isOpen(name)), [folds, name])
  return [isOpen, toggle]
}
