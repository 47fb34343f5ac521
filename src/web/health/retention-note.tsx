// What the client's own clean-up will delete and when, and the line that keeps it from doing so.

import type { JSX } from 'react'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Retention } from '../../server/api/health.ts'
import { count, counted, lastName, size } from '../parts/units.ts'

const ROWS_SHOWN = 6

export function RetentionNote({ retention }: { readonly retention: Retention }): JSX.Element | null {
  const { days, expiring, expiringTotal, withinDays, lines, keep } = retention
  const [isWhole, setWhole] = useState(false)
  if (days === null) return null
  const shown = isWhole ? expiring : expiring.slice(0, ROWS_SHOWN)
  return (
    <section className={expiringTotal > 0 ? 'retention urgent' : 'retention'} aria-labelledby="retention">
      <h2 id="retention">
        {expiringTotal > 0
          ? `${counted(expiringTotal, 'conversation')} may be deleted within ${withinDays} days`
          : `No conversation goes within the next ${withinDays} days`}
      </h2>
      {lines.map((line) => (
        <p key={line} className="small">
          {line}
        </p>
      ))}
      {shown.length === 0 ? null : (
        <ul className="expiring">
          {shown.map(({ id, title, project, sizeBytes, daysLeft }) => (
            <li key={`${id} ${daysLeft}`}>
              <span className="expiring-when">{leftText(daysLeft)}</span>
              <Link href={`/c/${encodeURIComponent(id)}`} className="one-line">
                {title === '' ? 'No title' : title}
              </Link>
              <span className="expiring-facts">
                {lastName(project)} · {size(sizeBytes)}
              </span>
            </li>
          ))}
        </ul>
      )}
      {expiring.length > shown.length ? (
        <button type="button" className="button" onClick={() => setWhole(true)}>
          Show {count(expiring.length - shown.length)} more
        </button>
      ) : null}
      {isWhole && expiringTotal > expiring.length ? (
        <p className="small soft">and {count(expiringTotal - expiring.length)} more; clew doctor lists them</p>
      ) : null}
      {keep.map(({ path, line }) => (
        <Keep key={path} path={path} line={line} isUrgent={expiringTotal > 0} />
      ))}
    </section>
  )
}

interface KeepProps {
  readonly path: string
  readonly line: string
  readonly isUrgent: boolean
}

function Keep({ path, line, isUrgent }: KeepProps): JSX.Element {
  const [isCopied, setCopied] = useState(false)
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(line)
    setCopied(true)
  }
  return (
    <p className="keep">
      <span>{isUrgent ? 'To keep them' : 'To keep transcripts longer'}, write</span>{' '}
      <code className="keep-line">{line}</code>
      <button type="button" className="button small-button" onClick={() => void copy()}>
        {isCopied ? 'Copied' : 'Copy'}
      </button>
      <span>
        into <code>{path}</code>
      </span>
    </p>
  )
}

function leftText(daysLeft: number): string {
  if (daysLeft <= 0) return 'at the next start'
  return daysLeft < 1 ? 'in under a day' : `in ${counted(Math.floor(daysLeft), 'day')}`
}
