// Opens an address in the user's browser, where there is one. Whether it worked is not told: the address is printed too.

import { spawn } from 'node:child_process'

export interface BrowserPlace {
  readonly platform: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

export function openBrowser(url: string, place: BrowserPlace): void {
  const [program, ...words] = openerOf(url, place)
  if (program === undefined) return
  const child = spawn(program, words, { stdio: 'ignore', detached: true })
  // It may not be installed.
  child.on('error', () => undefined)
  child.unref()
}

/** Nothing where nobody would see it. */
export function openerOf(url: string, { platform, environment }: BrowserPlace): readonly string[] {
  if (platform === 'darwin') return ['open', url]
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', url]
  const hasScreen = ['DISPLAY', 'WAYLAND_DISPLAY', 'WSL_DISTRO_NAME'].some((name) => (environment[name] ?? '') !== '')
  return hasScreen ? ['xdg-open', url] : []
}
