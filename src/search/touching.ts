// Turns in which a file was touched: for `--file`.

import type { Conversations } from './conversations.ts'
import type { Database } from './database.ts'
import type { TurnHit } from './turn-hits.ts'

export interface Touched {
  /** The files of the index that are left of some: those in which it was touched at all. */
  readonly within: (scope: readonly number[] | null) => readonly number[]
  readonly isTouched: (turn: TurnHit) => boolean
}

export function touchedFiles(database: Database, path: string, conversations: Conversations): Touched {
  const wanted = path.replace(/^\.\//, '')
  const rows = database
    .prepare('SELECT file, record, files FROM tool_call WHERE files IS NOT NULL AND instr(files, ?) > 0')
    .all(JSON.stringify(wanted).slice(1, -1)) as unknown as readonly { file: number; record: number; files: string }[]
  const touched = new Set<string>()
  const inFiles = new Set<number>()
  for (const { file, record, files } of rows) {
    const paths = (JSON.parse(files) as readonly { readonly path: string }[]).map((one) => one.path)
    if (!paths.some((one) => isPartOf(wanted, one))) continue
    touched.add(turnKey(file, conversations, record))
    inFiles.add(file)
  }
  return {
    within: (scope) => (scope === null ? [...inFiles] : scope.filter((file) => inFiles.has(file))),
    isTouched: ({ docs }) => docs.some(({ file, record }) => touched.has(turnKey(file, conversations, record))),
  }
}

function turnKey(file: number, conversations: Conversations, record: number): string {
  const { branch, turn } = conversations.place(file, record)
  return `${file}/${branch}.${turn}`
}

/** `x.ts` and `src/x.ts` name /home/ada/src/x.ts, `c/x.ts` does not; a folder names what is below it. */
function isPartOf(asked: string, path: string): boolean {
  const wanted = asked.replace(/^\.?\//, '').replace(/\/$/, '')
  return path === asked || `/${path}/`.includes(`/${wanted}/`)
}
