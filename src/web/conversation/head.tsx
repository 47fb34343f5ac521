// What the conversation is: title, where and when, how long, what it cost, what it came from, and what to take from it.

import { useQuery } from '@tanstack/react-query'
import type { JSX } from 'react'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import type { ConversationHead, Hindrance, Relative, SubagentHead } from '../../server/api/conversation.ts'
import type { Activity } from '../../server/api/home.ts'
import { ask, askText } from '../ask.ts'
import { counted, lastName, money, shortModel, size } from '../parts/units.ts'
import { CopyButton } from '../text/copy-button.tsx'
import type { Choice } from './address.ts'
import { apiOf, pageOf } from './address.ts'
import { agentFacts } from './subagent-card.tsx'
import { durationOf, spanOf } from './words.ts'
import './head.css'

export function TalkHead({
  head,
  choice,
  agent,
}: {
  readonly head: ConversationHead
  readonly choice: Choice
  readonly agent: SubagentHead | null
}): JSX.Element {
  const { row } = head
  const { command, hindrance } = head.resume
  const cost = useCost(row.id)
  const facts = [
    lastName(row.project),
    row.gitBranch,
    row.model === null ? null : shortModel(row.model),
    spanOf(row.createdMs, row.modifiedMs),
    row.createdMs === null ? null : durationOf(row.modifiedMs - row.createdMs),
    counted(row.turns, 'turn'),
    size(row.sizeBytes),
    cost,
  ].filter((fact) => fact !== null && fact !== '')
  return (
    <header className="talk-head">
      {choice.agent === null ? null : (
        <nav className="crumbs" aria-label="Breadcrumb">
          <Link href={pageOf(row.id)}>
            <bdi>{row.title}</bdi>
          </Link>{' '}
          <span aria-hidden="true">›</span> <bdi aria-current="page">{agent?.description ?? choice.agent}</bdi>
        </nav>
      )}
      <h1 dir="auto">{choice.agent === null ? row.title : (agent?.description ?? `Subagent ${choice.agent}`)}</h1>
      <p className="facts">
        {(choice.agent === null || agent === null ? facts : [agent.type ?? 'Subagent', ...agentFacts(agent)]).map(
          (fact) => (
            <span key={fact}>{fact}</span>
          ),
        )}
      </p>
      <Badges head={head} />
      <Relatives
        name="Continues"
        id={row.id}
        relatives={head.parents.filter(({ relation }) => relation === 'continues')}
      />
      <Relatives name="Fork of" id={row.id} relatives={head.parents.filter(({ relation }) => relation === 'forkOf')} />
      <Relatives
        name="Continued by"
        id={row.id}
        relatives={head.children.filter(({ relation }) => relation === 'continues')}
      />
      <Relatives name="Forks" id={row.id} relatives={head.children.filter(({ relation }) => relation === 'forkOf')} />
      {/* Nobody can take along what is not there. */}
      {head.reading.rows === 0 && row.isGone ? null : (
        <div className="actions">
          {command === null ? null : <CopyButton text={command} label="Copy resume command" />}
          {hindrance === null ? null : (
            <Remedies hindrance={hindrance} isFinal={command === null} isOpen={row.isCopy} />
          )}
          <CopyButton text={() => askText(apiOf(row.id, 'markdown', choice))} label="Copy as Markdown" />
          <details className="files">
            <summary>Raw</summary>
            <ul>
              {head.transcripts.map((path) => (
                <li key={path}>
                  <code>{path}</code> <CopyButton text={path} label="Copy path" />
                </li>
              ))}
            </ul>
          </details>
        </div>
      )}
    </header>
  )
}

/** Why, and what helps: folded, because whoever reads needs neither, but of a copy everybody should know. */
function Remedies({
  hindrance: { why, remedies },
  isFinal,
  isOpen,
}: {
  readonly hindrance: Hindrance
  readonly isFinal: boolean
  readonly isOpen: boolean
}): JSX.Element {
  return (
    <details className="files" open={isOpen}>
      <summary>{isFinal ? 'Cannot be resumed' : 'Before you resume'}</summary>
      <p>{`${why[0]?.toUpperCase()}${why.slice(1)}.`}</p>
      <dl>
        {remedies.map(({ words, command }) => (
          <div key={command}>
            <dt>{words}</dt>
            <dd>
              <code>{command}</code> <CopyButton text={command} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

function Badges({ head: { row } }: { readonly head: ConversationHead }): JSX.Element | null {
  const badges = [
    row.running === null ? null : row.running,
    row.compactions === 0 ? null : `compacted ${row.compactions === 1 ? 'once' : `${row.compactions} times`}`,
    row.branches <= 1 ? null : counted(row.branches, 'branch', 'branches'),
    row.subagents === 0 ? null : counted(row.subagents, 'subagent'),
    row.problems === 0 ? null : counted(row.problems, 'problem'),
    row.tag,
  ].filter((badge) => badge !== null)
  if (badges.length === 0) return null
  return (
    <ul className="talk-badges" aria-label="Marks">
      {badges.map((badge) => (
        <li key={badge} className={`badge ${badge === row.running ? `is-${badge}` : ''}`}>
          {badge}
        </li>
      ))}
    </ul>
  )
}

function Relatives({
  name,
  id,
  relatives,
}: {
  readonly name: string
  readonly id: string
  readonly relatives: readonly Relative[]
}): JSX.Element | null {
  const others = relatives.filter((relative) => relative.id !== id)
  if (others.length === 0) return null
  return (
    <p className="relatives">
      {name}{' '}
      {others.map((relative) => (
        <Link key={relative.id} href={pageOf(relative.id)}>
          {relative.id.slice(0, 8)}
        </Link>
      ))}
    </p>
  )
}

const COST_LATER_MS = 600

/** The accounts of all conversations come later than the rest, and only once. */
function useCost(id: string): string | null {
  // All accounts are added up for it, while the first rows are asked for.
  const [isLater, setLater] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLater(true), COST_LATER_MS)
    return () => clearTimeout(timer)
  }, [])
  const activity = useQuery({
    queryKey: ['activity'],
    queryFn: ({ signal }) => ask<Activity>('activity', signal),
    enabled: isLater,
  })
  const cost = activity.data?.sessions[id]?.costUsd ?? null
  return cost === null ? null : money(cost)
}
