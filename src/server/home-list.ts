// The list of conversations, kept: what changes is noticed project by project, and only that is read again and told.
// Where the index knows nothing yet the files themselves are read, so that a first visit need not wait for it.

import type { FoundTranscripts, Project } from '../load/found.ts'
import type { ListedConversation } from '../load/list.ts'
import type { HomeRow, Indexing, RunState } from './api/home.ts'
import { homeRow } from './home-row.ts'
import type { News } from './news.ts'
import type { RunningSessions } from './running-sessions.ts'
import type { ServerWorld } from './server-world.ts'

const PATIENCE_MS = 500

interface ListedProject {
  /** What the index said about it when it was listed. */
  readonly stamp: string | undefined
  /** How its files stood: the index may have read more than that by then, and have nothing new to say afterwards. */
  readonly found: string
  readonly rows: readonly ListedConversation[]
}

interface Known {
  readonly listed: ListedConversation
  readonly isGone: boolean
}

export class HomeList {
  readonly #world: ServerWorld
  readonly #news: News
  readonly #sessions: RunningSessions
  readonly #projects = new Map<string, ListedProject>()
  #rows: ReadonlyMap<string, Known> = new Map()
  #updating: Promise<void> = Promise.resolve()
  #indexing: Indexing | null = null
  #isListed = false

  constructor(world: ServerWorld, news: News, sessions: RunningSessions) {
    this.#world = world
    this.#news = news
    this.#sessions = sessions
  }

  get indexing(): Indexing | null {
    return this.#indexing
  }

  set indexing(indexing: Indexing | null) {
    if (indexing === null && this.#indexing === null) return
    this.#indexing = indexing
    this.#news.tell({ kind: 'indexing', indexing })
  }

  /** When the first list is there; nobody waits long for a large archive, whose rows come later as news. */
  async soon(): Promise<void> {
    if (this.#isListed) return
    await Promise.race([this.#updating, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))])
  }

  rows(): readonly HomeRow[] {
    return [...this.#rows.values()]
      .sort((one, other) => other.listed.modifiedMs - one.listed.modifiedMs)
      .map(this.#rower())
  }

  /** Compares with what the index and the disk say now. One after the other, whoever asks how often. */
  update(): Promise<void> {
    const next = this.#updating.then(() => this.#update())
    // One that failed is told to whoever asked for it; the next begins all the same.
    this.#updating = next.catch(() => undefined)
    return next
  }

  async #update(): Promise<void> {
    const { index } = this.#world
    const archive = this.#world.archive()
    const stamps = index.stamps()
    const changed = archive.projects.filter((project) => {
      const known = this.#projects.get(nameOf(project))
      return known?.stamp !== stamps.get(nameOf(project)) || known?.found !== foundIn(project)
    })
    const there = new Set(archive.projects.map(nameOf))
    const missing = [...this.#projects.keys()].filter((name) => !there.has(name))
    for (const name of missing) this.#projects.delete(name)
    const found = await index.access().list({ ...archive, projects: changed })
    const rowsOf = groupByProject(found, changed)
    for (const project of changed) {
      const name = nameOf(project)
      this.#projects.set(name, { stamp: stamps.get(name), found: foundIn(project), rows: rowsOf.get(name) ?? [] })
    }
    this.#replace(this.#gather(archive))
    this.#isListed = true
  }

  /** By id; where files share one, the newest: an address leads to one of them. */
  #gather(archive: FoundTranscripts): ReadonlyMap<string, Known> {
    const rows = new Map<string, Known>()
    const add = (listed: ListedConversation, isGone: boolean): void => {
      // Clients write files with nothing but a title in them, which `clew list` does not show to a person either.
      if (listed.messages === 0) return
      const known = rows.get(listed.sessionId)
      const isBetter = known === undefined || (!isGone && known.listed.modifiedMs < listed.modifiedMs)
      if (isBetter) rows.set(listed.sessionId, { listed, isGone })
    }
    for (const { rows: own } of this.#projects.values()) for (const row of own) add(row, false)
    for (const { row } of this.#world.index.gone(archive.roots)) add(row, true)
    return rows
  }

  #replace(rows: ReadonlyMap<string, Known>): void {
    const before = this.#rows
    this.#rows = rows
    if (this.#news.hearers === 0) return
    const isNews = (id: string, known: Known): boolean => {
      const old = before.get(id)
      return old === undefined || old.isGone !== known.isGone || !isSameRow(old.listed, known.listed)
    }
    const fresh = [...rows].filter(([id, known]) => isNews(id, known)).map(([, known]) => known)
    const removed = [...before.keys()].filter((id) => !rows.has(id))
    if (fresh.length > 0 || removed.length > 0)
      this.#news.tell({ kind: 'list', rows: fresh.map(this.#rower()), removed })
  }

  #rower(): (known: Known) => HomeRow {
    const states = new Map<string, RunState>(this.#sessions.now().map(({ id, state }) => [id, state]))
    return ({ listed, isGone }) => homeRow(listed, isGone, states.get(listed.sessionId) ?? null)
  }
}

function isSameRow(one: ListedConversation, other: ListedConversation): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}

function nameOf({ root, key }: Project): string {
  return `${root}\0${key}`
}

function foundIn({ files }: Project): string {
  return files.map(({ sizeBytes, modifiedMs }) => `${sizeBytes} ${modifiedMs}`).join('\n')
}

function groupByProject(
  rows: readonly ListedConversation[],
  projects: readonly Project[],
): ReadonlyMap<string, readonly ListedConversation[]> {
  const ownerOf = new Map(projects.flatMap((project) => project.files.map(({ path }) => [path, nameOf(project)])))
  const groups = new Map<string, ListedConversation[]>()
  for (const row of rows) {
    const name = ownerOf.get(row.path) ?? ''
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [row])
    else group.push(row)
  }
  return groups
}
