// Small choices: those that this browser remembers, and those that are as they were when one comes back.

import { useState } from 'react'
import { isWayBack } from './scroll.ts'

export function useKept(name: string, usual: boolean): readonly [boolean, (value: boolean) => void] {
  const place = `clew-${name}`
  const [value, setValue] = useState(() => {
    const kept = localStorage.getItem(place)
    return kept === null ? usual : kept === 'yes'
  })
  const keep = (next: boolean): void => {
    localStorage.setItem(place, next ? 'yes' : 'no')
    setValue(next)
  }
  return [value, keep]
}

/** Usual again for who comes anew. */
export function useKeptHere<Value>(name: string, usual: Value): readonly [Value, (value: Value) => void] {
  const place = `clew-${name}`
  const [value, setValue] = useState(() => {
    if (!isWayBack()) sessionStorage.removeItem(place)
    const kept = sessionStorage.getItem(place)
    return kept === null ? usual : (JSON.parse(kept) as Value)
  })
  const keep = (next: Value): void => {
    sessionStorage.setItem(place, JSON.stringify(next))
    setValue(next)
  }
  return [value, keep]
}
