// A pane at the side of a page, for what stands behind something on it. The page stays usable; Escape closes the pane and
// the focus goes back to where it came from.

import type { JSX, ReactNode } from 'react'
import { useEffect, useRef } from 'react'
import { SCROLLS } from '../text/scrolls.ts'
import './side-panel.css'

export interface SidePanelProps {
  readonly title: string
  /** What it is about. Another one takes the focus again. */
  readonly about: string
  readonly onClose: () => void
  readonly children: ReactNode
}

export function SidePanel({ title, about, onClose, children }: SidePanelProps): JSX.Element {
  const head = useRef<HTMLHeadingElement>(null)
  const from = useRef<Element | null>(null)
  useEffect(() => {
    from.current = document.activeElement
    return () => {
      if (from.current instanceof HTMLElement && from.current.isConnected) from.current.focus({ preventScroll: true })
    }
  }, [])
  useEffect(() => {
    if (about !== '') head.current?.focus({ preventScroll: true })
  }, [about])
  useEffect(() => {
    const press = ({ key, defaultPrevented }: KeyboardEvent): void => {
      if (key === 'Escape' && !defaultPrevented && document.querySelector('dialog[open]') === null) onClose()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [onClose])
  return (
    <aside className="side-panel" aria-label={title}>
      <header className="side-panel-head">
        <h2 ref={head} tabIndex={-1}>
          {title}
        </h2>
        <button type="button" className="button quiet square" aria-label="Close" onClick={onClose}>
          ×
        </button>
      </header>
      <section className="side-panel-body" aria-label={title} {...SCROLLS}>
        {children}
      </section>
    </aside>
  )
}
