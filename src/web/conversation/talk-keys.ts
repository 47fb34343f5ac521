// What each key does on this page.

import type { RefObject } from 'react'
import type { ConversationHead } from '../../server/api/conversation.ts'
import type { RowView } from '../../server/api/rows.ts'
import { useShortcuts } from '../parts/shortcuts.ts'
import type { Choice } from './address.ts'
import { pageOf } from './address.ts'
import type { Folds } from './folds.ts'
import type { Hits } from './hits.ts'
import type { Jump } from './jump.ts'
import type { ListPlace, Plan } from './plan.ts'
import { linkTo, recordName } from './row-menu.tsx'
import type { RowStore, TurnStore } from './stores.ts'
import { callFold } from './talk.ts'
import { turnBeside } from './turns.ts'
import type { InView } from './virtual-rows.ts'

const SCROLLING = ['pagedown', 'pageup', 'arrowdown', 'arrowup', 'home', 'end', ' '] as const

export function useTalkKeys({
  id,
  choice,
  head,
  stores,
  folds,
  view,
  jump,
  find,
  scroller,
  rowAt,
  toggleTimeline,
  closeDrawer,
  navigate,
  announce,
}: {
  readonly id: string
  readonly choice: Choice
  readonly head: ConversationHead
  readonly stores: { readonly rows: RowStore; readonly turns: TurnStore }
  readonly folds: Folds
  readonly view: RefObject<InView | null>
  readonly jump: Jump
  readonly find: Hits
  readonly plan: Plan
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly rowAt: (place: ListPlace) => RowView | undefined
  readonly toggleTimeline: () => void
  /** Null where it is closed. */
  readonly closeDrawer: (() => void) | null
  readonly navigate: (page: string) => void
  readonly announce: (text: string) => void
}): void {
  const focusedRow = (): number => {
    const article = document.activeElement?.closest<HTMLElement>('article[data-owner=""]')
    return Number(article?.dataset['row'] ?? view.current?.first.row ?? 0)
  }
  const goTurn = (step: 1 | -1): void => {
    void turnBeside(stores.turns, focusedRow(), step).then((turn) => {
      if (turn !== undefined) jump.to({ owner: '', row: turn.row, isTarget: false })
    })
  }
  const goBranch = (step: 1 | -1): void => {
    const numbers = head.branches.map(({ number }) => number)
    const live = head.branches.find(({ isLive }) => isLive)?.number ?? 0
    const at = numbers.indexOf(choice.branch ?? live)
    // Those of a subagent are none of these.
    const next = choice.agent === null ? numbers[at + step] : undefined
    if (next !== undefined)
      navigate(pageOf(id, { ...choice, reading: 'full', at: null, branch: next === live ? null : next }))
  }
  const foldCalls = (isOpen: boolean): void => {
    // What was opened has pushed others out of view: closing takes in whatever is drawn.
    const drawn = [...(scroller.current?.querySelectorAll<HTMLElement>('article[data-row]') ?? [])]
    for (const article of isOpen ? articlesInView(scroller.current) : drawn) {
      const place = {
        owner: article.dataset['owner'] ?? '',
        row: Number(article.dataset['row']),
        kind: 'rows',
        depth: 0,
      } as const
      const row = rowAt(place)
      if (row?.kind !== 'reply') continue
      for (const block of row.blocks) if (block.kind === 'call') folds.set(callFold(row.ref, block.call.id), isOpen)
    }
  }
  const copyLink = (): void => {
    const row = stores.rows.get(focusedRow())
    if (row === undefined) return
    void navigator.clipboard.writeText(linkTo(pageOf(id, choice, recordName(row)))).then(
      () => announce('Link copied'),
      () => announce('Could not copy'),
    )
  }
  const toEnd = (): void => jump.toEnd(true)
  const closeCalls = (): void => foldCalls(false)
  const stepBack = (): void => find.step(-1)
  /** A browser scrolls what has the focus, and at first that is not the conversation. */
  const scroll = (): false => {
    const active = document.activeElement
    if (active === document.body || active?.id === 'main') scroller.current?.focus({ preventScroll: true })
    return false
  }
  useShortcuts({
    j: () => goTurn(1),
    k: () => goTurn(-1),
    o: () => focusedCall()?.click(),
    e: () => foldCalls(true),
    E: closeCalls,
    t: toggleTimeline,
    escape: () => {
      if (closeDrawer !== null) closeDrawer()
      else if (find.isOpen) find.close()
      else return false
    },
    f: find.open,
    n: () => find.step(1),
    N: stepBack,
    '[': () => goBranch(-1),
    ']': () => goBranch(1),
    h: () => goBranch(-1),
    l: () => goBranch(1),
    'g g': () => jump.to({ owner: '', row: 0, isTarget: false }),
    G: toEnd,
    y: copyLink,
    ...Object.fromEntries(SCROLLING.map((key) => [key, scroll])),
  })
}

function focusedCall(): HTMLElement | null | undefined {
  const active = document.activeElement
  return (active?.closest('.call') ?? active?.closest('article'))?.querySelector<HTMLElement>('.call-line')
}

function articlesInView(scroller: HTMLElement | null): readonly HTMLElement[] {
  if (scroller === null) return []
  const { top, bottom } = scroller.getBoundingClientRect()
  return [...scroller.querySelectorAll<HTMLElement>('article[data-row]')].filter((article) => {
    const box = article.getBoundingClientRect()
    return box.bottom > top && box.top < bottom
  })
}
