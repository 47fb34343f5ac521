// The accounts as a table: each row with a bar as long as its share, and behind each row how it came about.

import type { JSX } from 'react'
import { useMemo } from 'react'
import type { UsageAnswer, UsageRow } from '../../server/api/usage.ts'
import { useKeptHere } from '../parts/kept.ts'
import { count, counted } from '../parts/units.ts'
import { amountOf, costText, labelOf, writesOf } from './amounts.ts'
import type { By, Column, Measure } from './view.ts'

export interface UsageTableProps {
  readonly answer: UsageAnswer
  readonly by: By
  readonly measure: Measure
  readonly sort: Column
  readonly isDescending: boolean
  readonly explained: string | null
  readonly onSort: (column: Column) => void
  readonly onExplain: (key: string) => void
}

const HEADS: readonly (readonly [Column, string])[] = [
  ['cost', 'Cost'],
  ['messages', 'Messages'],
  ['input', 'Input'],
  ['output', 'Output'],
  ['read', 'Cache read'],
  ['write', 'Cache write'],
]

const ROWS_SHOWN = 150

export function UsageTable(props: UsageTableProps): JSX.Element {
  const { answer, by, measure, sort, isDescending, explained, onSort, onExplain } = props
  const [isWhole, setWhole] = useKeptHere(`whole-${by}`, false)
  const rows = useMemo(() => sorted(answer.rows, by, sort, isDescending), [answer, by, sort, isDescending])
  const most = answer.rows.reduce((highest, row) => Math.max(highest, amountOf(row, measure)), 0)
  const shown = isWhole ? rows : rows.slice(0, ROWS_SHOWN)
  const left = rows.length - shown.length
  return (
    <div className="usage-table-frame">
      <table className="table usage-table">
        <thead>
          <tr>
            <Head column="label" name={by} {...{ sort, isDescending, onSort }} />
            {HEADS.map(([column, name]) => (
              <Head key={column} column={column} name={name} {...{ sort, isDescending, onSort }} />
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr
              key={row.key}
              className={row.key === explained ? 'chosen' : undefined}
              onClick={() => onExplain(row.key)}
            >
              <th scope="row">
                <button
                  type="button"
                  className="usage-key"
                  dir="auto"
                  title={by === 'project' ? row.label : by === 'session' ? row.key : undefined}
                  aria-expanded={row.key === explained}
                  onClick={(pressed) => {
                    pressed.stopPropagation()
                    onExplain(row.key)
                  }}
                >
                  {labelOf(by, row)}
                </button>
                <span className="usage-bar" aria-hidden="true">
                  <i style={{ width: `${most === 0 ? 0 : (amountOf(row, measure) / most) * 100}%` }} />
                </span>
              </th>
              <Cells row={row} />
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr onClick={() => onExplain('')}>
            <th scope="row">
              <button
                type="button"
                className="usage-key"
                aria-expanded={explained === ''}
                onClick={(pressed) => {
                  pressed.stopPropagation()
                  onExplain('')
                }}
              >
                Total
              </button>
            </th>
            <Cells row={answer.total} />
          </tr>
        </tfoot>
      </table>
      {left > 0 ? (
        <button type="button" className="button usage-rest" onClick={() => setWhole(true)}>
          Show {counted(left, 'more row')}
        </button>
      ) : null}
      {answer.rowsLeft > 0 ? (
        <p className="small soft">{counted(answer.rowsLeft, 'more row')} are in the total alone.</p>
      ) : null}
    </div>
  )
}

interface HeadProps extends Pick<UsageTableProps, 'sort' | 'isDescending' | 'onSort'> {
  readonly column: Column
  readonly name: string
}

function Head({ column, name, sort, isDescending, onSort }: HeadProps): JSX.Element {
  const isSorted = sort === column
  return (
    <th
      scope="col"
      className={column === 'label' ? 'usage-label' : `number ${column}`}
      aria-sort={isSorted ? (isDescending ? 'descending' : 'ascending') : undefined}
    >
      <button type="button" className="usage-sort" onClick={() => onSort(column)}>
        {name}
        <span aria-hidden="true">{isSorted ? (isDescending ? ' ↓' : ' ↑') : ''}</span>
      </button>
    </th>
  )
}

function Cells({ row }: { readonly row: UsageRow }): JSX.Element {
  const { cacheWrite5mTokens, cacheWrite1hTokens } = row
  const writes = `${count(cacheWrite5mTokens)} for 5 minutes, ${count(cacheWrite1hTokens)} for an hour`
  return (
    <>
      <td className="number cost">{costText(row)}</td>
      <td className="number messages">{count(row.messages)}</td>
      <td className="number input">{count(row.inputTokens)}</td>
      <td className="number output">
        {count(row.outputTokens)}
        {row.partialMessages > 0 ? '+' : ''}
      </td>
      <td className="number read">{count(row.cacheReadTokens)}</td>
      <td className="number write" title={writes}>
        {count(writesOf(row))}
      </td>
    </>
  )
}

function sorted(rows: readonly UsageRow[], by: By, sort: Column, isDescending: boolean): readonly UsageRow[] {
  const name = (row: UsageRow): string =>
    by === 'project' || by === 'session' ? labelOf(by, row).toLowerCase() : row.key
  const order = (one: UsageRow, other: UsageRow): number =>
    sort === 'label'
      ? name(one) < name(other)
        ? -1
        : 1
      : amountOf(one, sort) - amountOf(other, sort) || (name(one) < name(other) ? -1 : 1)
  const up = [...rows].sort(order)
  return isDescending ? up.reverse() : up
}
