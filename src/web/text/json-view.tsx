// JSON that can be folded. What cannot be parsed, or is nested beyond reading, is shown as it is.

import type { JSX } from 'react'
import { memo, useMemo, useState } from 'react'
import { cleanText } from './clean.ts'
import './text.css'

const OPEN_DEPTH = 2
const DEPTH_MAX = 40
const PARTS_MAX = 100
const TEXT_MAX = 2_000
const LENGTH_MAX = 2_000_000

type Parsed = { readonly value: unknown } | null

export const JsonView = memo(function JsonView({ json }: { readonly json: string }): JSX.Element {
  const parsed = useMemo(() => parse(json), [json])
  if (parsed === null) return <pre className="json">{cleanText(json)}</pre>
  return (
    <div className="json">
      <Value name={null} value={parsed.value} depth={0} />
    </div>
  )
})

function parse(json: string): Parsed {
  if (json.length > LENGTH_MAX) return null
  try {
    return { value: JSON.parse(json) as unknown }
  } catch {
    return null
  }
}

interface Named {
  readonly name: string | null
  readonly value: unknown
  readonly depth: number
}

function Value({ name, value, depth }: Named): JSX.Element {
  if (value !== null && typeof value === 'object') return <Branch name={name} value={value} depth={depth} />
  return (
    <div className="json-line">
      <Name name={name} />
      <Leaf value={value} />
    </div>
  )
}

function Branch({
  name,
  value,
  depth,
}: {
  readonly name: string | null
  readonly value: object
  readonly depth: number
}): JSX.Element {
  const [isOpen, setOpen] = useState(depth < OPEN_DEPTH)
  const [shown, setShown] = useState(PARTS_MAX)
  const parts = Object.entries(value)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  if (parts.length === 0 || depth > DEPTH_MAX)
    return (
      <div className="json-line">
        <Name name={name} />
        {open}
        {parts.length === 0 ? '' : '…'}
        {close}
      </div>
    )
  return (
    <div className="json-branch">
      <button type="button" className="json-fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span className="twist" aria-hidden="true" />
        <Name name={name} />
        {open}
        {isOpen ? '' : ` ${parts.length} ${close}`}
      </button>
      {isOpen ? (
        <>
          <div className="json-parts">
            {parts.slice(0, shown).map(([key, part]) => (
              <Value key={key} name={Array.isArray(value) ? null : key} value={part} depth={depth + 1} />
            ))}
            {parts.length > shown ? (
              <button type="button" className="more" onClick={() => setShown(shown + PARTS_MAX * 5)}>
                {parts.length - shown} more
              </button>
            ) : null}
          </div>
          <div className="json-line">{close}</div>
        </>
      ) : null}
    </div>
  )
}

function Name({ name }: { readonly name: string | null }): JSX.Element | null {
  return name === null ? null : (
    <>
      <span className="json-name">{cleanText(name)}</span>
      {': '}
    </>
  )
}

function Leaf({ value }: { readonly value: unknown }): JSX.Element {
  const [isWhole, setWhole] = useState(false)
  if (typeof value !== 'string') return <span className="t-constant">{String(value)}</span>
  const text = cleanText(value)
  if (isWhole || text.length <= TEXT_MAX) return <span className="t-string">{text === '' ? '""' : text}</span>
  return (
    <>
      <span className="t-string">{text.slice(0, TEXT_MAX)}…</span>{' '}
      <button type="button" className="more" onClick={() => setWhole(true)}>
        Show all {text.length.toLocaleString('en')} characters
      </button>
    </>
  )
}
