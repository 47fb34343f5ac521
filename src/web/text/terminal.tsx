// The output of a program, with the colours it asked for.

import type { JSX } from 'react'
import { memo, useMemo } from 'react'
import type { AnsiPart } from './ansi.ts'
import { ansiParts } from './ansi.ts'
import { linesInPieces } from './pieces.ts'
import './ansi.css'

/** So much of a text is laid out at once; the browser skips pieces that are not in view. */
const PIECE_LINES = 200

export const Terminal = memo(function Terminal({ text }: { readonly text: string }): JSX.Element {
  const pieces = useMemo(() => linesInPieces(text.replace(/\r\n?/g, '\n').replace(/\n$/, ''), PIECE_LINES), [text])
  if (pieces.length === 1) return <pre className="terminal">{pieceParts(pieces[0]?.text ?? '')}</pre>
  return (
    <pre className="terminal">
      {pieces.map((piece) => (
        <span className="piece" key={piece.offset}>
          {pieceParts(piece.text)}
        </span>
      ))}
    </pre>
  )
})

function pieceParts(text: string): readonly (JSX.Element | string)[] {
  let place = 0
  return ansiParts(text).map((part: AnsiPart) => {
    place += part.text.length
    return part.classes === '' ? (
      part.text
    ) : (
      <span key={place} className={part.classes}>
        {part.text}
      </span>
    )
  })
}
