// Whether everything is there and readable, what the client will delete, and what it wrote that Clew has not met before.

import { useQuery } from '@tanstack/react-query'
import type { JSX } from 'react'
import { useSearchParams } from 'wouter'
import type { Health } from '../../server/api/health.ts'
import { ask } from '../ask.ts'
import { useScrollMemory } from '../parts/scroll.ts'
import { Empty, Failed, Loading } from '../parts/states.tsx'
import { count, size } from '../parts/units.ts'
import { DriftTable } from './drift-table.tsx'
import { ProblemList } from './problem-list.tsx'
import type { RawPlace } from './raw-line.tsx'
import { RawLine } from './raw-line.tsx'
import { RetentionNote } from './retention-note.tsx'
import './health-page.css'

export function HealthPage(): JSX.Element {
  const [query, setQuery] = useSearchParams()
  const {
    data: health,
    error,
    refetch,
  } = useQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) => ask<Health>('health', signal),
  })
  useScrollMemory('health', health !== undefined)
  const open = (place: RawPlace | null): void => setQuery(rawQuery(place), { replace: true })
  const raw = rawOf(query)
  if (health === undefined && error !== null) return <Failed error={error} onRetry={() => void refetch()} />
  if (health === undefined) return <Loading what="Looking at every file" />
  const { totals } = health
  if (totals.files === 0 && totals.problems === 0)
    return (
      <Empty title="No transcripts yet">
        <p>Health is told of files, and there are none.</p>
      </Empty>
    )
  return (
    <div className={raw === null ? 'page health' : 'page health looking'}>
      <h1>Health</h1>
      <Totals health={health} />
      <RetentionNote retention={health.retention} />
      <ProblemList health={health} chosen={raw} onOpen={open} />
      <DriftTable drift={health.drift} />
      <Disk disk={health.disk} />
      {raw === null ? null : (
        <RawLine
          place={raw}
          file={health.files.find(({ file }) => file === raw.file) ?? null}
          onClose={() => open(null)}
        />
      )}
    </div>
  )
}

function Totals({ health: { totals, codes } }: { readonly health: Health }): JSX.Element {
  const serious = codes.filter(({ severity }) => severity !== 'info').reduce((sum, one) => sum + one.count, 0)
  const facts: readonly (readonly [string, string, string])[] = [
    ['Files', count(totals.files), ''],
    ['Bytes', size(totals.bytes), ''],
    ['Records', count(totals.records), ''],
    ['Bytes lost', totals.lostBytes === 0 ? 'none' : count(totals.lostBytes), totals.lostBytes === 0 ? 'good' : 'bad'],
    ['Problems', serious === 0 ? 'none' : count(serious), serious === 0 ? 'good' : 'bad'],
    ['Notes', count(totals.problems - serious), ''],
  ]
  return (
    <>
      <dl className="health-totals">
        {facts.map(([name, value, tone]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className={tone}>{value}</dd>
          </div>
        ))}
      </dl>
      <p className="soft small">
        Every byte of every file is accounted for: in a record, in a problem, in an unfinished last line or in a blank
        one.
      </p>
    </>
  )
}

function Disk({ disk }: { readonly disk: Health['disk'] }): JSX.Element | null {
  const most = disk[0]?.bytes ?? 0
  if (most === 0) return null
  return (
    <section className="health-part" aria-labelledby="disk">
      <h2 id="disk">Where the disk went</h2>
      <table className="table health-disk">
        <thead>
          <tr>
            <th scope="col">Project folder</th>
            <th scope="col" className="number">
              Sessions
            </th>
            <th scope="col" className="number">
              Size
            </th>
          </tr>
        </thead>
        <tbody>
          {disk.map(({ project, sessions, bytes }) => (
            <tr key={project}>
              <th scope="row">
                <span className="mono">{project}</span>
                <span className="health-bar" aria-hidden="true">
                  <i style={{ width: `${(bytes / most) * 100}%` }} />
                </span>
              </th>
              <td className="number">{count(sessions)}</td>
              <td className="number">{size(bytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** An address may be typed by hand: what is no number is no place. */
function rawOf(query: URLSearchParams): RawPlace | null {
  const file = query.get('file')
  const [offset, length, line] = ['offset', 'length', 'line'].map((name) => Number(query.get(name) ?? Number.NaN))
  if (file === null || offset === undefined || length === undefined || line === undefined) return null
  return [offset, length, line].every((number) => Number.isSafeInteger(number) && number >= 0)
    ? { file, offset, length, line }
    : null
}

function rawQuery(place: RawPlace | null): URLSearchParams {
  const query = new URLSearchParams()
  if (place !== null) for (const [name, value] of Object.entries(place)) query.set(name, String(value))
  return query
}
