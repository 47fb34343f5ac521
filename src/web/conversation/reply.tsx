// What the model wrote: text as Markdown, thinking folded, one line for each tool call.

import type { JSX } from 'react'
import type { BlockView, RowView } from '../../server/api/rows.ts'
import { shortModel } from '../parts/units.ts'
import { Markdown } from '../text/markdown.tsx'
import { PlainText } from '../text/plain-text.tsx'
import { apiOf } from './address.ts'
import { Call } from './call.tsx'
import { Fold } from './fold.tsx'
import { LongText } from './long-text.tsx'
import { choiceOf, useTalk } from './talk.ts'

type ReplyRow = Extract<RowView, { kind: 'reply' }>

export function Reply({
  row,
  owner,
  saysModel,
}: {
  readonly row: ReplyRow
  readonly owner: string
  readonly saysModel: boolean
}): JSX.Element {
  return (
    <>
      {saysModel && row.model !== null ? <p className="speaker">{shortModel(row.model)}</p> : null}
      {row.blocks.map((block) => (
        <ReplyBlock key={block.block} block={block} row={row} owner={owner} />
      ))}
    </>
  )
}

function ReplyBlock({
  block,
  row,
  owner,
}: {
  readonly block: BlockView
  readonly row: ReplyRow
  readonly owner: string
}): JSX.Element {
  const talk = useTalk()
  const choice = choiceOf(talk, owner)
  const path = apiOf(talk.id, 'text', choice, { ref: row.ref, block: block.block })
  switch (block.kind) {
    case 'text':
      return (
        <LongText text={block.text} path={path}>
          {(text) => <Markdown text={text} />}
        </LongText>
      )
    case 'thinking':
      return block.isStored ? (
        <Fold
          name={`thinking ${row.ref} ${block.block}`}
          className="thinking"
          summary={
            <>
              <span className="label">Thinking</span> <span className="excerpt">{block.text.text.slice(0, 160)}</span>
            </>
          }
        >
          <LongText text={block.text} path={path}>
            {(text) => <PlainText text={text} />}
          </LongText>
        </Fold>
      ) : (
        <p className="thinking note">Thinking was not stored by this client</p>
      )
    case 'call':
      return <Call line={block.call} row={row} owner={owner} />
    case 'other':
      return (
        <div className="unknown">
          <span className="label">Block</span> <code>{block.type}</code>{' '}
          <button
            type="button"
            className="more"
            onClick={() => talk.showRaw(block.type, apiOf(talk.id, 'record', choice, { ref: row.ref }))}
          >
            Show raw JSON
          </button>
        </div>
      )
  }
}
