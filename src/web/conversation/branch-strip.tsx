// Where Branches part: which one is read, and how to get to the others. In an abandoned one, a way back.

import type { JSX } from 'react'
import { Link } from 'wouter'
import type { BranchHead, Fork } from '../../server/api/conversation.ts'
import { counted } from '../parts/units.ts'
import { pageOf } from './address.ts'
import { useTalk } from './talk.ts'
import { dayOf, timeOf } from './words.ts'

/** Below the Row from which they part. */
export function BranchStrip({ fork, current }: { readonly fork: Fork; readonly current: number }): JSX.Element {
  const talk = useTalk()
  const branches = fork.branches.flatMap((number) => talk.head.branches.find((one) => one.number === number) ?? [])
  const others = branches.filter(({ number }) => number !== current)
  return (
    <nav className="branches" aria-label="Branches from here">
      <span className="label">Branches from here</span>
      <span className="branch is-current">
        <span aria-hidden="true">● </span>this one
      </span>
      {others.map((branch) => (
        <Link
          key={branch.number}
          className="branch"
          href={pageOf(talk.id, { ...talk.choice, branch: branch.isLive ? null : branch.number }, branch.forkUuid)}
        >
          {branchWords(branch)}
        </Link>
      ))}
    </nav>
  )
}

export function branchWords(branch: BranchHead): string {
  const when =
    branch.startedMs === null || branch.isLive ? '' : `, ${dayOf(branch.startedMs)} ${timeOf(branch.startedMs)}`
  return `${branch.isLive ? 'live' : 'abandoned'}: ${counted(branch.turns, 'turn')}${when}`
}

export function AbandonedBanner({ branch }: { readonly branch: BranchHead }): JSX.Element {
  const talk = useTalk()
  return (
    <p className="talk-note" role="note">
      This is an abandoned branch of {counted(branch.turns, 'turn')}: the conversation went on elsewhere.{' '}
      <Link href={pageOf(talk.id, { ...talk.choice, branch: null }, branch.forkUuid)}>Back to the live branch</Link>
    </p>
  )
}
