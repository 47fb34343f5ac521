import type { JSX } from 'react'
import { useState } from 'react'

export function CopyButton({
  text,
  label = 'Copy',
}: {
  readonly text: string | (() => Promise<string>)
  readonly label?: string
}): JSX.Element {
  const [state, setState] = useState<'idle' | 'done' | 'failed'>('idle')
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : await text())
      setState('done')
    } catch {
      setState('failed')
    }
    setTimeout(() => setState('idle'), 2000)
  }
  return (
    <button type="button" className="copy" onClick={() => void copy()}>
      <span aria-live="polite">{state === 'idle' ? label : state === 'done' ? 'Copied' : 'Could not copy'}</span>
    </button>
  )
}
