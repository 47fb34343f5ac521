// A conversation being read: the list of its Rows, the outline beside it, what is above it, and the keys.

import type { JSX } from 'react'
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { ConversationHead, ReadingHead, SubagentHead } from '../../server/api/conversation.ts'
import { Empty, Failed } from '../parts/states.tsx'
import { counted } from '../parts/units.ts'
import { SCROLLS } from '../text/scrolls.ts'
import type { Choice } from './address.ts'
import { pageOf } from './address.ts'
import { AbandonedBanner } from './branch-strip.tsx'
import { useMarkedWords } from './find.ts'
import { FindBox } from './find-box.tsx'
import { FoldsContext, newFolds } from './folds.ts'
import { TalkHead } from './head.tsx'
import { useHits } from './hits.ts'
import { useJump } from './jump.ts'
import type { BeginPlace } from './left-place.ts'
import { useLeaving } from './left-place.ts'
import { useLiveRows } from './live-rows.ts'
import { useOpenAgents } from './open-agents.ts'
import { Outline } from './outline.tsx'
import { PlaceView } from './place-view.tsx'
import type { ListPlace } from './plan.ts'
import { placeAt, planOf, rangeAround } from './plan.ts'
import type { RawWanted } from './raw-dialog.tsx'
import { RawDialog } from './raw-dialog.tsx'
import { isOtherModel } from './speaker.ts'
import { useStoreChanges, useStores } from './stores.ts'
import type { Talk } from './talk.ts'
import { TalkContext } from './talk.ts'
import { useTalkKeys } from './talk-keys.ts'
import { TalkList } from './talk-list.tsx'
import { Timeline } from './timeline.tsx'
import { Toolbar } from './toolbar.tsx'
import type { InView, ListHandle } from './virtual-rows.ts'

export interface TalkViewProps {
  readonly id: string
  readonly choice: Choice
  readonly head: ConversationHead
  readonly reading: ReadingHead
  readonly agents: readonly SubagentHead[]
  readonly address: string
  readonly begin: BeginPlace | null
  readonly isLost: boolean
  readonly words: string
  readonly onStale: () => void
}

/** So many more Rows are asked for than are drawn, so that they are there when one comes to them. */
const AHEAD = 40

