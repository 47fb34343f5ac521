// Rows of conversations and their titles. A file may be in two projects, when an archive is looked at from two roots, or
// may have moved from one to the other: all its rows say the same, or there is only the newest.

import type { ListedConversation } from '../load/list.ts'
import type { Database } from './database.ts'
import type { PackedLayout } from './layouts.ts'
import { LayoutWriter } from './layouts.ts'
import type { WovenProject } from './weave.ts'
import { setApart } from './words.ts'

export interface ConversationRow {
  readonly row: ListedConversation
  readonly models: readonly string[]
  readonly gitBranches: readonly string[]
  readonly turns: Uint8Array
  /** Null where the stored one is still right. */
  readonly layout: PackedLayout | null
}

type Statement = ReturnType<Database['prepare']>

export class ConversationRows {
  readonly #putProject: Statement
  readonly #put: Statement
  readonly #putTitle: Statement
  readonly #drop: Statement
  readonly #dropTitle: Statement
  readonly #dropElsewhere: Statement
  readonly #unstamp: Statement
  readonly #titleOf: Statement
  readonly #titlesOf: Statement
  readonly #layouts: LayoutWriter

  constructor(database: Database) {
    this.#putProject = database.prepare(
      `INSERT INTO project(root, project_key, stamp) VALUES(?, ?, ?)
       ON CONFLICT(root, project_key) DO UPDATE SET stamp = excluded.stamp RETURNING id`,
    )
    // Most projects are woven again because of one file; the rows of the others stay as they are.
    this.#put = database.prepare(
      `INSERT INTO conversation(project, file, summary, models, git_branches, turns) VALUES(?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET (summary, models, git_branches, turns) =
         (excluded.summary, excluded.models, excluded.git_branches, excluded.turns)
       WHERE (summary, models, git_branches, turns) IS NOT
         (excluded.summary, excluded.models, excluded.git_branches, excluded.turns)`,
    )
    this.#putTitle = database.prepare('INSERT INTO titled(rowid, title) VALUES(?, ?)')
    // What a deleted conversation was called stays known, as its words do.
    this.#drop = database.prepare(
      `DELETE FROM conversation WHERE project = ? AND file NOT IN (SELECT id FROM file WHERE gone_ms IS NOT NULL)
       AND file NOT IN (SELECT value FROM json_each(?))`,
    )
    this.#dropTitle = database.prepare('DELETE FROM titled WHERE rowid = ?')
    this.#dropElsewhere = database.prepare(
      `DELETE FROM conversation WHERE file = ? AND project <> ?
       AND (summary, models, git_branches, turns) IS NOT (?, ?, ?, ?) RETURNING project`,
    )
    this.#titlesOf = database.prepare(
      "SELECT file, json_extract(summary, '$.title') AS title FROM conversation WHERE project = ?",
    )
    this.#titleOf = database.prepare(
      "SELECT json_extract(summary, '$.title') AS title FROM conversation WHERE file = ?",
    )
    this.#layouts = new LayoutWriter(database)
    this.#unstamp = database.prepare("UPDATE project SET stamp = '' WHERE id = ?")
  }

  replace({ project: { root, key }, stamp, rows, isWhole }: WovenProject): void {
    const { id } = this.#putProject.get(root, key, stamp) as { readonly id: number }
    const titles = isWhole ? this.#titles(id) : new Map<number, string>()
    const kept: number[] = []
    for (const [file, found] of rows) {
      if (!titles.has(file)) titles.set(file, this.#titleOfFile(file))
      const values = found === null ? NO_VALUES : valuesOf(found)
      const others = this.#dropElsewhere.all(file, id, ...values)
      // A project that has lost a row is woven again when somebody asks for it: from another root, or when the file
      // has moved back.
      for (const other of others as unknown as readonly { readonly project: number }[]) this.#unstamp.run(other.project)
      const title = found?.row.title ?? ''
      if (title !== titles.get(file)) this.#rename(file, title)
      if (found === null) {
        this.#layouts.drop(file)
        continue
      }
      this.#put.run(id, file, ...values)
      if (found.layout !== null) this.#layouts.put(file, found.layout)
      kept.push(file)
    }
    if (isWhole) this.#drop.run(id, JSON.stringify(kept))
  }

  #titles(project: number): Map<number, string> {
    const rows = this.#titlesOf.all(project) as unknown as readonly { readonly file: number; readonly title: string }[]
    return new Map(rows.map(({ file, title }) => [file, title]))
  }

  #titleOfFile(file: number): string {
    return (this.#titleOf.get(file) as { readonly title: string } | undefined)?.title ?? ''
  }

  #rename(file: number, title: string): void {
    this.#dropTitle.run(file)
    if (title !== '') this.#putTitle.run(file, setApart(title))
  }
}

const NO_VALUES = [null, null, null, null] as const

function valuesOf({ row, models, gitBranches, turns }: ConversationRow): readonly [string, string, string, Uint8Array] {
  return [JSON.stringify(row), JSON.stringify(models), JSON.stringify(gitBranches), turns]
}
