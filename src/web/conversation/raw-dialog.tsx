// The record behind anything on the page, as it stands in the transcript.

import { useQuery } from '@tanstack/react-query'
import type { JSX } from 'react'
import { askText } from '../ask.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Icon } from '../parts/icons.tsx'
import { Failed, Loading } from '../parts/states.tsx'
import { CopyButton } from '../text/copy-button.tsx'
import { JsonView } from '../text/json-view.tsx'
import { SCROLLS } from '../text/scrolls.ts'

export interface RawWanted {
  readonly title: string
  readonly path: string
}

export function RawDialog({
  wanted,
  onClose,
}: {
  readonly wanted: RawWanted
  readonly onClose: () => void
}): JSX.Element {
  const raw = useQuery({ queryKey: ['raw', wanted.path], queryFn: ({ signal }) => askText(wanted.path, signal) })
  return (
    <Dialog label={`Raw JSON: ${wanted.title}`} className="raw-dialog" onClose={onClose}>
      <div className="dialog-head">
        <h2>{wanted.title}</h2>
        {raw.data === undefined ? null : <CopyButton text={raw.data} label="Copy JSON" />}
        <button type="button" className="button quiet square" onClick={onClose} aria-label="Close">
          <Icon name="close" />
        </button>
      </div>
      <section className="raw-scroll" aria-label="Record" {...SCROLLS}>
        {raw.data !== undefined ? (
          <JsonView json={raw.data} />
        ) : raw.error !== null ? (
          <Failed error={raw.error} onRetry={() => void raw.refetch()} />
        ) : (
          <Loading />
        )}
      </section>
    </Dialog>
  )
}
