// A small choice that this browser remembers.

import { useState } from 'react'

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
