import { join } from 'node:path'

export interface IndexPlace {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly home: string
}

const NAME = 'index.sqlite'

export function indexPath({ environment, home }: IndexPlace): string {
  const cache = environment['XDG_CACHE_HOME']
  return join(cache?.startsWith('/') ? cache : join(home, '.cache'), 'clew', NAME)
}
