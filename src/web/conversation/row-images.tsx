// Images that stand in a record. They are asked for by number, and come as one of four kinds or not at all.

import type { JSX } from 'react'
import { useState } from 'react'
import type { Choice } from './address.ts'
import { apiOf } from './address.ts'
import { useTalk } from './talk.ts'

export function RowImages({
  refName,
  count,
  choice,
}: {
  readonly refName: string
  readonly count: number
  readonly choice: Choice
}): JSX.Element {
  return (
    <div className="images">
      {[...Array(Math.min(count, 50)).keys()].map((number) => (
        <RecordImage key={number} refName={refName} number={number} choice={choice} />
      ))}
    </div>
  )
}

export function RecordImage({
  refName,
  number,
  choice,
}: {
  readonly refName: string
  readonly number: number
  readonly choice: Choice
}): JSX.Element {
  const talk = useTalk()
  const [isBroken, setBroken] = useState(false)
  if (isBroken) return <span className="note">[image {number + 1} cannot be shown]</span>
  const address = `/api/${apiOf(talk.id, 'image', choice, { ref: refName, number })}`
  return (
    <a href={address} target="_blank" rel="noopener noreferrer" className="image">
      <img src={address} alt={`${number + 1} of this message`} loading="lazy" onError={() => setBroken(true)} />
    </a>
  )
}
