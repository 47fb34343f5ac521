// The bar on top: the pages, what is running, the search, and the menu.

import type { JSX } from 'react'
import { Link, useLocation } from 'wouter'
import type { RunningSession } from '../../server/api/live.ts'
import { Icon } from './icons.tsx'
import { Running } from './running.tsx'
import { SettingsMenu } from './settings-menu.tsx'
import { isApple } from './shortcuts.ts'
import './bar.css'

const PAGES = [
  { href: '/', name: 'Conversations', short: 'Home', alsoBelow: '/c/' },
  { href: '/usage', name: 'Usage', short: 'Usage', alsoBelow: '/usage/' },
  { href: '/journal', name: 'Journal', short: 'Journal', alsoBelow: '/journal/' },
  { href: '/health', name: 'Health', short: 'Health', alsoBelow: '/health/' },
] as const

export interface BarProps {
  readonly running: readonly RunningSession[]
  readonly onSearch: () => void
  readonly onKeys: () => void
}

export function Bar({ running, onSearch, onKeys }: BarProps): JSX.Element {
  const [location] = useLocation()
  return (
    <header className="bar">
      <Link href="/" className="brand" aria-label="Clew: all conversations">
        <Icon name="clew" />
        <span className="brand-name">Clew</span>
      </Link>
      <nav aria-label="Pages">
        {PAGES.map(({ href, name, short, alsoBelow }) => (
          <Link
            key={href}
            href={href}
            aria-current={location === href ? 'page' : location.startsWith(alsoBelow) ? 'true' : undefined}
          >
            <span className="long-name">{name}</span>
            <span className="short-name">{short}</span>
          </Link>
        ))}
      </nav>
      <Running sessions={running} />
      <button type="button" className="button search-button" onClick={onSearch}>
        <Icon name="search" />
        <span className="search-words">Search</span>
        <kbd>{isApple ? '⌘K' : 'Ctrl K'}</kbd>
      </button>
      <SettingsMenu onKeys={onKeys} />
    </header>
  )
}
