// A text as a person wrote it: every line break kept, addresses made clickable, nothing else understood.

import type { JSX } from 'react'
import { memo } from 'react'
import { cleanText } from './clean.ts'
import { linkedParts } from './links.ts'
import { OutwardLink } from './outward-link.tsx'

const LINKED_MAX = 200_000

export const PlainText = memo(function PlainText({ text }: { readonly text: string }): JSX.Element {
  const clean = cleanText(text)
  if (clean.length > LINKED_MAX) return <div className="plain-text">{clean}</div>
  let place = 0
  return (
    <div className="plain-text" dir="auto">
      {linkedParts(clean).map(({ text: part, isLink }) => {
        place += part.length
        return isLink ? (
          <OutwardLink key={place} url={part}>
            {part}
          </OutwardLink>
        ) : (
          part
        )
      })}
    </div>
  )
})
