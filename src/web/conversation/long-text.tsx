// A text that came whole, or only its beginning: then with a button that brings the rest.

import { useQuery } from '@tanstack/react-query'
import type { JSX, ReactNode } from 'react'
import { useState } from 'react'
import type { Text } from '../../server/api/rows.ts'
import { askText } from '../ask.ts'
import { size } from '../parts/units.ts'

export function LongText({
  text,
  path,
  children,
}: {
  readonly text: Text
  /** Where the whole of it is. */
  readonly path: string
  readonly children: (text: string) => ReactNode
}): JSX.Element {
  const [isWanted, setWanted] = useState(false)
  const whole = useQuery({
    queryKey: ['text', path],
    queryFn: ({ signal }) => askText(path, signal),
    enabled: isWanted && text.isCut,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  })
  if (!text.isCut) return <>{children(text.text)}</>
  if (whole.data !== undefined) return <>{children(whole.data)}</>
  return (
    <>
      {children(text.text)}
      <p className="cut">
        <button type="button" className="more" disabled={whole.isFetching} onClick={() => setWanted(true)}>
          {whole.isFetching ? 'Loading…' : `Show all (${size(text.length)})`}
        </button>
        {whole.error === null ? null : <span className="bad"> {whole.error.message}</span>}
      </p>
    </>
  )
}
