// A link out of the transcript. Its target can be read before it is followed, and learns nothing of where it was found.

import type { JSX, ReactNode } from 'react'
import { isOutwardLink } from './links.ts'

export function OutwardLink({ url, children }: { readonly url: string; readonly children: ReactNode }): JSX.Element {
  if (!isOutwardLink(url)) return <>{children}</>
  return (
    <a href={url} title={url} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  )
}
