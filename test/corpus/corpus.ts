// Where the corpora of genuine transcripts are, if they are there at all. They are not part of the project.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const beside = fileURLToPath(new URL('../../../shared/corpus', import.meta.url))
const named = process.env['CLEW_CORPUS']

export const corpus: string | null =
  named !== undefined && existsSync(named) ? named : existsSync(beside) ? beside : null

if (corpus === null) console.warn('SKIPPED: no corpus of genuine transcripts (set CLEW_CORPUS to test against one)')

export interface ClientCase {
  readonly name: string
  readonly folder: string
  readonly sdk: SdkAnswers
}

export interface SdkAnswers {
  readonly listSessions: readonly {
    readonly sessionId: string
    readonly summary: string
    readonly firstPrompt?: string
  }[]
  readonly sessions: Readonly<Record<string, SdkSession>>
}

interface SdkSession {
  readonly messages?: readonly { readonly uuid: string }[]
  readonly subagents?: readonly string[]
  readonly subagentMessages?: Readonly<Record<string, readonly { readonly uuid: string }[]>>
}

export function clientCases(): readonly ClientCase[] {
  if (corpus === null || !existsSync(join(corpus, 'client'))) return []
  const root = join(corpus, 'client')
  return readdirSync(root).flatMap((version) =>
    readdirSync(join(root, version)).map((name) => {
      const folder = join(root, version, name)
      return {
        name: `${version}/${name}`,
        folder,
        sdk: JSON.parse(readFileSync(join(folder, 'sdk.json'), 'utf8')) as SdkAnswers,
      }
    }),
  )
}
