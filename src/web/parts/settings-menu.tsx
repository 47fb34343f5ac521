import type { JSX } from 'react'
import { Icon } from './icons.tsx'
import type { Theme } from './theme.ts'
import { chooseTheme, useTheme } from './theme.ts'

const THEMES: readonly { readonly theme: Theme; readonly name: string }[] = [
  { theme: 'system', name: 'System' },
  { theme: 'light', name: 'Light' },
  { theme: 'dark', name: 'Dark' },
]

export function SettingsMenu({ onKeys }: { readonly onKeys: () => void }): JSX.Element {
  const chosen = useTheme()
  const openKeys = (): void => {
    document.getElementById('settings')?.hidePopover()
    onKeys()
  }
  return (
    <>
      <button type="button" className="button quiet square" popoverTarget="settings" aria-label="Settings and help">
        <Icon name="more" />
      </button>
      <div id="settings" className="menu" popover="auto">
        <h2 id="theme-name">Colours</h2>
        <div className="themes">
          <div className="choice">
            {THEMES.map(({ theme, name }) => (
              <button key={theme} type="button" aria-pressed={theme === chosen} onClick={() => chooseTheme(theme)}>
                {name}
              </button>
            ))}
          </div>
        </div>
        <hr />
        <button type="button" className="menu-row" onClick={openKeys}>
          <span className="spread">Keyboard</span>
          <kbd>?</kbd>
        </button>
      </div>
    </>
  )
}
