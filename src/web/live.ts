// What the server tells on its own: one stream for the page, whatever listens to it.

import { useEffect, useRef } from 'react'
import type { LiveMessage } from '../server/api.ts'

/** Hears everything while it is mounted, and the growth of one conversation where one is named. */
export function useLive(conversation: string | null, onMessage: (message: LiveMessage) => void): void {
  const hear = useRef(onMessage)
  hear.current = onMessage
  useEffect(() => {
    const query = conversation === null ? '' : `?conversation=${encodeURIComponent(conversation)}`
    const stream = new EventSource(`/api/live${query}`)
    stream.onmessage = ({ data }) => hear.current(JSON.parse(String(data)) as LiveMessage)
    return () => stream.close()
  }, [conversation])
}
