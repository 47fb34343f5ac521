// The frame around every page: where one is, where one can go, what the server has to tell, and the search that opens
// from anywhere. Pages are loaded when they are opened.

import { useQueryClient } from '@tanstack/react-query'
import type { ComponentType, JSX } from 'react'
import { Suspense, useReducer, useRef, useState } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import { hearHeads } from './conversation/keep-head.ts'
import { hearHome } from './home/keep-home.ts'
import { useLive } from './live.ts'
import { factsAfter, NO_FACTS } from './live-facts.ts'
import { Banners } from './parts/banners.tsx'
import { Bar } from './parts/bar.tsx'
import { Dialog } from './parts/dialog.tsx'
import { ErrorBoundary } from './parts/error-boundary.tsx'
import { KeyboardHelp } from './parts/keyboard-help.tsx'
import { later } from './parts/later.ts'
import { NotFound } from './parts/not-found.tsx'
import { Page } from './parts/page.tsx'
import { useArrival } from './parts/scroll.ts'
import { useShortcuts } from './parts/shortcuts.ts'
import { TypedAhead } from './search/typed-ahead.tsx'

const HomePage = later(async () => (await import('./home/home-page.tsx')).HomePage)
const ConversationPage = later(async () => (await import('./conversation/conversation-page.tsx')).ConversationPage)
const UsagePage = later(async () => (await import('./usage/usage-page.tsx')).UsagePage)
const JournalPage = later(async () => (await import('./journal/journal-page.tsx')).JournalPage)
const HealthPage = later(async () => (await import('./health/health-page.tsx')).HealthPage)
const SearchPalette = later(async () => (await import('./search/search-palette.tsx')).SearchPalette)

const ROUTES: readonly { readonly path: string; readonly title: string; readonly of: ComponentType }[] = [
  { path: '/', title: 'Conversations', of: HomePage },
  { path: '/c/:id', title: 'Conversation', of: ConversationPage },
  { path: '/c/:id/:agent', title: 'Subagent', of: ConversationPage },
  { path: '/usage', title: 'Usage', of: UsagePage },
  { path: '/journal', title: 'Journal', of: JournalPage },
  { path: '/journal/:day', title: 'Journal', of: JournalPage },
  { path: '/health', title: 'Health', of: HealthPage },
]

type Layer = 'search' | 'keys' | null

export function App(): JSX.Element {
  const queries = useQueryClient()
  const [, go] = useLocation()
  const [layer, setLayer] = useState<Layer>(null)
  const [facts, hearFacts] = useReducer(factsAfter, NO_FACTS)
  useLive(
    null,
    (message) => {
      hearFacts(message)
      hearHome(queries, message)
      hearHeads(queries, message)
    },
    () => void queries.invalidateQueries(),
  )
  useArrival()
  useShortcuts({
    'Mod+k': () => setLayer(layer === 'search' ? null : 'search'),
    '/': () => setLayer('search'),
    '?': () => setLayer('keys'),
    'g h': () => go('/'),
    'g u': () => go('/usage'),
    'g j': () => go('/journal'),
    'g d': () => go('/health'),
  })
  const close = (): void => setLayer(null)
  return (
    <div className="frame">
      <a className="skip" href="#main">
        Skip to content
      </a>
      <Bar running={facts.running} onSearch={() => setLayer('search')} onKeys={() => setLayer('keys')} />
      <Banners indexing={facts.indexing} />
      <main id="main" tabIndex={-1}>
        <Switch>
          {ROUTES.map(({ path, title, of }) => (
            <Route key={path} path={path}>
              <Page title={title} of={of} />
            </Route>
          ))}
          <Route>
            <Page title="Not found" of={NotFound} />
          </Route>
        </Switch>
      </main>
      {layer === 'search' ? (
        <Dialog label="Search" className="search-dialog" onClose={close}>
          <ErrorBoundary>
            <Search onClose={close} />
          </ErrorBoundary>
        </Dialog>
      ) : null}
      {layer === 'keys' ? <KeyboardHelp onClose={close} /> : null}
    </div>
  )
}

function Search({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const typed = useRef('')
  const keep = (text: string): void => {
    typed.current = text
  }
  return (
    <Suspense fallback={<TypedAhead onType={keep} />}>
      <SearchPalette typedAhead={typed} onClose={onClose} />
    </Suspense>
  )
}
