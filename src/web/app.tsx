// The frame around every page: where one is, where one can go, and the search that opens from anywhere. Pages are
// loaded when they are opened.

import type { JSX } from 'react'
import { lazy, Suspense } from 'react'
import { Link, Route, Switch, useLocation } from 'wouter'
import { Loading } from './parts/states.tsx'

const HomePage = lazy(async () => ({ default: (await import('./home/home-page.tsx')).HomePage }))
const ConversationPage = lazy(async () => ({
  default: (await import('./conversation/conversation-page.tsx')).ConversationPage,
}))
const UsagePage = lazy(async () => ({ default: (await import('./usage/usage-page.tsx')).UsagePage }))
const JournalPage = lazy(async () => ({ default: (await import('./journal/journal-page.tsx')).JournalPage }))
const HealthPage = lazy(async () => ({ default: (await import('./health/health-page.tsx')).HealthPage }))

const PAGES = [
  { href: '/', name: 'Conversations' },
  { href: '/usage', name: 'Usage' },
  { href: '/journal', name: 'Journal' },
  { href: '/health', name: 'Health' },
] as const

export function App(): JSX.Element {
  const [location] = useLocation()
  return (
    <div className="frame">
      <a className="skip" href="#main">
        Skip to content
      </a>
      <header className="bar">
        <Link href="/" className="brand">
          Clew
        </Link>
        <nav aria-label="Pages">
          {PAGES.map(({ href, name }) => (
            <Link key={href} href={href} aria-current={location === href ? 'page' : undefined}>
              {name}
            </Link>
          ))}
        </nav>
      </header>
      <main id="main">
        <Suspense fallback={<Loading />}>
          <Switch>
            <Route path="/" component={HomePage} />
            <Route path="/c/:id" component={ConversationPage} />
            <Route path="/c/:id/:agent" component={ConversationPage} />
            <Route path="/usage" component={UsagePage} />
            <Route path="/journal" component={JournalPage} />
            <Route path="/journal/:day" component={JournalPage} />
            <Route path="/health" component={HealthPage} />
          </Switch>
        </Suspense>
      </main>
    </div>
  )
}
