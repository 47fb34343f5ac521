// The bytes at a position, as text. Whatever stands there, it is shown and nothing else is done with it.

import { useQuery } from '@tanstack/react-query'
import type { JSX } from 'react'
import { Link } from 'wouter'
import type { FileHealth } from '../../server/api/health.ts'
import { askText, queryOf } from '../ask.ts'
import { SidePanel } from '../parts/side-panel.tsx'
import { Failed, Loading } from '../parts/states.tsx'
import { count, size } from '../parts/units.ts'
import { conversationHref } from './conversation-href.ts'

export interface RawPlace {
  readonly file: string
  readonly line: number
  readonly offset: number
  readonly length: number
}

/** More is nobody's reading, and a browser takes its time to lay it out. */
const SHOWN_MAX = 100_000

export function RawLine({
  place,
  file,
  onClose,
}: {
  readonly place: RawPlace
  readonly file: FileHealth | null
  readonly onClose: () => void
}): JSX.Element {
  const { offset, length, line } = place
  const shown = Math.max(1, Math.min(length, SHOWN_MAX))
  const query = queryOf({ file: place.file, offset, length: shown })
  const {
    data: text,
    error,
    refetch,
  } = useQuery({
    queryKey: ['health', 'line', query],
    queryFn: ({ signal }) => askText(`health/line${query}`, signal),
    retry: false,
  })
  const href = file === null ? null : conversationHref(file, offset)
  return (
    <SidePanel title={`Line ${count(line)}`} about={query} onClose={onClose}>
      {file === null ? null : <p className="raw-path">{file.path}</p>}
      <p className="small soft">
        {count(length)} bytes from byte {count(offset)} on
        {href === null ? null : (
          <>
            {' · '}
            <Link href={href}>Open the conversation here</Link>
          </>
        )}
      </p>
      {error !== null ? <Failed error={error} onRetry={() => void refetch()} /> : null}
      {text === undefined && error === null ? <Loading what="Reading" /> : null}
      {text === undefined ? null : <pre className="raw-text">{visible(text)}</pre>}
      {shown < length ? <p className="small soft">The first {size(shown)} of them are shown.</p> : null}
    </SidePanel>
  )
}

/** Control characters have pictures of their own in Unicode; a line of NULs would look empty. */
function visible(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, (found) => {
    const code = found.charCodeAt(0)
    return String.fromCharCode(code === 0x7f ? 0x2421 : 0x2400 + code)
  })
}
