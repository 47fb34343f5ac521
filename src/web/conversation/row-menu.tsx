// What can be done with a Row: link to it, copy it, see the record behind it, or what the model saw at that moment.

import type { JSX } from 'react'
import { useLocation } from 'wouter'
import type { RowView } from '../../server/api/rows.ts'
import { askText } from '../ask.ts'
import { apiOf, pageOf } from './address.ts'
import type { MenuChoice } from './menu.tsx'
import { Menu } from './menu.tsx'
import { choiceOf, useTalk } from './talk.ts'

export function RowMenu({ row, owner }: { readonly row: RowView; readonly owner: string }): JSX.Element {
  const talk = useTalk()
  const [, navigate] = useLocation()
  const choice = choiceOf(talk, owner)
  const choices: MenuChoice[] = [
    {
      name: 'Copy link',
      run: async () => {
        await navigator.clipboard.writeText(linkTo(pageOf(talk.id, choice, recordName(row))))
        talk.announce('Link copied')
      },
    },
    {
      name: 'Copy turn as Markdown',
      run: async () => {
        await navigator.clipboard.writeText(await askText(apiOf(talk.id, 'markdown', choice, { turn: row.turn })))
        talk.announce('Markdown copied')
      },
    },
    {
      name: 'Raw JSON',
      run: () => talk.showRaw(`Line ${row.line}`, apiOf(talk.id, 'record', choice, { ref: row.ref })),
    },
  ]
  if (row.kind === 'prompt' || row.kind === 'reply' || row.kind === 'result')
    choices.push({
      name: 'What the model saw here',
      run: () => navigate(pageOf(talk.id, { ...choice, reading: 'context', at: row.ref }, recordName(row))),
    })
  return <Menu label={`Actions for line ${row.line}`} choices={choices} />
}

/** As permalinks name a record: by its uuid, or by where its line begins. */
export function recordName(row: RowView): string {
  return row.uuid ?? `@${row.ref.split('.')[1] ?? ''}`
}

export function linkTo(page: string): string {
  return new URL(page, window.location.href).href
}
