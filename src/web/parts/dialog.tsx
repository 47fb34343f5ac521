// A dialog of the browser's own: it holds the focus, closes with Escape or a click beside it, and gives the focus back.

import type { JSX, ReactNode } from 'react'
import { useEffect, useRef } from 'react'

export interface DialogProps {
  readonly label: string
  readonly className?: string
  readonly onClose: () => void
  readonly children: ReactNode
}

export function Dialog({ label, className = '', onClose, children }: DialogProps): JSX.Element {
  const place = useRef<HTMLDialogElement>(null)
  const close = useRef(onClose)
  close.current = onClose
  useEffect(() => {
    const dialog = place.current
    if (dialog === null) return
    const from = document.activeElement
    // The news that it closed comes late: it may be open again.
    const leave = (): void => {
      if (!dialog.open) close.current()
    }
    // Only what is beside the dialog is the dialog itself to a click.
    const press = ({ target }: MouseEvent): void => {
      if (target === dialog) dialog.close()
    }
    dialog.addEventListener('close', leave)
    dialog.addEventListener('mousedown', press)
    if (!dialog.open) dialog.showModal()
    return () => {
      dialog.removeEventListener('close', leave)
      dialog.removeEventListener('mousedown', press)
      if (dialog.open) dialog.close()
      if (from instanceof HTMLElement && from.isConnected) from.focus({ preventScroll: true })
    }
  }, [])
  return (
    <dialog ref={place} className={`dialog ${className}`} aria-label={label}>
      {children}
    </dialog>
  )
}
