// How a number came about: from the records that were read, over what was folded, to the prices, step by step.

import { useQuery } from '@tanstack/react-query'
import type { JSX } from 'react'
import { Link } from 'wouter'
import type { UsageExplained } from '../../server/api/usage.ts'
import { ask, queryOf } from '../ask.ts'
import { SidePanel } from '../parts/side-panel.tsx'
import { Failed, Loading } from '../parts/states.tsx'
import { costText, labelOf } from './amounts.ts'
import type { Explained } from './view.ts'
import './explain-panel.css'

export interface ExplainPanelProps {
  readonly explained: Explained
  readonly since: string | null
  readonly until: string | null
  readonly onClose: () => void
}

export function ExplainPanel({ explained, since, until, onClose }: ExplainPanelProps): JSX.Element {
  const { by, key } = explained
  const query = queryOf({ by, key: key === '' ? null : key, since, until })
  const {
    data: answer,
    error,
    refetch,
  } = useQuery({
    queryKey: ['usage', 'explain', query],
    queryFn: ({ signal }) => ask<UsageExplained>(`usage/explain${query}`, signal),
    retry: false,
  })
  const title = answer === undefined ? 'How it came about' : `${labelOf(by, answer.row)}: ${costText(answer.row)}`
  return (
    <SidePanel title={title} about={`${by}:${key}`} onClose={onClose}>
      {error !== null ? <Failed error={error} onRetry={() => void refetch()} /> : null}
      {answer === undefined && error === null ? <Loading what="Adding up" /> : null}
      {answer === undefined ? null : (
        <>
          {by === 'session' && key !== '' ? (
            <p>
              <Link href={`/c/${encodeURIComponent(key)}`}>Open the conversation</Link>
            </p>
          ) : null}
          <dl className="explained">
            {stepsOf(answer.lines).map(({ name, lines, place }) => (
              <div key={place} className="explained-step">
                <dt>{name}</dt>
                <dd>
                  {lines.map((line) => (
                    <span key={line.place} className={line.isBelow ? 'below' : undefined}>
                      {line.text}
                    </span>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
          {answer.isCut ? <p className="small soft">There is more; clew usage --explain has all of it.</p> : null}
        </>
      )}
    </SidePanel>
  )
}

interface Step {
  readonly name: string
  readonly place: number
  readonly lines: { readonly text: string; readonly isBelow: boolean; readonly place: number }[]
}

/** A step has its name in the first columns of a line; lines without one belong to the step before. */
const NAME_END = 11

function stepsOf(lines: readonly string[]): readonly Step[] {
  const steps: Step[] = []
  for (const [place, line] of lines.slice(1).entries()) {
    const name = line.slice(0, NAME_END).trim()
    const text = line.slice(NAME_END).trim()
    const last = steps.at(-1)
    if (last !== undefined && (name === '' || name === last.name))
      last.lines.push({ text, isBelow: name === '', place })
    else steps.push({ name, place, lines: [{ text, isBelow: false, place }] })
  }
  return steps
}
