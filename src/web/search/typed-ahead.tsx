// Stands where the search will be until its code has come. Nobody waits for that before they type, so it takes the words.

import type { JSX } from 'react'
import { useLayoutEffect, useRef } from 'react'
import { Loading } from '../parts/states.tsx'

export function TypedAhead({ onType }: { readonly onType: (text: string) => void }): JSX.Element {
  const field = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => field.current?.focus(), [])
  return (
    <>
      <input
        ref={field}
        className="unseen"
        type="text"
        aria-label="Search all conversations"
        autoComplete="off"
        onChange={({ target }) => onType(target.value)}
      />
      <Loading />
    </>
  )
}
