// What was found, conversation by conversation. The field above keeps the focus; this list only shows which place is meant.

import type { JSX } from 'react'
import type { SearchHitView } from '../../server/api/search.ts'
import { useNowMs } from '../parts/now.ts'
import { age, counted, lastName } from '../parts/units.ts'
import { Marked } from './marked.tsx'
import type { HitGroup, HitPlace } from './places.ts'

export interface HitListProps {
  readonly groups: readonly HitGroup[]
  readonly chosen: number
  readonly onPoint: (number: number) => void
  readonly onGo: (href: string) => void
}

export const LIST_ID = 'found'

export function optionId(number: number): string {
  return `found-${number}`
}

export function HitList({ groups, chosen, onPoint, onGo }: HitListProps): JSX.Element {
  return (
    // The arrow keys of the field above move through it.
    <div className="found" id={LIST_ID} role="listbox" aria-label="Found places">
      {groups.map((group) => (
        <fieldset key={group.id} className="found-group" aria-labelledby={`group-${group.id}`}>
          <div className="found-head" id={`group-${group.id}`} role="presentation">
            <span className="found-title one-line" dir="auto">
              {group.title === '' ? 'No title' : group.title}
            </span>
            <span className="found-project">{lastName(group.project)}</span>
            {group.isGone ? <span className="badge warn">deleted since</span> : null}
          </div>
          {group.places.map((place) => (
            <Option key={place.number} place={place} isChosen={place.number === chosen} onPoint={onPoint} onGo={onGo} />
          ))}
        </fieldset>
      ))}
    </div>
  )
}

interface OptionProps {
  readonly place: HitPlace
  readonly isChosen: boolean
  readonly onPoint: (number: number) => void
  readonly onGo: (href: string) => void
}

function Option({ place, isChosen, onPoint, onGo }: OptionProps): JSX.Element {
  const { number, href, hit, more } = place
  return (
    <div
      className="found-place"
      id={optionId(number)}
      role="option"
      aria-selected={isChosen}
      tabIndex={-1}
      onMouseMove={() => onPoint(number)}
      onClick={() => onGo(href)}
      onKeyDown={({ key }) => (key === 'Enter' ? onGo(href) : undefined)}
    >
      {hit === null ? (
        <span className="found-more">{counted(more, 'more turn')} in this conversation</span>
      ) : (
        <Hit hit={hit} />
      )}
    </div>
  )
}

const NAMES: Readonly<Record<string, string>> = {
  prompts: 'Prompt',
  replies: 'Reply',
  thinking: 'Thinking',
  tools: 'Tool',
  files: 'File',
  commands: 'Command',
  titles: 'Title',
}

function Hit({ hit }: { readonly hit: SearchHitView }): JSX.Element {
  const nowMs = useNowMs()
  const { field, snippet, agentId, turn, ms, isLoose } = hit
  const isCode = field === 'tools' || field === 'files' || field === 'commands'
  const place = agentId !== null ? 'subagent' : turn !== null && turn > 0 ? `turn ${turn}` : ''
  return (
    <>
      <span className={`found-field ${field}`}>{NAMES[field] ?? field}</span>
      <span className={isCode ? 'found-text mono' : 'found-text'} dir="auto">
        {snippet === null ? <i className="faint">its words cannot be shown</i> : <Marked {...snippet} />}
        {isLoose ? <span className="found-loose"> comes close</span> : null}
      </span>
      <span className="found-facts">
        {[place, ms === null ? '' : age(ms, nowMs)].filter((fact) => fact !== '').join(' · ')}
      </span>
    </>
  )
}
