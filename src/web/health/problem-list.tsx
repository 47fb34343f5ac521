// What is wrong, kind by kind, the worst first: what it means, what Clew does about it, and where it stands.

import type { JSX } from 'react'
import { Link } from 'wouter'
import type { FileHealth, Health, ProblemTally, ProblemView } from '../../server/api/health.ts'
import { count, counted, lastName } from '../parts/units.ts'
import { conversationHref } from './conversation-href.ts'
import type { RawPlace } from './raw-line.tsx'

export interface ProblemListProps {
  readonly health: Health
  readonly chosen: RawPlace | null
  readonly onOpen: (place: RawPlace) => void
}

const FILES_SHOWN = 8
const PLACES_SHOWN = 12

const SEVERITIES: Readonly<Record<string, readonly [string, string]>> = {
  'data-loss': ['bad', 'Bytes lost'],
  error: ['warn', 'Wrong, but read'],
  info: ['', 'Worth knowing'],
}

export function ProblemList({ health, chosen, onOpen }: ProblemListProps): JSX.Element {
  const { codes, files, filesLeft } = health
  return (
    <section className="health-part" aria-labelledby="problems">
      <h2 id="problems">Problems</h2>
      {codes.length === 0 ? <p className="health-good">None. Every line of every file was read.</p> : null}
      {codes.map((tally) => (
        <Kind key={tally.code} tally={tally} files={files} chosen={chosen} onOpen={onOpen} />
      ))}
      {filesLeft > 0 ? (
        <p className="small soft">
          {counted(filesLeft, 'more file')} with problems; <code>clew check</code> lists all of them.
        </p>
      ) : null}
    </section>
  )
}

interface KindProps extends Pick<ProblemListProps, 'chosen' | 'onOpen'> {
  readonly tally: ProblemTally
  readonly files: readonly FileHealth[]
}

function Kind({ tally, files, chosen, onOpen }: KindProps): JSX.Element {
  const { code, severity, meaning, deed, count: times } = tally
  const [tone, words] = SEVERITIES[severity] ?? ['', severity]
  const own = files
    .map((file) => ({ file, problems: file.problems.filter((problem) => problem.code === code) }))
    .filter(({ problems }) => problems.length > 0)
  const left = tally.files - Math.min(own.length, FILES_SHOWN)
  return (
    <details className="kind" open={severity !== 'info'}>
      <summary>
        <span className={`badge ${tone}`}>{words}</span>
        <b>{meaning}</b>
        <span className="kind-count">
          {count(times)} in {counted(tally.files, 'file')}
        </span>
      </summary>
      <p className="small soft kind-deed">
        <code>{code}</code> · Clew {deed}
      </p>
      <ul className="kind-files">
        {own.slice(0, FILES_SHOWN).map(({ file, problems }) => (
          <Place key={file.file} {...{ file, problems, chosen, onOpen }} />
        ))}
      </ul>
      {left > 0 ? <p className="small soft">and {counted(left, 'more file')}</p> : null}
    </details>
  )
}

interface PlaceProps extends Pick<ProblemListProps, 'chosen' | 'onOpen'> {
  readonly file: FileHealth
  readonly problems: readonly ProblemView[]
}

function Place({ file, problems, chosen, onOpen }: PlaceProps): JSX.Element {
  const href = conversationHref(file, null)
  // Two of a kind at one place are one to look at.
  const places = [...new Map(problems.map((problem) => [`${problem.offset} ${problem.message}`, problem]))]
  const left = places.length - PLACES_SHOWN
  return (
    <li>
      <span className="kind-file">
        {href === null ? null : (
          <Link href={href} className="kind-title one-line" dir="auto">
            {file.title === null || file.title === '' ? 'No title' : file.title}
          </Link>
        )}
        <span className="kind-path" title={file.path}>
          {file.agentId === null ? '' : 'subagent · '}
          {lastName(file.path)}
        </span>
      </span>
      <span className="kind-places">
        {places.slice(0, PLACES_SHOWN).map(([name, problem]) => (
          <PlaceButton key={name} {...{ file, problem, chosen, onOpen }} />
        ))}
        {left > 0 ? <span className="small soft">and {count(left)} more</span> : null}
      </span>
    </li>
  )
}

interface PlaceButtonProps extends Pick<ProblemListProps, 'chosen' | 'onOpen'> {
  readonly file: FileHealth
  readonly problem: ProblemView
}

function PlaceButton({ file, problem, chosen, onOpen }: PlaceButtonProps): JSX.Element {
  const { line, offset, length, message } = problem
  if (line === null || offset === null || length === null) return <span className="small soft">{message}</span>
  const isChosen = chosen?.file === file.file && chosen.offset === offset
  return (
    <button
      type="button"
      className={isChosen ? 'chip chosen' : 'chip'}
      title={`${message}; byte ${count(offset)}`}
      aria-expanded={isChosen}
      onClick={() => onOpen({ file: file.file, line, offset, length })}
    >
      line {count(line)}
    </button>
  )
}
