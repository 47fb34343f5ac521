// A conversation whose file was deleted and of which there is no copy: what is still known of it, and what keeps the
// others from going the same way.

import type { JSX } from 'react'
import { Link } from 'wouter'
import type { ConversationHead } from '../../server/api/conversation.ts'
import { PlainText } from '../text/plain-text.tsx'
import { SCROLLS } from '../text/scrolls.ts'
import { WHOLE } from './address.ts'
import { TalkHead } from './head.tsx'
import { dayOf } from './words.ts'
import './gone.css'

export function isUnreadable({ row, reading }: ConversationHead): boolean {
  return row.isGone && reading.rows === 0
}

export function GoneTalk({ head }: { readonly head: ConversationHead }): JSX.Element {
  const { row, transcripts } = head
  return (
    <div className="talk gone" data-conversation={row.id}>
      <section className="talk-scroll" aria-label="Conversation" {...SCROLLS}>
        <TalkHead head={head} choice={WHOLE} agent={null} />
        <div className="talk-note" role="note">
          <p>
            <strong>The file of this conversation was deleted.</strong> Claude Code does that with transcripts that
            nobody has gone on with for a while. What was said in it can no longer be read.
          </p>
          <p>
            <code>clew archive</code> keeps copies from now on. <Link href="/health">Health</Link> says which
            conversations go next, and how to make Claude Code keep them longer.
          </p>
        </div>
        <dl className="known">
          <dt>First prompt</dt>
          <dd>{row.firstPrompt === null ? 'There was none.' : <PlainText text={row.firstPrompt} />}</dd>
          <dt>Ran in</dt>
          <dd>
            <code>{row.project}</code>
          </dd>
          {row.createdMs === null ? null : (
            <>
              <dt>Begun</dt>
              <dd>{dayOf(row.createdMs)}</dd>
            </>
          )}
          <dt>Last written</dt>
          <dd>{dayOf(row.modifiedMs)}</dd>
          <dt>Its file was</dt>
          <dd>
            {transcripts.map((path) => (
              <code key={path}>{path}</code>
            ))}
          </dd>
        </dl>
        <p className="known-back">
          <Link href="/">All conversations</Link>
        </p>
      </section>
    </div>
  )
}
