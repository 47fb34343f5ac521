// A tool call opened: its input in the form a person wants to see, then what the tool answered.

import { useQuery } from '@tanstack/react-query'
import type { JSX } from 'react'
import { useState } from 'react'
import type { CallView } from '../../server/api/call.ts'
import type { CallLine, RowView } from '../../server/api/rows.ts'
import { ask, askText } from '../ask.ts'
import { Failed } from '../parts/states.tsx'
import { lastName, size } from '../parts/units.ts'
import { Terminal } from '../text/terminal.tsx'
import type { Choice } from './address.ts'
import { apiOf } from './address.ts'
import { CallFaceView } from './call-face.tsx'
import { LongText } from './long-text.tsx'
import { RecordImage } from './row-images.tsx'
import { choiceOf, useTalk } from './talk.ts'

export function CallInside({
  line,
  row,
  owner,
}: {
  readonly line: CallLine
  readonly row: RowView
  readonly owner: string
}): JSX.Element {
  const talk = useTalk()
  const choice = choiceOf(talk, owner)
  const path = apiOf(talk.id, 'call', choice, { row: row.row, call: line.id })
  // A call whose result has come since is another one.
  const call = useQuery({
    queryKey: ['call', path, line.resultRef],
    queryFn: ({ signal }) => ask<CallView>(path, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (call.data !== undefined) return <CallOpened view={call.data} row={row} choice={choice} />
  if (call.error !== null) return <Failed error={call.error} onRetry={() => void call.refetch()} />
  return (
    <div className="call-inside is-loading" role="status">
      Loading…
    </div>
  )
}

function CallOpened({
  view,
  row,
  choice,
}: {
  readonly view: CallView
  readonly row: RowView
  readonly choice: Choice
}): JSX.Element {
  const talk = useTalk()
  const { line, face, output, images, spill } = view
  const outputPath = apiOf(talk.id, 'text', choice, { ref: line.resultRef ?? row.ref, call: line.id })
  // That a file was written is said by the change itself.
  const isSaid = line.status === 'ok' && (face.kind === 'todos' || (face.kind === 'change' && face.hunks.length > 0))
  const isOnlyImages = images.length > 0 && /^(?:\[image\]\s*)*$/.test(output.text)
  const showsOutput = output.length > 0 && !isSaid && !isOnlyImages
  return (
    <div className="call-inside">
      <CallFaceView face={face} title={line.title} />
      {images.map(({ ref, number, kind, bytes }) =>
        kind === null ? (
          <p className="note" key={`${ref} ${number}`}>
            An image of a kind that is not shown ({size(bytes)})
          </p>
        ) : (
          <RecordImage key={`${ref} ${number}`} refName={ref} number={number} choice={choice} />
        ),
      )}
      {showsOutput ? (
        <section className="output" aria-label="Output">
          <h4>{line.status === 'ok' || line.status === 'pending' ? 'Output' : OUTPUT_NAMES[line.status]}</h4>
          <LongText text={output} path={outputPath}>
            {(text) => <Terminal text={text} />}
          </LongText>
        </section>
      ) : null}
      {spill === null ? null : (
        <SpillText spill={spill} path={apiOf(talk.id, 'spill', choice, { row: row.row, call: line.id })} />
      )}
      <p className="call-links">
        <button
          type="button"
          className="more"
          onClick={() => talk.showRaw('Call', apiOf(talk.id, 'record', choice, { ref: row.ref }))}
        >
          Raw call
        </button>
        {line.resultRef === null ? null : (
          <button
            type="button"
            className="more"
            onClick={() => talk.showRaw('Result', apiOf(talk.id, 'record', choice, { ref: line.resultRef }))}
          >
            Raw result ({size(line.resultBytes)})
          </button>
        )}
      </p>
    </div>
  )
}

const OUTPUT_NAMES = { error: 'Failed', denied: 'Denied', interrupted: 'Interrupted' } as const

function SpillText({
  spill,
  path,
}: {
  readonly spill: NonNullable<CallView['spill']>
  readonly path: string
}): JSX.Element {
  const [isWanted, setWanted] = useState(false)
  const whole = useQuery({
    queryKey: ['spill', path],
    queryFn: ({ signal }) => askText(path, signal),
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  })
  const extent = spill.bytes === null ? '' : ` (${size(spill.bytes)})`
  return (
    <section className="output" aria-label="Whole output">
      <h4>
        Kept in a file{' '}
        <span className="spill-path" title={spill.path}>
          {lastName(spill.path)}
        </span>
      </h4>
      {whole.data !== undefined ? (
        <Terminal text={whole.data} />
      ) : (
        <button type="button" className="more" disabled={whole.isFetching} onClick={() => setWanted(true)}>
          {whole.isFetching ? 'Loading…' : `Open the whole output${extent}`}
        </button>
      )}
      {whole.error === null ? null : <span className="bad"> {whole.error.message}</span>}
    </section>
  )
}
