import type { JSX } from 'react'
import type { Home } from '../../server/api/home.ts'
import { Empty } from '../parts/states.tsx'

/** Nothing at all: what to do next, or that it is still being read. */
export function NoConversations({ home }: { readonly home: Home }): JSX.Element {
  if (home.indexing !== null)
    return (
      <Empty title="Reading your sessions">
        <p>The first time takes a while. Conversations appear here as soon as they are known.</p>
      </Empty>
    )
  return (
    <Empty title="No conversations yet">
      <p>Clew shows what Claude Code writes down. It looked here and found nothing:</p>
      <ul className="looked">
        {home.roots.map((root) => (
          <li key={root}>
            <code>{root}</code>
          </li>
        ))}
      </ul>
      <p>
        Start a session with <code>claude</code>: it appears here by itself. Or stop Clew and name another place:{' '}
        <code>clew serve --root FOLDER</code>
      </p>
    </Empty>
  )
}
