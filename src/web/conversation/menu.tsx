// A small menu behind three dots. Its choices exist only while it is open.

import type { JSX, KeyboardEvent } from 'react'
import { useEffect, useRef, useState } from 'react'
import './menu.css'

export interface MenuChoice {
  readonly name: string
  readonly run: () => void | Promise<void>
}

export function Menu({
  label,
  choices,
}: {
  readonly label: string
  readonly choices: readonly MenuChoice[]
}): JSX.Element {
  const [isOpen, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isOpen) return
    root.current?.querySelector<HTMLElement>('[role="menuitem"]')?.focus()
    const leave = (happened: PointerEvent): void => {
      if (!root.current?.contains(happened.target as Node)) setOpen(false)
    }
    document.addEventListener('pointerdown', leave)
    return () => document.removeEventListener('pointerdown', leave)
  }, [isOpen])

  const close = (): void => {
    setOpen(false)
    root.current?.querySelector('button')?.focus()
  }
  const move = (pressed: KeyboardEvent): void => {
    // The keys of the page mean nothing in here.
    pressed.stopPropagation()
    if (pressed.key === 'Escape' || pressed.key === 'Tab') {
      if (pressed.key === 'Escape') pressed.preventDefault()
      close()
      return
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[pressed.key]
    if (step === undefined) return
    pressed.preventDefault()
    const all = [...(root.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])]
    const at = all.indexOf(document.activeElement as HTMLElement)
    all[(at + step + all.length) % all.length]?.focus()
  }
  return (
    <div className="row-menu" ref={root}>
      <button
        type="button"
        className="row-menu-button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        ⋯
      </button>
      {isOpen ? (
        <div className="row-menu-list" role="menu" tabIndex={-1} onKeyDown={move}>
          {choices.map(({ name, run }) => (
            <button
              key={name}
              type="button"
              role="menuitem"
              tabIndex={-1}
              onClick={() => {
                close()
                void run()
              }}
            >
              {name}
            </button>
          ))}
        </div>
      ) : null}
    </div>
  )
}
