import type { JSX } from 'react'
import { Fragment } from 'react'

/** A text with what matched set off. */
export function Marked({
  text,
  marks,
}: {
  readonly text: string
  readonly marks: readonly (readonly [number, number])[]
}): JSX.Element {
  let at = 0
  const pieces = marks.map(([from, to]) => {
    const before = text.slice(at, from)
    at = to
    return (
      <Fragment key={from}>
        {before}
        <mark>{text.slice(from, to)}</mark>
      </Fragment>
    )
  })
  return (
    <>
      {pieces}
      {text.slice(at)}
    </>
  )
}