export function TalkView(props: TalkViewProps): JSX.Element {
  const { id, choice, head, reading, agents, begin, isLost, onStale } = props
  const stores = useStores(id, choice, reading, onStale)
  useStoreChanges(stores.rows)
  const total = stores.rows.total()
  const scroller = useRef<HTMLDivElement>(null)
  const [handle, setHandle] = useState<ListHandle | null>(null)
  const view = useRef<InView | null>(null)
  const [row, setRow] = useState(0)
  const [around, setAround] = useState(begin?.row ?? (head.row.running === null ? 0 : total))
  const openAgents = useOpenAgents(id)
  const { from, to } = rangeAround(around, total)
  const plan = useMemo(() => planOf({ from, to, total }, openAgents.open), [from, to, total, openAgents.open])
  const folds = useMemo(newFolds, [])
  const [raw, setRaw] = useState<RawWanted | null>(null)
  const [said, setSaid] = useState('')
  const [isTimeline, setTimeline] = useState(false)
  const [isDrawer, setDrawer] = useState(false)

  const jump = useJump({ plan, handle, scroller, stores, openAgents, setAround })
  const live = useLiveRows({
    id,
    choice,
    head,
    reading,
    stores,
    view,
    scroller,
    jump,
    onStale,
    hasBegin: begin !== null,
  })
  const find = useHits({ id, choice, version: reading.version, words: props.words, row, view, scroller, jump })
  useMarkedWords(scroller, find.find.words)
  // Once for each visit: when its row has another number, who reads on elsewhere is not taken back to it.
  const begun = useRef<number | null>(null)
  useLayoutEffect(() => {
    if (begin === null || begun.current === begin.visit) return
    const { visit, row, offset } = begin
    const isFirst = begun.current === null
    begun.current = visit
    jump.to({ owner: '', row, isTarget: offset === null, isFirst, ...(offset === null ? {} : { offset }) })
  }, [begin, jump.to])
  useLeaving({ address: props.address, handle, scroller, rows: stores.rows, isRunning: head.row.running !== null })

  const closeDrawer = (): void => {
    setDrawer(false)
    scroller.current?.focus({ preventScroll: true })
  }
  const [, navigate] = useLocation()
  useTalkKeys({
    id,
    choice,
    head,
    stores,
    folds,
    view,
    jump,
    find,
    plan,
    scroller,
    rowAt: (place) => storeAt(place)?.get(place.row),
    toggleTimeline: () => setTimeline(!isTimeline),
    closeDrawer: isDrawer ? closeDrawer : null,
    navigate,
    announce: setSaid,
  })

  const storeAt = (place: ListPlace) => (place.owner === '' ? stores.rows : openAgents.storeOf(place.owner))
  const [, setAtEnd] = useState(false)
  const onView = useCallback(
    (seen: InView): void => {
      view.current = seen
      const drawn = new Map<string, readonly [number, number]>()
      for (let index = seen.from; index < seen.to; index++) {
        const place = placeAt(plan, index)
        if (place?.kind !== 'rows') continue
        const [low, high] = drawn.get(place.owner) ?? [place.row, place.row]
        drawn.set(place.owner, [Math.min(low, place.row), Math.max(high, place.row)])
      }
      for (const [owner, [low, high]] of drawn)
        (owner === '' ? stores.rows : openAgents.storeOf(owner))?.want(Math.max(0, low - AHEAD), high + 1 + AHEAD)
      if (seen.first.owner === '') setRow(seen.first.row)
      setAtEnd(seen.isAtEnd)
    },
    [stores, openAgents, plan],
  )
  const talk: Talk = useMemo(
    () => ({
      id,
      head,
      choice,
      agents: new Map(agents.map((agent) => [agent.agentId, agent])),
      showRaw: (title, path) => setRaw({ title, path }),
      toggleAgent: openAgents.toggle,
      isAgentOpen: openAgents.isOpen,
      announce: setSaid,
    }),
    [id, head, choice, agents, openAgents],
  )
  const branch = head.branches.find(({ number }) => number === reading.branch)
  const failure = stores.rows.failure()
  return (
    <TalkContext value={talk}>
      <FoldsContext value={folds}>
        <div className={`talk ${isDrawer ? 'has-drawer' : ''}`} data-conversation={id}>
          <Toolbar
            choice={choice}
            id={id}
            isTimeline={isTimeline}
            isDrawer={isDrawer}
            onTimeline={() => setTimeline(!isTimeline)}
            onDrawer={() => setDrawer(!isDrawer)}
            onFind={find.open}
          >
            {find.isOpen ? <FindBox {...find} onStep={find.step} onClose={find.close} /> : null}
          </Toolbar>
          {live.stalled === null ? null : (
            <p className="banner warn" role="alert">
              What is being written cannot be read now ({live.stalled}). It is tried again every second.
            </p>
          )}
          {head.row.isGone ? (
            <p className="banner warn" role="alert">
              The file of this conversation was deleted. What was loaded of it can still be read here.
            </p>
          ) : null}
          {isTimeline ? (
            <Timeline
              id={id}
              choice={choice}
              version={reading.version}
              row={row}
              onJump={(to) => jump.to({ owner: '', row: to, isTarget: true })}
            />
          ) : null}
          <div className="talk-columns">
            <Outline
              store={stores.turns}
              total={reading.turns}
              row={row}
              onJump={(to) => {
                setDrawer(false)
                jump.to({ owner: '', row: to, isTarget: false })
              }}
            />
            <section className="talk-scroll" ref={scroller} aria-label="Conversation" {...SCROLLS}>
              <TalkHead
                head={head}
                choice={choice}
                agent={agents.find(({ agentId }) => agentId === choice.agent) ?? null}
              />
              <div className="notes">
                {isLost ? (
                  <p className="talk-note" role="alert">
                    This link leads to a record that is not in this conversation.
                  </p>
                ) : null}
                {choice.reading === 'context' ? <ContextBanner id={id} choice={choice} /> : null}
                {branch !== undefined && !branch.isLive && choice.agent === null ? (
                  <AbandonedBanner branch={branch} />
                ) : null}
                {failure === null ? null : <Failed error={failure} onRetry={stores.rows.retry} />}
              </div>
              {total === 0 ? (
                <Empty title="Nothing was said yet">
                  <p>{head.row.firstPrompt ?? 'There is no turn in this conversation.'}</p>
                </Empty>
              ) : (
                <TalkList
                  plan={plan}
                  scroller={scroller}
                  onView={onView}
                  onReady={setHandle}
                  draw={(place) => {
                    const drawn = storeAt(place)?.get(place.row)
                    return (
                      <PlaceView
                        place={place}
                        row={drawn}
                        reading={reading}
                        isTarget={jump.target?.owner === place.owner && jump.target.row === place.row}
                        saysModel={drawn !== undefined && isOtherModel(drawn, (before) => storeAt(place)?.get(before))}
                        error={place.owner === '' ? null : openAgents.errorOf(place.owner)}
                        onEarlier={() => setAround(Math.max(0, from - 1))}
                        onLater={() => setAround(to)}
                      />
                    )
                  }}
                />
              )}
            </section>
          </div>
          {live.newRows > 0 ? (
            <button type="button" className="new-rows" onClick={live.goToEnd}>
              {live.newRows.toLocaleString('en')} new ↓
            </button>
          ) : null}
          <p className="unseen" role="status" aria-live="polite">
            {said || (live.newRows > 0 ? `${counted(live.newRows, 'new row')}` : '')}
          </p>
          {raw === null ? null : <RawDialog wanted={raw} onClose={() => setRaw(null)} />}
        </div>
      </FoldsContext>
    </TalkContext>
  )
}

function ContextBanner({ id, choice }: { readonly id: string; readonly choice: Choice }): JSX.Element {
  const [, navigate] = useLocation()
  return (
    <p className="talk-note" role="note">
      {choice.at === null ? 'What the model sees when this is resumed.' : 'What the model saw at this point.'}{' '}
      <button
        type="button"
        className="more"
        onClick={() => navigate(pageOf(id, { ...choice, reading: 'full', at: null }))}
      >
        Back to what was said
      </button>
    </p>
  )
}
