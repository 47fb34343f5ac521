// One Row: an article with its time, a way to link to it, and a menu. The first Row of a Turn has the heading.

import type { JSX } from 'react'
import { memo } from 'react'
import type { RowView } from '../../server/api/rows.ts'
import { inAddress } from './address.ts'
import { RowContent } from './row-content.tsx'
import { RowMenu, recordName } from './row-menu.tsx'
import { dayOf, secondsOf, timeOf, wholeTimeOf } from './words.ts'

export const RowArticle = memo(function RowArticle({
  row,
  owner,
  isTarget,
  saysModel,
}: {
  readonly row: RowView
  readonly owner: string
  readonly isTarget: boolean
  readonly saysModel: boolean
}): JSX.Element {
  const classes = ['talk-row', `row-${row.kind}`, row.opensTurn ? 'opens-turn' : '', isTarget ? 'is-target' : '']
  if (row.kind === 'reply' && row.blocks.every(({ kind }) => kind === 'call' || kind === 'thinking'))
    classes.push('is-tight')
  return (
    <article
      className={classes.filter((name) => name !== '').join(' ')}
      aria-label={`${SPEAKERS[row.kind]}, turn ${row.turn}`}
      data-row={row.row}
      data-owner={owner}
      data-turn={row.turn}
      tabIndex={-1}
    >
      {row.opensTurn ? <TurnHeading row={row} owner={owner} /> : null}
      <div className="row-body">
        <RowContent row={row} owner={owner} saysModel={saysModel} />
      </div>
      {row.opensTurn ? null : (
        <div className="row-side">
          {row.ms === null ? null : (
            <a className="row-time" href={`#${inAddress(recordName(row))}`} title={wholeTimeOf(row.ms)}>
              {secondsOf(row.ms)}
            </a>
          )}
          <RowMenu row={row} owner={owner} />
        </div>
      )}
    </article>
  )
})

const SPEAKERS: Readonly<Record<RowView['kind'], string>> = {
  prompt: 'Prompt',
  reply: 'Reply',
  result: 'Result',
  system: 'System',
  recap: 'Recap',
  boundary: 'Compaction',
  quiet: 'Quiet records',
  unknown: 'Unknown record',
  heavy: 'Large record',
}

function TurnHeading({ row, owner }: { readonly row: RowView; readonly owner: string }): JSX.Element {
  return (
    <header className="turn-head">
      <h2 aria-level={owner === '' ? 2 : 3}>Turn {row.turn}</h2>
      {row.ms === null ? null : (
        <a className="row-time" href={`#${inAddress(recordName(row))}`} title={wholeTimeOf(row.ms)}>
          {dayOf(row.ms)}, {timeOf(row.ms)}
        </a>
      )}
      <RowMenu row={row} owner={owner} />
    </header>
  )
}
