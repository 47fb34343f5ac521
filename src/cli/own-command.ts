import { realpathSync } from 'node:fs'

export interface OwnCommand {
  readonly node: string
  readonly script: string
}

/** How this very program is started, by paths that hold in any folder. A link to it may be gone tomorrow. */
export function ownCommand(): OwnCommand {
  const [node, script = ''] = [process.execPath, process.argv[1]]
  try {
    return { node, script: realpathSync(script) }
  } catch {
    return { node, script }
  }
}
