// Lines under the bar about the whole of it: the server is gone, or the index is still being made.

import type { JSX } from 'react'
import type { Indexing } from '../../server/api/home.ts'
import type { Connection } from '../live.ts'
import { useConnection } from '../live.ts'
import { size } from './units.ts'

const LOST: Readonly<Partial<Record<Connection, string>>> = {
  // A new server has another port and another key, unless it was asked for the same port: then this page goes on as soon
  // as the link was opened in this browser.
  lost: 'clew serve has stopped. Start it again, and go on in the page that it opens.',
  refused:
    'clew serve has been started anew and does not know this page. Open the link that it printed in this browser.',
}

export function Banners({ indexing }: { readonly indexing: Indexing | null }): JSX.Element {
  const lost = LOST[useConnection()]
  return (
    <>
      {/* There from the start: what appears inside it is read aloud. */}
      <div role="status">{lost === undefined ? null : <p className="banner warn">{lost}</p>}</div>
      {indexing === null || lost !== undefined ? null : <Progress indexing={indexing} />}
    </>
  )
}

function Progress({ indexing: { doneBytes, totalBytes } }: { readonly indexing: Indexing }): JSX.Element {
  const percent = totalBytes === 0 ? 0 : Math.min(100, Math.floor((doneBytes / totalBytes) * 100))
  const words = `Indexing ${size(doneBytes)} of ${size(totalBytes)}`
  return (
    <div className="banner">
      <span>{words}</span>
      <div
        className="progress"
        role="progressbar"
        aria-label="Indexing"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={words}
      >
        <div style={{ width: `${percent}%` }} />
      </div>
    </div>
  )
}
