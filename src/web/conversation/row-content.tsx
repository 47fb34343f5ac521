// What stands in a Row, by its kind.

import { useQuery } from '@tanstack/react-query'
import type { JSX } from 'react'
import { useState } from 'react'
import type { RowView, Text } from '../../server/api/rows.ts'
import { ask } from '../ask.ts'
import { size } from '../parts/units.ts'
import { Markdown } from '../text/markdown.tsx'
import { PlainText } from '../text/plain-text.tsx'
import { apiOf } from './address.ts'
import { BoundaryRule } from './boundary-rule.tsx'
import { Fold } from './fold.tsx'
import { LongText } from './long-text.tsx'
import { QuietRecords } from './quiet-records.tsx'
import { Reply } from './reply.tsx'
import { RowImages } from './row-images.tsx'
import { choiceOf, useTalk } from './talk.ts'

export function RowContent({
  row,
  owner,
  saysModel = false,
}: {
  readonly row: RowView
  readonly owner: string
  /** Whether another one spoke before. */
  readonly saysModel?: boolean
}): JSX.Element {
  const talk = useTalk()
  const choice = choiceOf(talk, owner)
  const textPath = apiOf(talk.id, 'text', choice, { ref: row.ref })
  switch (row.kind) {
    case 'prompt':
      return (
        <div className="prompt">
          {row.isQueued ? <p className="note">Typed while the agent was at work</p> : null}
          <LongText text={row.text} path={textPath}>
            {(text) => <PlainText text={text} />}
          </LongText>
          {row.images > 0 ? <RowImages refName={row.ref} count={row.images} choice={choice} /> : null}
        </div>
      )
    case 'reply':
      return <Reply row={row} owner={owner} saysModel={saysModel} />
    case 'result':
      return (
        <div className="result">
          <span className="label">Result</span>
          <LongText text={row.text} path={textPath}>
            {(text) => <PlainText text={text} />}
          </LongText>
        </div>
      )
    case 'system':
      return (
        <Fold
          name={`system ${row.ref}`}
          className="system"
          summary={
            <>
              <span className="label">System</span> <span className="system-label">{row.label}</span>{' '}
              <span className="excerpt">{row.text.text.slice(0, 160)}</span>
            </>
          }
        >
          <LongText text={row.text} path={textPath}>
            {(text) => <PlainText text={text} />}
          </LongText>
        </Fold>
      )
    case 'recap':
      return <Recap text={row.text} path={textPath} name={row.ref} />
    case 'boundary':
      return (
        <>
          <BoundaryRule {...row} />
          {row.recap === null ? null : <Recap text={row.recap} path={textPath} name={row.ref} />}
        </>
      )
    case 'quiet':
      return <QuietRecords row={row} choice={choice} />
    case 'unknown':
      return (
        <div className="unknown">
          <span className="label">Unknown record</span> <code>{row.type}</code>{' '}
          <button
            type="button"
            className="more"
            onClick={() => talk.showRaw(row.type, apiOf(talk.id, 'record', choice, { ref: row.ref }))}
          >
            Show raw JSON
          </button>
        </div>
      )
    case 'heavy':
      return <HeavyRow row={row} owner={owner} />
  }
}

function HeavyRow({
  row,
  owner,
}: {
  readonly row: Extract<RowView, { kind: 'heavy' }>
  readonly owner: string
}): JSX.Element {
  const talk = useTalk()
  const [isWanted, setWanted] = useState(false)
  const path = apiOf(talk.id, 'row', choiceOf(talk, owner), { row: row.row })
  const whole = useQuery({
    queryKey: ['row', path],
    queryFn: ({ signal }) => ask<RowView>(path, signal),
    enabled: isWanted,
  })
  // One that is heavy by itself would be asked for again and again.
  if (whole.data !== undefined && whole.data.kind !== 'heavy') return <RowContent row={whole.data} owner={owner} />
  return (
    <div className="unknown heavy">
      <span className="label">{row.what}</span> of {size(row.bytes)}, too long to come with the others{' '}
      <button type="button" className="more" disabled={whole.isFetching} onClick={() => setWanted(true)}>
        {whole.isFetching ? 'Loading…' : 'Show it'}
      </button>
      {whole.error === null ? null : <span className="bad"> {whole.error.message}</span>}
    </div>
  )
}

function Recap({
  text,
  path,
  name,
}: {
  readonly text: Text
  readonly path: string
  readonly name: string
}): JSX.Element {
  return (
    <Fold
      name={`recap ${name}`}
      className="recap"
      summary={
        <>
          <span className="label">Recap</span>{' '}
          <span className="excerpt">what the model was told in place of everything before</span>
        </>
      }
    >
      <LongText text={text} path={path}>
        {(whole) => <Markdown text={whole} />}
      </LongText>
    </Fold>
  )
}
