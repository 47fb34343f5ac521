// Code with a button to copy it. It is there at once as plain text; its colours come when the browser has time.

import type { JSX } from 'react'
import { memo, useEffect, useState } from 'react'
import { CopyButton } from './copy-button.tsx'
import type { CodeLine } from './highlight.ts'
import { highlightCode, highlightedBefore } from './highlight.ts'
import { SCROLLS } from './scrolls.ts'
import './text.css'

export const CodeBlock = memo(function CodeBlock({
  text,
  language,
}: {
  readonly text: string
  readonly language: string
}): JSX.Element {
  return (
    <div className="code">
      <div className="code-head">
        <span>{language}</span>
        <CopyButton text={text} />
      </div>
      <section aria-label={`Code${language === '' ? '' : `, ${language}`}`} className="code-scroll" {...SCROLLS}>
        <pre>
          <code>
            <CodeText text={text} language={language} />
          </code>
        </pre>
      </section>
    </div>
  )
})

export function CodeText({ text, language }: { readonly text: string; readonly language: string }): JSX.Element {
  const lines = useHighlighted(text, language)
  if (lines === null) return <>{text}</>
  return (
    <>
      {lines.map((line) => (
        <span key={line.offset}>
          {line.tokens.map((token) =>
            token.kind === null ? (
              token.text
            ) : (
              <span key={token.offset} className={`t-${token.kind}`}>
                {token.text}
              </span>
            ),
          )}
          {'\n'}
        </span>
      ))}
    </>
  )
}

function useHighlighted(text: string, language: string): readonly CodeLine[] | null {
  const [found, setFound] = useState<{ readonly text: string; readonly lines: readonly CodeLine[] } | null>(() => {
    const lines = highlightedBefore(text, language)
    return lines === null ? null : { text, lines }
  })
  useEffect(() => {
    const leaving = new AbortController()
    void highlightCode(text, language, leaving.signal).then((lines) => {
      if (lines !== null && !leaving.signal.aborted) setFound({ text, lines })
    })
    return () => leaving.abort()
  }, [text, language])
  return found?.text === text ? found.lines : null
}
