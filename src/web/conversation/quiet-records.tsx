// Records nobody reads, as one line: "12 progress records". It opens to a list, each with its raw JSON.

import type { JSX } from 'react'
import type { QuietRecord, RowView } from '../../server/api/rows.ts'
import type { Choice } from './address.ts'
import { apiOf } from './address.ts'
import { Fold } from './fold.tsx'
import { useTalk } from './talk.ts'

const SHOWN_MAX = 500

export function QuietRecords({
  row,
  choice,
}: {
  readonly row: Extract<RowView, { kind: 'quiet' }>
  readonly choice: Choice
}): JSX.Element {
  const talk = useTalk()
  return (
    <Fold name={`quiet ${row.ref}`} className="quiet" summary={quietWords(row.records)}>
      <ul>
        {row.records.slice(0, SHOWN_MAX).map(({ ref, label }) => (
          <li key={ref}>
            <button
              type="button"
              className="more"
              onClick={() => talk.showRaw(label, apiOf(talk.id, 'record', choice, { ref }))}
            >
              {label}
            </button>
          </li>
        ))}
        {row.records.length > SHOWN_MAX ? <li>and {row.records.length - SHOWN_MAX} more</li> : null}
      </ul>
    </Fold>
  )
}

export function quietWords(records: readonly QuietRecord[]): string {
  const labels = new Set(records.map(({ label }) => label))
  const [only] = labels
  const kind = labels.size === 1 && only !== undefined ? `${only} ` : ''
  return `${records.length.toLocaleString('en')} ${kind}record${records.length === 1 ? '' : 's'}`
}
